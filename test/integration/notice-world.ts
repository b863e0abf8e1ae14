import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claudeActions } from '../../src/agent/claude/actions.ts';
import { type Clock, realClock } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import { fold } from '../../src/core/fold.ts';
import type { Outcome, SessionId, Spec } from '../../src/core/session.ts';
import type { Config, NoticeConfig, Route } from '../../src/daemon/config/schema.ts';
import type { NoticeItem } from '../../src/daemon/notices/item.ts';
import { type Notices, startNotices } from '../../src/daemon/notices/notices.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { memoryJournal } from '../../src/journal/memory-journal.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { COMMAND_SPEC } from '../../src/testing/spec.ts';

/** The parts of an ended session that a test chooses. */
export interface Ended {
  readonly spec?: Partial<Spec>;
  readonly outcome?: Outcome;
  readonly output?: string;
  readonly atMs?: number;
  readonly steadyMs?: number;
}

/** Of one try. No pause has this length. */
const TIMEOUT_MS = 9_999;
const DESKTOP_MS = 10_000;

const SPEC: Spec = { ...COMMAND_SPEC, argv: ['npm', 'test'] };

/** Puts a whole session into the journal, and its output into its run's folder. */
export function putEnded(journal: Journal, state: string, ended: Ended = {}): SessionId {
  const { outcome = { kind: 'done', exit: { status: 0 } }, output = 'hello\n', atMs = 42_000, steadyMs = atMs } = ended;
  const session = newId(atMs) as SessionId;
  const files = runFolder(state, { session, run: 1 });
  mkdirSync(files.folder, { recursive: true });
  writeFileSync(files.output, output);
  const exit = outcome.kind === 'done' ? outcome.exit : { status: 143 };
  const outputBytes = Buffer.byteLength(output);
  const put = (afterSeq: number, events: Parameters<Journal['append']>[0]['events'], ms: number): unknown =>
    journal.append({ session, afterSeq, events, cause: null, atMs: ms, steadyMs: ms });
  put(0, [{ type: 'session.created', spec: { ...SPEC, ...ended.spec } }], atMs - 42_000);
  journal.append({
    session,
    afterSeq: 1,
    cause: null,
    atMs,
    steadyMs,
    events: [
      { type: 'run.starting', run: 1, how: 'launch', boot: 'b' },
      { type: 'run.opened', run: 1, pid: 1 },
      { type: 'run.ended', run: 1, exit, outputBytes, complete: true },
      { type: 'session.ended', outcome },
    ],
  });
  return session;
}

interface WorldOptions {
  readonly quietHours?: Config['quietHours'];
  readonly desktop?: 'auto' | 'off';
  /** The clock on the wall. */
  readonly wallMs?: () => number;
}

/** A journal, a folder and the notices on them; a second `start` is a restarted daemon. */
export function noticeWorld(options: WorldOptions = {}) {
  const state = mkdtempSync(join(tmpdir(), 'outlast-notices-'));
  const journal = memoryJournal();
  const backoffs: number[] = [];
  const waits: number[] = [];
  const lines: string[] = [];
  const running: Notices[] = [];
  return {
    state,
    journal,
    backoffs,
    waits,
    lines,
    end: (ended?: Ended) => putEnded(journal, state, ended),
    start(...notices: NoticeConfig[]): Notices {
      const { quietHours, desktop = 'off' } = options;
      const describe = (id: SessionId) => fold(journal.session(id).events);
      const log = (line: string) => void lines.push(line);
      const started = startNotices({
        journal,
        clock: hastyClock(backoffs, waits, options.wallMs),
        config: { notices, state, announce: { shell: 'off', desktop }, quietHours },
        log,
        describe,
        actions: (_, ...call) => claudeActions(...call),
      });
      running.push(started);
      return started;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((one) => one.stop()));
      rmSync(state, { recursive: true, force: true });
    },
  };
}

/** The real clock, but the pauses between tries are recorded and cut short. */
function hastyClock(backoffs: number[], waits: number[], wallMs?: () => number): Clock {
  const real = realClock();
  // 60 seconds: the look for the end of the quiet hours.
  const isBackoff = (ms: number): boolean =>
    [60_000, 300_000].includes(ms) || (ms >= 1_000 && Number.isInteger(Math.log2(ms / 1_000)));
  return {
    ...real,
    ...(wallMs && { wallMs }),
    sleep(ms, signal) {
      (isBackoff(ms) ? backoffs : waits).push(ms);
      const isPause = ms > 2_500 && ms !== TIMEOUT_MS && ms !== DESKTOP_MS && ms < 10_000_000;
      return real.sleep(isBackoff(ms) || isPause ? 20 : ms, signal);
    },
  };
}

/** One notice as in the config. */
export function notice(name: string, route: Route, rest: Partial<NoticeConfig> = {}): NoticeConfig {
  return { name, on: ['ended'], triesMax: 8, timeoutMs: TIMEOUT_MS, gapMs: 0, quiet: false, route, ...rest };
}

/** One request as the server got it. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly notices: readonly NoticeItem[];
}

/** What a server answers: a status, or all of it. */
type Answer = number | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string };

/** A small HTTP server that stores what it is sent. `answer` returns the status, or null to never answer. */
export async function listen(answer: (count: number) => Answer | null = () => 200, port = 0) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const notices = request.headers['content-type'] === 'application/json' ? (JSON.parse(body).notices ?? []) : [];
      received.push({ path: request.url ?? '', headers: request.headers, body, notices });
      const said = answer(received.length);
      const {
        status = 200,
        headers = {},
        body: text = 'ok',
      } = typeof said === 'number' ? { status: said } : (said ?? {});
      if (said !== null) response.writeHead(status, { location: '/elsewhere', ...headers }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return {
    received,
    port: address.port,
    url: `http://127.0.0.1:${address.port}`,
    names: () => received.flatMap(({ notices }) => notices.map((item) => item.name)),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
