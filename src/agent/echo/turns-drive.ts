import type { Verdict } from '../../core/snapshot.ts';
import type { RunEnd } from '../seam/drive.ts';
import { readObject } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import type { TurnEnd, TurnsDrive } from '../seam/turns.ts';
import { hookReports, stoppedOf, turnEnd } from './notes.ts';
import type { Stopped } from './protocol.ts';

/** How a turn ended, by the last line that reports it. */
const stream: LineReader<Stopped | null, () => TurnEnd | null> = {
  empty: null,
  read: (known, lines) =>
    lines.split('\n').reduce((last, line) => {
      const note = line.includes('"on":"stopped"') ? readObject(line) : null;
      return (note === null ? null : stoppedOf(note)) ?? last;
    }, known),
  view: (known) => () => (known === null ? null : turnEnd(known)),
};

/** Echo with one process for each turn. */
export const echoTurns: TurnsDrive = {
  isCommand,
  verdict,
  // Its hooks report the rest.
  listener: (run) => (line) => hookReports(readObject(line), run).filter(({ type }) => type === 'hook.noted'),
  stream,
};

/** Only its screen has commands. */
export function isCommand(text: string): boolean {
  return text.trim() === '/quit';
}

/** It exits with 1 after a failed turn, which its output reports; any other status is a crash. */
function verdict({ status }: RunEnd): Verdict {
  return status === 0 || status === 1 ? 'finished' : 'crashed';
}
