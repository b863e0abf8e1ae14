import { join } from 'node:path';
import { opencode } from '../../agent/opencode/opencode.ts';
import { opencodeServer } from '../../agent/opencode/server.ts';
import type { RunEnd } from '../../agent/seam/drive.ts';
import { asFields } from '../../agent/seam/json.ts';
import { readWhole } from '../../agent/seam/lines.ts';
import type { Incoming, ServerReport } from '../../agent/seam/server.ts';
import type { GoldenSet } from '../agent-suite.ts';
import { readRecord } from './record.ts';

/** The clock for the cases: soon after they were recorded. */
const AT = { run: 1, nowMs: Date.UTC(2026, 10, 15, 23) };

/** The output, records and server messages of OpenCode. */
export const OPENCODE_CASES: GoldenSet = {
  agent: 'opencode',
  folder: join(import.meta.dirname, '../../agent/opencode/cases'),
  kinds: {
    stream: { file: 'output.ndjson', proves: ['turns'], read: readStream },
    rows: { file: 'rows.jsonl', proves: ['record', 'usage'], read: (text) => readRecord(opencode, text) },
    server: { file: 'messages.ndjson', proves: ['server', 'actions'], read: replay },
    exit: { file: 'end.json', proves: ['turns', 'server'], read: verdicts },
  },
};

/** The verdicts about a recorded exit: of a process of one turn, and of a server. */
function verdicts(text: string): unknown {
  const end: RunEnd = JSON.parse(text);
  return { turns: opencode.turns.verdict(end), server: opencode.server.verdict(end) };
}

function readStream(text: string): unknown {
  const listen = opencode.turns.listener(1);
  const lines = text.split('\n').filter((line) => line !== '');
  return { end: readWhole(opencode.turns.stream, text)(AT.nowMs), reports: lines.flatMap((line) => listen(line)) };
}

/** Replays a recorded connection: `>> NAME` is a call of ours, `<< NAME STATUS JSON` its answer, `<< JSON` an event. */
function replay(text: string): unknown {
  const reports: ServerReport[] = [];
  let state = opencodeServer.empty;
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const message = line.slice(3);
    if (line.startsWith('>>')) {
      state = opencodeServer.sent(state, { is: 'call', id: message, method: 'GET', path: '/' });
      continue;
    }
    const received = opencodeServer.receive(state, incoming(message), AT);
    state = received.state;
    reports.push(...received.reports);
  }
  const asks = reports.flatMap(({ says }) => (says.type === 'asked' ? [says.call] : []));
  const actions = asks.map(({ tool, input }) => opencode.actions(tool, input));
  return { reports, actions, view: opencodeServer.view(state), state };
}

function incoming(message: string): Incoming {
  const [, to, status, body = 'null'] = /^(\w+) (\d+) (.+)$/.exec(message) ?? [];
  if (to !== undefined) return { is: 'answer', to, status: Number(status), data: JSON.parse(body) };
  return { is: 'message', data: asFields(JSON.parse(message)) };
}
