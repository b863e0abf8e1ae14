import type { RecordedPrompt, TranscriptView } from '../agent/seam/record.ts';
import type { TurnEnd } from '../agent/seam/turns.ts';
import { say } from '../core/say.ts';
import type { Prompt, Session } from '../core/session.ts';
import type { TranscriptSnapshot } from '../core/snapshot.ts';
import { tokenOf } from '../core/steps.ts';
import type { Kept } from './kept.ts';

/** The agent's clock is ours, but a step of the clock must not make us deaf. */
const CLOCK_SLACK_MS = 2_000;

/** The last turn that this text began. */
export function turnOf({ prompts }: TranscriptView, kept: Kept | null, text: string): RecordedPrompt | undefined {
  const keys = kept?.record.keysOf(text) ?? [];
  return prompts.findLast((received) => isOneOf(received, keys));
}

function isOneOf(received: RecordedPrompt, keys: readonly string[]): boolean {
  return received.keys.some((key) => keys.includes(key));
}

/** What became of a prompt that was sent; no: it was not received; null: it may have been, before what was read. */
export function receivedIn(
  session: Session,
  kept: Kept | null,
  read: TranscriptView,
  p: Prompt,
): TurnEnd | 'no' | null {
  const { prompts, messages, isCut } = read;
  const keys = kept?.record.keysOf(say(p)?.text ?? '') ?? [];
  // What stands behind a turn of an earlier prompt was received after it, whatever clocks say: they may be set back.
  const known = prompts.findLastIndex(
    ({ turnId }) => turnId !== null && turnId !== p.turnId && session.turn.turnIds.includes(turnId),
  );
  // Without times, what was there before the run was not begun by it.
  const { run, spec } = session;
  const isOfRun = spec.drive === 'turns' && run?.upTo !== undefined && p.run === run.number;
  const before = isOfRun ? prompts.findLastIndex(({ turnId }) => turnId === run.upTo) : -1;
  const received = prompts.findLast(
    (h, i) =>
      isOneOf(h, keys) &&
      (h.isSteered ? p.now : h.turnId === null || h.turnId === p.turnId || !session.turn.turnIds.includes(h.turnId)) &&
      ((known >= 0 && i > known) || (h.atMs === null ? i > before : h.atMs >= p.sentAtMs - CLOCK_SLACK_MS)),
  );
  if (received !== undefined) return received;
  const isBefore = ({ atMs }: { readonly atMs: number | null }): boolean => atMs !== null && atMs < p.sentAtMs;
  return !isCut || prompts.some(isBefore) || messages.some(isBefore) ? 'no' : null;
}

/**
 * Which of our tries to send a prompt count as received, by the record and by what the output of an ended run of one
 * turn says. A process may be killed before it writes down what its output shows. It is dead then, and what it did not
 * write it never will. A prompt that only the output has is continued with the names of its calls; without all the
 * names nobody could be told what not to do twice.
 */
export function receivedBy(
  sent: readonly Prompt[],
  recorded: readonly string[],
  said: TurnEnd | null,
): Pick<TranscriptSnapshot, 'received' | 'search'> {
  if (said === null) return { received: recorded };
  const unwritten = said.turn === 'open' ? sent.filter((p) => !recorded.includes(tokenOf(p))) : [];
  if (unwritten.length === 0) return { received: sent.map(tokenOf) };
  const named = unwritten.flatMap(({ unknown, done = [], earlier = [] }) =>
    [...unknown, ...done, ...earlier].map(({ id }) => id),
  );
  if (said.called?.every((id) => named.includes(id))) return { received: recorded };
  return { received: sent.map(tokenOf), search: { is: 'unknown', why: UNWRITTEN } };
}

const UNWRITTEN = 'its output shows calls that its agent did not write down';

/** The ids of the turns that prompts began, by their tokens. */
export function turnIdsOf(own: readonly { token: string; received: TurnEnd }[]): Pick<TranscriptSnapshot, 'turnIds'> {
  const ids = own.flatMap(({ token, received }) =>
    'turnId' in received && typeof received.turnId === 'string' ? [[token, received.turnId] as const] : [],
  );
  return ids.length === 0 ? {} : { turnIds: Object.fromEntries(ids) };
}
