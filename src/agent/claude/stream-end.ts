import type { LineReader } from '../seam/lines.ts';
import type { TurnEnd } from '../seam/turns.ts';
import { type StreamKnown, type StreamRead, streamReader } from './stream.ts';
import { troubleOf } from './trouble.ts';

/** Reads the output of a headless run to find out how the turn ended. */
export const streamEnd: LineReader<StreamKnown, (nowMs: number) => TurnEnd | null> = {
  empty: streamReader.empty,
  read: (known, lines) => streamReader.read(known, lines),
  view: (known) => {
    const read = streamReader.view(known);
    return (nowMs) => endOf(read, nowMs);
  },
};

function endOf({ outcome, reply, why, error, limit, used }: StreamRead, nowMs: number): TurnEnd | null {
  switch (outcome) {
    case 'complete':
      return { turn: 'closed', reply: reply ?? '', used };
    case 'failed':
    case 'limited': {
      const resetsAtMs = limit?.status === 'rejected' ? limit.resetsAtMs : null;
      return { turn: 'failed', reply: why, used, trouble: troubleOf({ error, text: why, resetsAtMs }, nowMs) };
    }
    case 'interrupted':
      return { turn: 'interrupted', reply: reply ?? '', used };
    case 'deferred':
      return { turn: 'deferred', reply: '', used };
    case 'unfinished':
      return null;
  }
}
