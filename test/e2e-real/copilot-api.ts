import { CHAT_API } from './chat-api.ts';
import type { ModelApi } from './model-api.ts';
import type { Block } from './story.ts';

/** What Copilot adds to a prompt. */
const ADDED = /<(current_datetime|reminder|system_notification)>[\s\S]*?<\/\1>\s*/g;

/** The Chat Completions API, as Copilot uses it: prompts are read as they were sent to Copilot. */
export const COPILOT_API: ModelApi = {
  ...CHAT_API,
  read: (body, headers) => {
    const asked = CHAT_API.read(body, headers);
    const plain = (block: Block): Block => (block.text === undefined ? block : { ...block, text: bare(block.text) });
    const messages = asked.messages.map((message) =>
      message.role === 'user' && typeof message.content !== 'string'
        ? { ...message, content: message.content.map(plain) }
        : message,
    );
    return { ...asked, messages };
  },
};

function bare(text: string): string {
  return text.replaceAll(ADDED, '').trim();
}
