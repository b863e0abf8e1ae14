import type { ReadAgent } from '../../agent/seam/agent.ts';
import { readWhole } from '../../agent/seam/lines.ts';

/** Everything that an adapter reads from a record: the view, the usage, and the turns for display. */
export function readRecord({ record, usage }: ReadAgent, text: string): unknown {
  if (record === undefined) return null;
  const view = readWhole(record, text);
  const spent = usage?.spent({ main: view.messages, side: [] }, { message: null, atMs: 0 }, null) ?? null;
  const turns = readWhole(record.turns, text);
  return { view, spent, turns: turns.map(({ data }) => data), text: turns.map((turn) => turn.markdown(false)) };
}
