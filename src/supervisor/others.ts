import type { RecordedPrompt, RecordReader, TranscriptView } from '../agent/seam/record.ts';
import { say } from '../core/say.ts';
import type { Session } from '../core/session.ts';
import type { TranscriptSnapshot } from '../core/snapshot.ts';

/**
 * The last turn, and whether another process has added turns since the current run read the file. Ours and those at its
 * own screen are known by their ids, or by their text if a hook was lost. A turn without an id counts as known.
 */
export function othersIn(
  { run, turn: { turnIds, last }, prompts: sent }: Session,
  { keysOf }: Pick<RecordReader<unknown>, 'keysOf'>,
  { prompts, isCut }: Pick<TranscriptView, 'prompts' | 'isCut'>,
): Pick<TranscriptSnapshot, 'lastMark' | 'isAhead'> {
  const turns = prompts.filter(({ isSteered }) => !isSteered);
  const said = [...(last === null ? [] : [last.said]), ...sent.map((p) => say(p)?.text ?? '')];
  const isOurs = ({ keys }: RecordedPrompt): boolean =>
    said.some((text) => keysOf(text).some((key) => keys.includes(key)));
  const isKnown = (turn: RecordedPrompt): boolean =>
    turn.turnId === null || turn.turnId === run?.upTo || turnIds.includes(turn.turnId) || isOurs(turn);
  const known = turns.findLastIndex(isKnown);
  const isAhead = known < 0 ? isCut && turns.length > 0 && run?.upTo !== undefined : known < turns.length - 1;
  const lastMark = turns.at(-1)?.turnId ?? null;
  return { ...(lastMark !== null && { lastMark }), ...(isAhead && { isAhead }) };
}
