import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { claude } from '../../agent/claude/claude.ts';
import { codexConversations } from '../../agent/codex/conversations.ts';
import { copilotConversations } from '../../agent/copilot/conversations.ts';
import { qwenConversations } from '../../agent/qwen/conversations.ts';
import type { Conversations, Verdict } from '../../agent/seam/conversations.ts';
import { asFields, asList, asText, type Fields } from '../../agent/seam/json.ts';

/** The recorded conversations of an agent, and what a boot makes of them. */
export interface BootSamples {
  readonly conversations: Conversations;
  /** The folder with a folder for each of them, and the file in it. */
  readonly folder: string;
  readonly file: string;
  readonly verdicts: Readonly<Record<string, Verdict>>;
  /**
   * How the conversation stands after this line; null: as before. Written down without the adapter's own reader, so
   * that the two can contradict each other.
   */
  standing(line: Fields): Standing | null;
  /** One that was answered: its last turn is what a resume adds. */
  readonly answered: string;
}

/** A turn is open, or it has an end. within: the line is of a turn, whichever that is. unclear: both may be right. */
export type Standing = 'open' | 'ended' | 'within' | 'unclear';

const AGENTS = join(import.meta.dirname, '../../agent');

/** Every agent whose conversations a boot finds. */
export const BOOT_SAMPLES: readonly BootSamples[] = [
  {
    conversations: claude.conversations,
    folder: join(AGENTS, 'claude/cases/transcript'),
    file: 'transcript.jsonl',
    verdicts: claudeVerdicts(join(AGENTS, 'claude/cases/transcript')),
    standing: claudeStanding,
    answered: 'resumed-and-complete',
  },
  {
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
    },
    standing: codexStanding,
    answered: 'complete',
  },
  {
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
    },
    standing: qwenStanding,
    answered: 'a-tool-and-two-turns',
  },
  {
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
    },
    standing: copilotStanding,
    answered: 'complete',
  },
];

/** The verdicts of Claude Code are in its golden cases. */
function claudeVerdicts(folder: string): Record<string, Verdict> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => {
      const { found } = JSON.parse(readFileSync(join(folder, name, 'expected.json'), 'utf8'));
      return [name, found.judged.is as Verdict];
    }),
  );
}

function claudeStanding(line: Fields): Standing | null {
  const { type, isSidechain, isMeta, isCompactSummary, attachment } = line;
  const message = asFields(line.message);
  if (asFields(attachment)?.type === 'queued_command') return 'open';
  if (isSidechain === true || isCompactSummary === true || message === null) return null;
  // What the agent wrote in the place of a model or of a person follows something that decides.
  if (message.model === '<synthetic>') return line.isApiErrorMessage === true ? 'ended' : 'unclear';
  if (isMeta === true) return 'unclear';
  const content = message.content;
  // Some commands of the agent have an answer.
  if (typeof content === 'string' && /^<(local-)?command-/.test(content)) return 'unclear';
  const texts = typeof content === 'string' ? [content] : asList(content).map((each) => asText(asFields(each)?.text));
  if (type === 'user') return texts.some((text) => text?.startsWith('[Request interrupted')) ? 'ended' : 'open';
  if (type !== 'assistant') return null;
  return ['end_turn', 'stop_sequence', 'max_tokens', 'refusal'].includes(asText(message.stop_reason) ?? '')
    ? 'ended'
    : 'open';
}

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

function qwenStanding({ type, subtype, message, toolCallResult, systemPayload }: Fields): Standing | null {
  const parts = asList(asFields(message)?.parts).map((part) => asFields(part) ?? {});
  if (type === 'user' && subtype === undefined) return 'open';
  if (type === 'tool_result') return asFields(toolCallResult)?.status === 'cancelled' ? 'ended' : 'within';
  if (type === 'assistant') return parts.some((part) => part.functionCall !== undefined) ? 'open' : 'ended';
  // Some errors are tried again.
  return asFields(asFields(systemPayload)?.uiEvent)?.['event.name'] === 'qwen-code.api_error' ? 'unclear' : null;
}

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
