import { request } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { run } from '../../base/spawn.ts';
import { PROGRAM_PATH } from '../../terminal/programs.ts';
import type { Env } from '../config/config.ts';

export interface NotifyParts {
  readonly env: Env;
  readonly clock: Clock;
  readonly log: Log;
  /** The daemon's own socket. */
  readonly socket: string;
}

/** What a service manager is told. Without one that asked, nothing is. */
export interface ServiceNotices {
  /** It is not ready, and that is no fault. */
  waiting(): Promise<void>;
  ready(): Promise<void>;
  stopping(): Promise<void>;
  stop(): Promise<void>;
}

/** Longer than this no caller would wait either. */
const ANSWER_MS_MAX = 5_000;
const SEND_MS_MAX = 5_000;
/** Until it is said again. */
const WAIT_USEC = 60_000_000;

/**
 * Tells systemd how we are, in its own words. Node cannot send what its socket takes, so its own small program does.
 * The watchdog hears of us only after a request to our own socket was answered as a caller's would be.
 */
export function serviceNotices(parts: NotifyParts): ServiceNotices {
  const { env } = parts;
  const stopping = new AbortController();
  const isAsked = Boolean(env.NOTIFY_SOCKET);
  let watching = Promise.resolve();
  return {
    async waiting() {
      if (isAsked) await send(parts, `EXTEND_TIMEOUT_USEC=${WAIT_USEC}`, 'STATUS=Another daemon runs');
    },
    async ready() {
      if (!isAsked) return;
      await send(parts, 'READY=1', `STATUS=Serves ${parts.socket}`);
      watching = watch(parts, everyMs(env), stopping.signal);
    },
    async stopping() {
      if (isAsked) await send(parts, 'STOPPING=1');
    },
    stop() {
      stopping.abort();
      return watching;
    },
  };
}

/** How often the watchdog must hear of us: three times in its time. null: it does not watch, or somebody else. */
export function everyMs({ WATCHDOG_USEC, WATCHDOG_PID }: Env, pid = process.pid): number | null {
  const usec = Number(WATCHDOG_USEC);
  const isOurs = !WATCHDOG_PID || Number(WATCHDOG_PID) === pid;
  return isOurs && Number.isFinite(usec) && usec > 0 ? usec / 1_000 / 3 : null;
}

async function watch(parts: NotifyParts, ms: number | null, stopping: AbortSignal): Promise<void> {
  while (ms !== null && !stopping.aborted) {
    if (await isAnswering(parts)) await send(parts, 'WATCHDOG=1');
    else parts.log('our own socket does not answer: the watchdog is not told', { socket: parts.socket });
    await parts.clock.sleep(ms, stopping);
  }
}

async function isAnswering({ socket, clock }: NotifyParts): Promise<boolean> {
  const over = new AbortController();
  const late = clock.sleep(ANSWER_MS_MAX, over.signal).then(() => false);
  const answered = new Promise<boolean>((resolve) => {
    const asked = request({ socketPath: socket, path: '/daemon', agent: false, signal: over.signal }, (response) => {
      response.resume();
      response.on('close', () => resolve(response.complete && response.statusCode === 200));
    });
    asked.on('error', () => resolve(false));
    asked.end();
  });
  const isFine = await Promise.race([answered, late]);
  over.abort();
  return isFine;
}

async function send({ env, clock, log }: NotifyParts, ...words: string[]): Promise<void> {
  const { NOTIFY_SOCKET = '', PATH = PROGRAM_PATH } = env;
  const ran = await run(['systemd-notify', ...words], { clock, env: { NOTIFY_SOCKET, PATH }, msMax: SEND_MS_MAX });
  if (ran.end === 'exited' && ran.status === 0) return;
  const why = ran.end === 'exited' ? ran.stderr.trim() : ran.end === 'unstarted' ? `${ran.end} ${ran.errno}` : ran.end;
  log('the service manager could not be told', { words, why });
}
