import { join } from 'node:path';
import { qwen } from '../../agent/qwen/qwen.ts';
import type { RunEnd } from '../../agent/seam/drive.ts';
import { asFields, asText } from '../../agent/seam/json.ts';
import { readWhole } from '../../agent/seam/lines.ts';
import type { Outgoing, ServerReport } from '../../agent/seam/server.ts';
import type { GoldenSet } from '../agent-suite.ts';
import { readRecord } from './record.ts';

/** The clock for the cases: soon after they were recorded. */
const NOW_MS = Date.UTC(2026, 10, 18, 18);

/** The output and records of Qwen Code. */
export const QWEN_CASES: GoldenSet = {
  agent: 'qwen',
  folder: join(import.meta.dirname, '../../agent/qwen/cases'),
  kinds: {
    stream: { file: 'output.ndjson', proves: ['turns'], read: readStream },
    chat: { file: 'chat.jsonl', proves: ['record', 'usage'], read: (text) => readRecord(qwen, text) },
    server: { file: 'messages.ndjson', proves: ['server', 'gate'], read: replay },
    calls: { file: 'call.json', proves: ['actions'], read: readCall },
    exit: { file: 'end.json', proves: ['turns'], read: (text) => qwen.turns.verdict(JSON.parse(text) as RunEnd) },
  },
};

/** Replays a recorded connection: `>>` was sent, and `<<` was received. */
function replay(text: string): unknown {
  const reports: ServerReport[] = [];
  const sends: Outgoing[] = [];
  let state = qwen.server.empty;
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const data = asFields(JSON.parse(line.slice(3))) ?? {};
    if (line.startsWith('>>')) {
      const id = data.type === 'user' ? 'prompt one' : (asText(data.request_id) ?? 'answer');
      state = qwen.server.sent(state, { is: 'message', id, data });
      continue;
    }
    const received = qwen.server.receive(state, { is: 'message', data }, { run: 1, nowMs: NOW_MS });
    state = received.state;
    reports.push(...received.reports);
    sends.push(...received.send);
  }
  return { reports, sends, view: qwen.server.view(state), state };
}

function readCall(text: string): unknown {
  const { name, input } = JSON.parse(text) as { readonly name: string; readonly input: unknown };
  return qwen.actions(name, input);
}

function readStream(text: string): unknown {
  const listen = qwen.turns.listener(1);
  const lines = text.split('\n').filter((line) => line !== '');
  return { end: readWhole(qwen.turns.stream, text)(NOW_MS), reports: lines.flatMap((line) => listen(line)) };
}
