import { join } from 'node:path';
import { pi } from '../../agent/pi/pi.ts';
import type { RunEnd } from '../../agent/seam/drive.ts';
import { readWhole } from '../../agent/seam/lines.ts';
import type { GoldenSet } from '../agent-suite.ts';
import { readRecord } from './record.ts';

/** The clock for the cases: soon after they were recorded. */
const NOW_MS = Date.UTC(2026, 10, 15, 23);

/** The output and records of pi. */
export const PI_CASES: GoldenSet = {
  agent: 'pi',
  folder: join(import.meta.dirname, '../../agent/pi/cases'),
  kinds: {
    stream: { file: 'output.ndjson', proves: ['turns'], read: readStream },
    session: { file: 'session.jsonl', proves: ['record', 'usage'], read: (text) => readRecord(pi, text) },
    exit: { file: 'end.json', proves: ['turns'], read: (text) => pi.turns.verdict(JSON.parse(text) as RunEnd) },
  },
};

function readStream(text: string): unknown {
  const listen = pi.turns.listener(1);
  const lines = text.split('\n').filter((line) => line !== '');
  return { end: readWhole(pi.turns.stream, text)(NOW_MS), reports: lines.flatMap((line) => listen(line)) };
}
