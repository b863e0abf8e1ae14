import { join } from 'node:path';
import { codexConversations } from '../../../agent/codex/conversations.ts';
import { asFields, type Fields } from '../../../agent/seam/json.ts';
import { AGENTS, type BootSamples, type Standing } from './samples.ts';

export const codexBoots: BootSamples = {
  conversations: codexConversations,
  folder: join(AGENTS, 'codex/cases/rollout'),
  file: 'rollout.jsonl',
  verdicts: {
    'code-mode-killed-after-tool': 'interrupted',
    'code-mode-killed-final': 'complete',
    'code-mode-killed-in-tool': 'interrupted',
    compacted: 'complete',
    complete: 'complete',
    'heard-and-not-yet-an-item': 'interrupted',
    interrupted: 'complete',
    'killed-after-tool': 'interrupted',
    'killed-and-resumed': 'complete',
    'killed-final': 'interrupted',
    'killed-headers': 'interrupted',
    'killed-in-a-command-of-an-exec': 'interrupted',
    'killed-in-tool': 'interrupted',
    'killed-pre-response': 'interrupted',
    limited: 'limited',
    'login-failed': 'failed',
    'nothing-said-yet': 'complete',
    'out-of-quota': 'failed',
    overloaded: 'failed',
    steered: 'complete',
    'the-end-of-a-long-one': 'complete',
    'too-long': 'failed',
    'torn-in-the-middle-of-the-end': 'unknown',
    'torn-last-line': 'complete',
    'two-calls-one-open': 'interrupted',
    'unreadable-lines': 'complete',
    'with-cached-input': 'interrupted',
  },
  standing: codexStanding,
  answered: 'complete',
};

function codexStanding({ type, payload }: Fields): Standing | null {
  if (asFields(asFields(payload)?.item)?.type === 'UserMessage') return 'unclear';
  if (type === 'response_item') return 'within';
  switch (asFields(payload)?.type) {
    case 'task_started':
      return 'open';
    case 'task_complete':
    case 'turn_aborted':
      return 'ended';
    default:
      return null;
  }
}
