import { join } from 'node:path';
import { copilot } from '../../agent/copilot/copilot.ts';
import type { RunEnd } from '../../agent/seam/drive.ts';
import { readWhole } from '../../agent/seam/lines.ts';
import type { GoldenSet } from '../agent-suite.ts';
import { readRecord } from './record.ts';

/** The clock for the cases: soon after they were recorded. */
const NOW_MS = Date.UTC(2026, 10, 15, 23);

/** The output and records of Copilot. */
export const COPILOT_CASES: GoldenSet = {
  agent: 'copilot',
  folder: join(import.meta.dirname, '../../agent/copilot/cases'),
  kinds: {
    stream: { file: 'output.ndjson', proves: ['turns'], read: readStream },
    events: { file: 'events.jsonl', proves: ['record', 'usage'], read: (text) => readRecord(copilot, text) },
    exit: { file: 'end.json', proves: ['turns'], read: (text) => copilot.turns.verdict(JSON.parse(text) as RunEnd) },
  },
};

function readStream(text: string): unknown {
  const listen = copilot.turns.listener(1);
  const lines = text.split('\n').filter((line) => line !== '');
  return { end: readWhole(copilot.turns.stream, text)(NOW_MS), reports: lines.flatMap((line) => listen(line)) };
}
