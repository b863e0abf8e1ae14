import { join } from 'node:path';
import { copilotConversations } from '../../../agent/copilot/conversations.ts';
import { asFields, asList, type Fields } from '../../../agent/seam/json.ts';
import { AGENTS, type BootSamples, type Standing } from './samples.ts';

export const copilotBoots: BootSamples = {
  conversations: copilotConversations,
  folder: join(AGENTS, 'copilot/cases/events'),
  file: 'events.jsonl',
  verdicts: {
    complete: 'complete',
    'killed-in-tool': 'interrupted',
    'killed-pre-response': 'interrupted',
    'login-failed': 'failed',
    'out-of-credit': 'failed',
    refused: 'failed',
    'retried-and-failed': 'failed',
    'the-end-of-a-long-one': 'unknown',
    'too-long': 'failed',
    'torn-last-line': 'unknown',
    'unreadable-lines': 'complete',
    'with-cached-input': 'complete',
  },
  standing: copilotStanding,
  answered: 'complete',
};

function copilotStanding({ type, data }: Fields): Standing | null {
  switch (type) {
    case 'tool.execution_start':
    case 'tool.execution_complete':
      return 'within';
    case 'user.message':
    case 'assistant.turn_start':
      return 'open';
    case 'assistant.message':
      return asList(asFields(data)?.toolRequests).length === 0 ? 'ended' : 'open';
    case 'session.error':
    case 'abort':
      return 'ended';
    default:
      return null;
  }
}
