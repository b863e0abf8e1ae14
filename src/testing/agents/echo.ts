import { join } from 'node:path';
import { echoes } from '../../agent/echo/echo.ts';
import { echoLive } from '../../agent/echo/live-drive.ts';
import { hookReports } from '../../agent/echo/notes.ts';
import { ECHO_WIRES, echoServer } from '../../agent/echo/server-drive.ts';
import { echoTurns } from '../../agent/echo/turns-drive.ts';
import { asFields } from '../../agent/seam/json.ts';
import { readWhole } from '../../agent/seam/lines.ts';
import type { Incoming, Outgoing, ServerReport } from '../../agent/seam/server.ts';
import { assert } from '../../base/assert.ts';
import type { GoldenSet } from '../agent-suite.ts';
import { readRecord } from './record.ts';

const [echo] = echoes('node', 'echo.js');
const NOW_MS = Date.UTC(2026, 10, 16, 20);

/** The output, screens, records and server messages of echo. */
export const ECHO_CASES: GoldenSet = {
  agent: 'echo',
  folder: join(import.meta.dirname, '../../agent/echo/cases'),
  kinds: {
    stream: { file: 'output.ndjson', proves: ['turns'], read: readStream },
    screen: {
      file: 'screen.txt',
      proves: ['live'],
      read: (text) => echoLive.read({ rows: text.split('\n'), title: null, cursor: { row: 0, column: 0 } }),
    },
    hook: { file: 'payload.json', proves: ['hooks'], read: (text) => hookReports(JSON.parse(text), 1) },
    transcript: { file: 'transcript.jsonl', proves: ['record', 'usage'], read: readTranscript },
    server: { file: 'messages.ndjson', proves: ['server', 'actions'], read: replay },
  },
};

function readTranscript(text: string): unknown {
  assert(echo?.program !== undefined, 'echo has a program');
  return readRecord({ ...echo, program: echo.program }, text);
}

function readStream(text: string): unknown {
  const listen = echoTurns.listener(1);
  const lines = text.split('\n').filter((line) => line !== '');
  return { end: readWhole(echoTurns.stream, text)(NOW_MS), reports: lines.flatMap((line) => listen(line)) };
}

/** Replays a recorded connection: `>>` was sent, `<<` was received. The first line names the wire. */
function replay(text: string): unknown {
  const [over = '', ...lines] = text.split('\n').filter((line) => line !== '');
  const drive = echoServer(ECHO_WIRES[over as keyof typeof ECHO_WIRES], ['echo']);
  const reports: ServerReport[] = [];
  const sends: Outgoing[] = [];
  let state = drive.empty;
  for (const line of lines) {
    const data = asFields(JSON.parse(line.slice(3))) ?? {};
    const id = String(data.id);
    if (line.startsWith('>>')) {
      state = drive.sent(state, { is: 'message', id, data });
      continue;
    }
    const message: Incoming =
      over === 'http' && 're' in data
        ? { is: 'answer', to: String(data.re), status: 200, data }
        : { is: 'message', data };
    const received = drive.receive(state, message, { run: 1, nowMs: NOW_MS });
    state = received.state;
    reports.push(...received.reports);
    sends.push(...received.send);
  }
  const asks = reports.flatMap(({ says }) => (says.type === 'asked' ? [says.call] : []));
  const actions = asks.map(({ tool, input }) => echo?.actions?.(tool, input));
  return { reports, sends, actions, view: drive.view(state), state };
}
