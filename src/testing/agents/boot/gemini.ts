import { join } from 'node:path';
import { geminiConversations } from '../../../agent/gemini/conversations.ts';
import { asFields, asList, asText, type Fields } from '../../../agent/seam/json.ts';
import { AGENTS, type BootSamples, type Standing } from './samples.ts';

export const geminiBoots: BootSamples = {
  conversations: geminiConversations,
  folder: join(AGENTS, 'gemini/cases/chat'),
  file: 'chat.jsonl',
  verdicts: {
    'first-turn-failed': 'failed',
    'killed-after-tool': 'interrupted',
    'killed-before-the-reply': 'interrupted',
    'killed-in-tool': 'unknown',
    'resumed-and-failed': 'unknown',
    rewound: 'interrupted',
    'with-cached-input': 'interrupted',
  },
  standing: geminiStanding,
  answered: 'resumed-and-failed',
  later: (line) => line.replaceAll(/"(id|\$rewindTo)":"[0-9a-f]{8}-/g, '"$1":"1a7e7000-'),
};

function geminiStanding(line: Fields): Standing | null {
  const copied = asFields(line.$set)?.messages;
  // The messages are replaced by these, or by some of those before it.
  if (Array.isArray(copied)) {
    const last = copied.findLast((each) => messageStanding(asFields(each) ?? {}) !== 'within');
    return last === undefined ? 'unclear' : (messageStanding(last) ?? 'unclear');
  }
  return line.$rewindTo === undefined ? messageStanding(line) : 'unclear';
}

/** A text may be the answer, so such a turn is never resumed; a call is added to its text when it is over. */
function messageStanding({ type, content, toolCalls }: Fields): Standing | null {
  const parts = asList(content).map((part) => asFields(part) ?? {});
  const text = asText(content) ?? parts.map((part) => asText(part.text) ?? '').join('');
  if (type === 'user') return text === '' || /^\s*<session_context>/.test(text) ? 'within' : 'open';
  if (type !== 'gemini') return null;
  const isCall = asList(toolCalls).length > 0 || parts.some(({ functionCall }) => functionCall !== undefined);
  return text === '' || isCall ? 'open' : 'ended';
}
