import { join } from 'node:path';
import { gemini } from '../../agent/gemini/gemini.ts';
import { readWhole } from '../../agent/seam/lines.ts';
import type { GoldenSet } from '../agent-suite.ts';
import { replayAcp } from './acp.ts';
import { readRecord } from './record.ts';

/** The output, the messages and the conversations of Gemini CLI. */
export const GEMINI_CASES: GoldenSet = {
  agent: 'gemini',
  folder: join(import.meta.dirname, '../../agent/gemini/cases'),
  kinds: {
    server: { file: 'messages.ndjson', proves: ['server', 'actions'], read: (text) => replayAcp(gemini, text) },
    stream: { file: 'output.ndjson', proves: ['turns'], read: readStream },
    chat: { file: 'chat.jsonl', proves: ['record', 'usage'], read: (text) => readRecord(gemini, text) },
  },
};

function readStream(text: string): unknown {
  const listen = gemini.turns.listener(1);
  const lines = text.split('\n').filter((line) => line !== '');
  return { end: readWhole(gemini.turns.stream, text)(0), reports: lines.flatMap((line) => listen(line)) };
}
