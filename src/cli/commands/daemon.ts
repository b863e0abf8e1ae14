import { frozenText } from '../../client/frozen.ts';
import { type Outlast, OutlastError, stateFolder } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import { type Owner, ownerOf } from '../../client/owner.ts';
import { configLines } from '../../present/config-state.ts';
import { durationText } from '../../present/duration.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { countOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';
import { otelLine } from '../views/otel-line.ts';
import { spin } from '../views/spinner.ts';

const STOP_MS_MAX = 10_000;
const LOOK_MS = 20;
const LOG_LOOK_MS = 200;
const LOG_LINES = 200;

/** `outlast daemon start` */
export const start = command({
  name: 'daemon start',
  summary: 'Start the daemon.',
  usage: 'daemon start',
  words: { ...NO_WORDS, are: 'Not required: every command starts it when needed.' },
  options: {},
  examples: [['outlast daemon start', 'Does nothing if it is running.']],
  async run(context) {
    const status = await spin(context, 'starting the daemon', context.connect().daemonStatus());
    if (context.json) await context.print.json(status);
    else await context.print.line(`The daemon is running (pid ${status.pid}).`);
    return EXIT.fine;
  },
});

/** `outlast daemon stop` */
export const stop = command({
  name: 'daemon stop',
  summary: 'Stop the daemon; sessions keep running.',
  usage: 'daemon stop [OPTIONS]',
  words: NO_WORDS,
  options: {
    planned: { type: 'boolean', sentence: 'Planned shutdown: do not count lost sessions as crashes.' },
  },
  examples: [
    ['outlast daemon stop', 'Sessions keep running; the next daemon adopts them.'],
    ['outlast daemon stop --planned', 'Before a container or a machine is restarted.'],
  ],
  async run(context) {
    const { json, print, values } = context;
    // Only a daemon writes the mark for a planned shutdown, so it is started if it is not running.
    if (values.planned) await context.connect().daemonStatus();
    const { isStopped, live, pid } = await stopIt(context, values.planned);
    const going = live === null ? '' : goingText(live);
    if (json) await print.json({ stopped: isStopped, live, pid });
    else await print.line(isStopped ? `The daemon is stopped.${going}` : 'The daemon is not running.');
    return EXIT.fine;
  },
});

/** `outlast daemon restart` */
export const restart = command({
  name: 'daemon restart',
  summary: 'Stop the daemon and start it again; sessions keep running.',
  usage: 'daemon restart',
  words: { ...NO_WORDS, are: 'The new daemon runs the installed version and reads the config again.' },
  options: {},
  examples: [['outlast daemon restart', 'After an update or a config change.']],
  async run(context) {
    const { json, print } = context;
    const before = await stopIt(context, false);
    const status = await spin(context, 'starting the daemon', context.connect().daemonStatus());
    const going = before.live === null ? '' : goingText(before.live);
    if (json) await print.json({ ...status, previousPid: before.pid });
    else await print.line(`The daemon is running (pid ${status.pid}).${going}`);
    return EXIT.fine;
  },
});

interface Stopped {
  readonly isStopped: boolean;
  /** How many sessions were live; null: not known. */
  readonly live: number | null;
  readonly pid: number | null;
}

/** Stops the daemon, and waits until it is gone. */
async function stopIt(context: Context, planned: boolean): Promise<Stopped> {
  const outlast = context.connect({ start: false });
  const owner = ownerOf(stateFolder(context.env));
  const stopped = await unlessAway(outlast.stopDaemon({ planned }));
  if (stopped !== null) await spin(context, 'stopping the daemon', untilAway(context, outlast));
  const isEnded = stopped === null && (await spin(context, 'stopping the daemon', endSilent(context)));
  return { isStopped: stopped !== null || isEnded, live: stopped?.live ?? null, pid: owner?.pid ?? null };
}

function goingText(live: number): string {
  if (live === 0) return '';
  return ` ${live} ${live === 1 ? 'session keeps' : 'sessions keep'} running.`;
}

/** `outlast daemon status` */
export const status = command({
  name: 'daemon status',
  summary: 'Show daemon status.',
  usage: 'daemon status',
  words: { ...NO_WORDS, are: 'Exit status: 0 running, 1 running but not responding, 5 not running.' },
  options: {},
  examples: [['outlast daemon status', 'Does not start it.']],
  async run({ json, print, clock, env, connect }) {
    const seen = await unlessAway(connect({ start: false }).daemonStatus());
    const owner = seen === null ? ownerOf(stateFolder(env)) : null;
    if (owner !== null) {
      if (json) await print.json({ running: true, answers: false, pid: owner.pid, stopped: owner.isStopped });
      else await print.line(silentText(owner));
      return EXIT.failed;
    }
    if (json) await print.json(seen === null ? { running: false } : { running: true, answers: true, ...seen });
    else if (seen === null)
      await print.line('The daemon is not running. It starts with the first command that needs it.');
    else {
      const since = durationText(clock.wallMs() - seen.startedAtMs);
      const megabytes = Math.round(seen.rssBytes / 2 ** 20);
      await print.line(`The daemon ${seen.version} has been running for ${since} (pid ${seen.pid}).`);
      await print.line(
        `${seen.live} of ${seen.sessions} sessions are live, ${megabytes} MB, journal at ${seen.position} in ` +
          `${seen.state}.`,
      );
      if (seen.away !== null) await print.line(awayLine(seen.away));
      if (seen.config !== undefined) for (const line of configLines(seen.config)) await print.line(oneLine(line));
      if (seen.interrupted !== null) await print.line(`${seen.interrupted}.`);
      for (const notice of seen.notices) {
        const failed = notice.failed > 0 ? `, ${notice.failed} failed (${notice.lastError ?? 'unknown'})` : '';
        await print.line(`Notice ${notice.name}: ${notice.behind} events behind${failed}.`);
      }
      if (seen.otel) await print.line(oneLine(otelLine(seen.otel)));
    }
    return seen === null ? EXIT.nobody : EXIT.fine;
  },
});

/** `outlast daemon wake` */
export const wake = command({
  name: 'daemon wake',
  summary: 'Notify the daemon that the machine woke up.',
  usage: 'daemon wake',
  words: { ...NO_WORDS, are: 'It notices by itself within a second; a system hook may be faster.' },
  options: {},
  examples: [['outlast daemon wake', 'Running it twice is harmless.']],
  async run({ json, print, clock, connect }) {
    const woke = await connect().wake();
    if (json) await print.json(woke);
    else if (!woke.new) await print.line('The daemon already knows.');
    else
      await print.line(
        `The machine was asleep or off for ${durationText(clock.wallMs() - (woke.fromMs ?? woke.toMs))}.`,
      );
    return EXIT.fine;
  },
});

/** `outlast daemon logs` */
export const logs = command({
  name: 'daemon logs',
  summary: 'Print the daemon log.',
  usage: 'daemon logs [OPTIONS]',
  words: NO_WORDS,
  options: {
    follow: { type: 'boolean', short: 'f', sentence: 'Keep following new output.' },
    tail: { type: 'string', value: 'N', sentence: 'Only the last N lines.', otherwise: String(LOG_LINES) },
  },
  examples: [['outlast daemon logs --follow', 'Also works if the daemon is dead.']],
  async run({ values, json, print, env, clock }) {
    const file = path.join(stateFolder(env), 'daemon.log');
    const text = readFrom(file, 0);
    const lines = text
      .toString('utf8')
      .split('\n')
      .slice(-1 - (countOf('--tail', values.tail) ?? LOG_LINES));
    if (json) await print.json({ file, lines: lines.filter((line) => line !== '') });
    else await print.text(lines.join('\n'));
    for (let from = text.length; values.follow; ) {
      await clock.sleep(LOG_LOOK_MS);
      const more = readFrom(file, from);
      from += more.length;
      if (more.length > 0) await print.text(more.toString('utf8'));
    }
    return EXIT.fine;
  },
});

function awayLine({ kind, planned, fromMs, toMs }: NonNullable<Status['away']>): string {
  const what = kind === 'boot' ? `The machine was restarted${planned ? ', as planned' : ''}` : 'The machine slept';
  const away = fromMs === null ? '' : `, down for ${durationText(Math.max(0, toMs - fromMs))}`;
  return `${what}: detected at ${new Date(toMs).toISOString()}${away}.`;
}

type Status = Awaited<ReturnType<Outlast['daemonStatus']>>;

async function unlessAway<T>(asked: Promise<T>): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof OutlastError && error.code === 'daemon_unreachable') return null;
    throw error;
  }
}

/** The status of a daemon that has the lock and does not answer. */
function silentText({ pid, isStopped }: Owner): string {
  if (isStopped) return `The daemon (pid ${pid}) is suspended. Continue it with: kill -CONT ${pid}`;
  return `The daemon (pid ${pid}) does not respond: it is starting or stopping.`;
}

/** Ends a daemon that has the lock and cannot be asked to end. False when there is none. */
async function endSilent({ env, clock }: Context): Promise<boolean> {
  const state = stateFolder(env);
  const owner = ownerOf(state);
  if (owner === null) return false;
  // A stopped process handles no request, and killing it is a person's decision.
  if (owner.isStopped) throw new OutlastError('daemon_unreachable', frozenText(owner.pid));
  process.kill(owner.pid, 'SIGTERM');
  const deadlineMs = clock.steadyMs() + STOP_MS_MAX;
  while (ownerOf(state)?.pid === owner.pid) {
    if (clock.steadyMs() > deadlineMs)
      throw new OutlastError(
        'timed_out',
        `stopping the daemon: pid ${owner.pid} is still running after ${STOP_MS_MAX / 1000} s`,
      );
    await clock.sleep(LOOK_MS);
  }
  return true;
}

async function untilAway({ clock }: Pick<Context, 'clock'>, outlast: Outlast): Promise<void> {
  const deadlineMs = clock.steadyMs() + STOP_MS_MAX;
  // A daemon that accepts no new connections may still answer a kept one: connect again each time.
  for (outlast.close(); (await unlessAway(outlast.daemonStatus())) !== null; outlast.close()) {
    if (clock.steadyMs() > deadlineMs)
      throw new OutlastError('timed_out', `stopping the daemon: it still responds after ${STOP_MS_MAX / 1000} s`);
    await clock.sleep(LOOK_MS);
  }
}

function readFrom(file: string, from: number): Buffer {
  try {
    return fs.readFileSync(file).subarray(from);
  } catch {
    return Buffer.alloc(0);
  }
}
