import type { FoundText, SearchIndexView } from '../api/contract-search.ts';
import { durationText } from './duration.ts';
import { nameOf } from './state.ts';

// What a search found, in the same words for the command line, MCP and every page.

type Where = Pick<FoundText, 'agent' | 'conversation' | 'session' | 'turn'>;

const ID_CHARS = 8;

/** The session, or the agent and the beginning of the id of a conversation that was not started with Outlast. */
export function conversationName({ agent, conversation, session }: Where): string {
  return session === null ? `${agent} ${conversation.slice(0, ID_CHARS)}` : `${nameOf(session)} (${agent})`;
}

/** The command that prints the turn; of a conversation not started with Outlast, the one that takes it over. */
export function commandFor({ conversation, session, turn }: Where): string {
  if (session === null) return `outlast resume --conversation ${conversation}`;
  return ['outlast turn', nameOf(session), ...(turn === null ? [] : [turn])].join(' ');
}

/** Why something that was said may not be found now; null: the index is complete. */
export function indexNote({ state, why, progress, horizonMs }: SearchIndexView): string | null {
  const read = progress === null ? '' : `: ${progress.done} of ${progress.total} conversations, newest first`;
  if (state === 'building') return `The index is being built${read}. Search again for more, or wait with --wait.`;
  if (progress !== null) return `New conversations are still being read${read}. Search again, or wait with --wait.`;
  if (why !== null) return `Something may be missing: ${why}`;
  if (horizonMs === null) return null;
  const day = new Date(horizonMs).toISOString().slice(0, 10);
  return `Texts from before ${day} are left out for lack of room; see search.bytesMax in the config.`;
}

/** What the index has, in one sentence. */
export function indexText(index: SearchIndexView, nowMs: number): string {
  const { state, conversations, texts, bytes, bytesMax, atMs } = index;
  if (state === 'off') return 'The search is off: search.enabled is false in the config.';
  if (state === 'none') return 'There is no index. The first search builds it.';
  const size = `${megabytes(bytes)} of at most ${megabytes(bytesMax)}`;
  const age = atMs === null ? 'it is being built' : `as of ${durationText(nowMs - atMs)} ago`;
  return `${conversations} conversations, ${texts} texts, ${size}, ${age}.`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(bytes < 10 * 1024 ** 2 ? 1 : 0)} MB`;
}
