import { join } from 'node:path';
import { piConversations } from '../../../agent/pi/conversations.ts';
import { asFields, type Fields } from '../../../agent/seam/json.ts';
import { AGENTS, type BootSamples, type Standing } from './samples.ts';

export const piBoots: BootSamples = {
  conversations: piConversations,
  folder: join(AGENTS, 'pi/cases/session'),
  file: 'session.jsonl',
  verdicts: {
    'killed-and-resumed': 'complete',
    'killed-final': 'complete',
    'killed-in-tool': 'interrupted',
    'killed-with-two-calls': 'interrupted',
    'login-failed': 'failed',
    'retried-and-failed': 'failed',
    'the-end-of-a-long-one': 'unknown',
    'torn-last-line': 'unknown',
    'unreadable-lines': 'complete',
    'with-cached-input': 'complete',
  },
  standing: piStanding,
  answered: 'killed-final',
};

function piStanding({ message }: Fields): Standing | null {
  const { role, stopReason } = asFields(message) ?? {};
  switch (role) {
    case 'user':
      return 'open';
    case 'toolResult':
      return 'within';
    case 'assistant':
      return stopReason === 'toolUse' ? 'open' : 'ended';
    default:
      return null;
  }
}
