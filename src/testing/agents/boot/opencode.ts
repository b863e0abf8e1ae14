import { join } from 'node:path';
import { opencodeConversations } from '../../../agent/opencode/conversations.ts';
import { asFields, asText, type Fields } from '../../../agent/seam/json.ts';
import { AGENTS, type BootSamples, type Standing } from './samples.ts';

export const opencodeBoots: BootSamples = {
  conversations: opencodeConversations,
  folder: join(AGENTS, 'opencode/cases/rows'),
  file: 'rows.jsonl',
  verdicts: {
    'changed-in-place': 'complete',
    // The times in it are not those of its ids.
    compacted: 'unknown',
    complete: 'complete',
    'failed-login': 'failed',
    interrupted: 'complete',
    'killed-after-tool': 'interrupted',
    'killed-and-resumed': 'complete',
    'killed-final': 'complete',
    'killed-headers': 'interrupted',
    'killed-in-tool': 'interrupted',
    'killed-pre-response': 'interrupted',
    limited: 'limited',
    'the-message-after-its-parts': 'interrupted',
    'the-user-without-a-text-yet': 'unknown',
    'torn-last-line': 'unknown',
    'two-calls-one-open': 'interrupted',
    'unreadable-lines': 'unknown',
    'what-it-says-by-itself': 'interrupted',
    'with-cached-input': 'complete',
  },
  standing: opencodeStanding,
  answered: 'complete',
  rows: { asRead: lastStates, keyOf: ({ id }) => asText(id) ?? '' },
  // Ids and times grow.
  later: (line) => line.replaceAll(/((?:msg|prt)_)1e1/g, '$12e1').replaceAll(/(":17)94(\d{9}\b)/g, '$195$2'),
};

/** The recorded cases have each state of a row, the database has the last one. */
function lastStates(recorded: string): string {
  const lines = recorded.split('\n');
  const keys = lines.map((line) => /^\{"table":"[a-z]+","id":"[^"]+"/.exec(line)?.[0]);
  return lines.filter((_, i) => keys[i] === undefined || keys.lastIndexOf(keys[i]) === i).join('\n');
}

function opencodeStanding({ table, data }: Fields): Standing | null {
  if (table !== 'message') return null;
  const { role, error, finish, time } = asFields(data) ?? {};
  if (role !== 'assistant') return role === 'user' ? 'open' : null;
  if (error !== undefined) return 'ended';
  if (finish === 'tool-calls' || finish === 'unknown') return 'open';
  return asFields(time)?.completed === undefined ? 'open' : 'ended';
}
