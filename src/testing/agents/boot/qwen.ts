import { join } from 'node:path';
import { qwenConversations } from '../../../agent/qwen/conversations.ts';
import { asFields, asList, type Fields } from '../../../agent/seam/json.ts';
import { AGENTS, type BootSamples, type Standing } from './samples.ts';

export const qwenBoots: BootSamples = {
  conversations: qwenConversations,
  folder: join(AGENTS, 'qwen/cases/chat'),
  file: 'chat.jsonl',
  verdicts: {
    'a-tool-and-two-turns': 'complete',
    'cancelled-in-a-tool': 'complete',
    'killed-after-the-reply': 'complete',
    'killed-before-the-reply': 'interrupted',
    'killed-in-a-tool': 'interrupted',
    'login-failed': 'failed',
    overloaded: 'interrupted',
    'terminated-in-its-reply': 'unknown',
    'torn-last-line': 'unknown',
    'with-cached-input': 'complete',
  },
  standing: qwenStanding,
  answered: 'a-tool-and-two-turns',
};

function qwenStanding({ type, subtype, message, toolCallResult, systemPayload }: Fields): Standing | null {
  const parts = asList(asFields(message)?.parts).map((part) => asFields(part) ?? {});
  if (type === 'user' && subtype === undefined) return 'open';
  if (type === 'tool_result') return asFields(toolCallResult)?.status === 'cancelled' ? 'ended' : 'within';
  if (type === 'assistant') return parts.some((part) => part.functionCall !== undefined) ? 'open' : 'ended';
  // Some errors are tried again.
  return asFields(asFields(systemPayload)?.uiEvent)?.['event.name'] === 'qwen-code.api_error' ? 'unclear' : null;
}
