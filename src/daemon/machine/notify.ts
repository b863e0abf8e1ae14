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

/** Messages to the service manager. Without one that asked for them, nothing is sent. */
export interface ServiceNotices {
  /** Not ready yet, for a reason that is not a failure. */
  waiting(): Promise<void>;
  ready(): Promise<void>;
  stopping(): Promise<void>;
  stop(): Promise<void>;
}

/** No caller would wait longer either. */
const ANSWER_MS_MAX = 5_000;
const SEND_MS_MAX = 5_000;
/** How long systemd waits after each such message. */
const WAIT_USEC = 60_000_000;

/**
 * Sends our status to systemd, in its own protocol. Node cannot write to such a socket, so systemd-notify does.
 * The watchdog is notified only after our own socket has answered a request like that of a caller.
 */
export function serviceNotices(parts: NotifyParts): ServiceNotices {
  const { env } = parts;
  const stopping = new AbortController();
  const isAsked = Boolean(env.NOTIFY_SOCKET);
  let watching = Promise.resolve();
  return {
    async waiting() {
      if (isAsked) await send(parts, `EXTEND_TIMEOUT_USEC=${WAIT_USEC}`, 'STATUS=Another daemon is running');
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

/** How often the watchdog is notified: three times per timeout. null: it is off, or watches another process. */
export function everyMs({ WATCHDOG_USEC, WATCHDOG_PID }: Env, pid = process.pid): number | null {
  const usec = Number(WATCHDOG_USEC);
  const isOurs = !WATCHDOG_PID || Number(WATCHDOG_PID) === pid;
  return isOurs && Number.isFinite(usec) && usec > 0 ? usec / 1_000 / 3 : null;
}

async function watch(parts: NotifyParts, ms: number | null, stopping: AbortSignal): Promise<void> {
  while (ms !== null && !stopping.aborted) {
    if (await isAnswering(parts)) await send(parts, 'WATCHDOG=1');
    else parts.log('our own socket does not answer: the watchdog is not notified', { socket: parts.socket });
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
  log('the service manager could not be notified', { words, why });
}
