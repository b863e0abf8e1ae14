import { join } from 'node:path';
import { codex } from '../../agent/codex/codex.ts';
import type { RunEnd } from '../../agent/seam/drive.ts';
import { asFields } from '../../agent/seam/json.ts';
import { readWhole } from '../../agent/seam/lines.ts';
import type { Outgoing, ServerReport } from '../../agent/seam/server.ts';
import type { GoldenSet } from '../agent-suite.ts';
import { readRecord } from './record.ts';

/** The clock for the cases: soon after they were recorded. */
const NOW_MS = Date.UTC(2026, 10, 15, 23);

/** The output, records, screens and server messages of Codex. */
export const CODEX_CASES: GoldenSet = {
  agent: 'codex',
  folder: join(import.meta.dirname, '../../agent/codex/cases'),
  kinds: {
    stream: { file: 'output.ndjson', proves: ['turns'], read: readStream },
    rollout: { file: 'rollout.jsonl', proves: ['record', 'usage'], read: (text) => readRecord(codex, text) },
    server: { file: 'messages.ndjson', proves: ['server', 'actions'], read: replay },
    screen: { file: 'screen.txt', proves: ['live'], read: readScreen },
    exit: { file: 'end.json', proves: ['turns', 'server', 'live'], read: verdicts },
  },
};

/** The verdicts about a recorded exit: of a process of one turn, of a server and of a screen. */
function verdicts(text: string): unknown {
  const end: RunEnd = JSON.parse(text);
  return { turns: codex.turns.verdict(end), server: codex.server.verdict(end), live: codex.live.verdict(end) };
}

/** What a screen shows, without the text of a dialog. The first line has its title and its cursor. */
function readScreen(text: string): unknown {
  const [first = '', ...rows] = text.split('\n');
  const read = codex.live.read({ ...JSON.parse(first), rows });
  return read.is === 'dialog' ? { is: read.is, why: { ...read.why, text: undefined } } : read;
}

function readStream(text: string): unknown {
  const listen = codex.turns.listener(1);
  const lines = text.split('\n').filter((line) => line !== '');
  return { end: readWhole(codex.turns.stream, text)(NOW_MS), reports: lines.flatMap((line) => listen(line)) };
}

/** Replays a recorded connection: `>>` was sent, under its original ids, and `<<` was received. */
function replay(text: string): unknown {
  const names = new Map<unknown, string>();
  const reports: ServerReport[] = [];
  const sends: Outgoing[] = [];
  let state = codex.server.empty;
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const data = asFields(JSON.parse(line.slice(3))) ?? {};
    if (line.startsWith('>>')) {
      const id = nameOf(data);
      names.set(data.id, id);
      state = codex.server.sent(state, { is: 'message', id, data });
      continue;
    }
    const named = data.method === undefined ? { ...data, id: names.get(data.id) ?? data.id } : data;
    const received = codex.server.receive(state, { is: 'message', data: named }, { run: 1, nowMs: NOW_MS });
    state = received.state;
    reports.push(...received.reports);
    sends.push(...received.send);
  }
  const asks = reports.flatMap(({ says }) => (says.type === 'asked' ? [says.call] : []));
  const actions = asks.map(({ tool, input }) => codex.actions(tool, input));
  return { reports, sends, actions, view: codex.server.view(state), state };
}

function nameOf({ id, method, params }: Readonly<Record<string, unknown>>): string {
  if (method === 'thread/start' || method === 'thread/resume') return 'open';
  if (method === 'turn/start') return `prompt ${asFields(params)?.clientUserMessageId ?? id}`;
  return `${method ?? 'answer'} ${id}`;
}
