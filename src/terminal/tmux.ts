import { existsSync, rmSync } from 'node:fs';
import { relative } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { writeWhole } from '../base/files.ts';
import { LIMITS } from '../base/limits.ts';
import type { Launch } from '../core/launch.ts';
import type { Size } from '../core/session.ts';
import type { TerminalSnapshot } from '../core/snapshot.ts';
import { lookAtRun } from './look.ts';
import type { Programs } from './programs.ts';
import { type RunFolder, runFolder } from './run-folder.ts';
import type { StyledScreen, StyledWish } from './styled.ts';
import type { Attach, RunRef, Screen, Terminal } from './terminal.ts';
import { tmuxEnvironment } from './tmux-ask.ts';
import { forgetRecord, prepareRun, readRecord, tmuxName, writeRecord } from './tmux-open.ts';
import { type Pane, TmuxServers } from './tmux-server.ts';
import { forgetSink, isDrained, lookAtSink, sinkLine } from './tmux-sink.ts';
import { captureStyled, titleOf } from './tmux-styled.ts';
import { inputClosed, writeToPane } from './tmux-write.ts';
import { keepSize, lastScreen, lastStyled, sizeOf } from './tty.ts';

/** What the `tmux` terminal is given at start-up. `programs` must have been installed with tmux.conf. */
export interface TmuxWorld {
  readonly state: string;
  readonly programs: Programs;
  readonly clock: Clock;
  /** Where PATH, HOME and the locale of our servers come from. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly sessionsMax?: number;
}

interface Inside extends TmuxWorld {
  readonly servers: TmuxServers;
  /** When a capture last showed a session without clients, by its name. */
  readonly unattendedAtMs: Map<string, number>;
}

const DETACH = 'Ctrl-b d';
const CLAIM_MS_MAX = 10_000;
const AGAIN_MS = 5;
/** A capture this recent also answers whether anybody is attached: every look asks for both. */
const UNATTENDED_MS = 50;

/** A terminal in tmux: on servers of our own, which run without a daemon and to which a person can attach. */
export function tmux(world: TmuxWorld): Terminal {
  const { state, clock } = world;
  const conf = world.programs.path('tmux.conf');
  assert(existsSync(conf), 'tmux.conf is installed');
  const env = tmuxEnvironment(world.env ?? {});
  const sessionsMax = world.sessionsMax ?? LIMITS.tmuxSessionsMax;
  const servers = new TmuxServers({ state, conf, clock, env, sessionsMax });
  const inside: Inside = { ...world, servers, unattendedAtMs: new Map() };
  return {
    kind: 'tmux',
    open: (ref, launch, size) => open(inside, ref, launch, size),
    look: (ref) => look(inside, ref),
    screen: (ref) => screen(inside, ref),
    styled: (ref, wish) => styled(inside, ref, wish),
    write: async (ref, input) => writeToPane(inside.servers, await livePane(inside, ref), input),
    resize: (ref, size) => resize(inside, ref, size),
    repairOutput: (ref) => repairOutput(inside, ref),
    release: (ref) => release(inside, ref),
    attach: (ref, readOnly = false) => attach(inside, ref, readOnly),
    viewers: (ref) => viewers(inside, ref),
  };
}

function find(inside: Inside, ref: RunRef, age: 'shared' | 'fresh'): Promise<Pane | null | 'unknown'> {
  return inside.servers.pane(tmuxName(ref), { ...readRecord(runFolder(inside.state, ref)), age });
}

async function open(inside: Inside, ref: RunRef, launch: Launch, size: Size): Promise<void> {
  const files = runFolder(inside.state, ref);
  if (existsSync(files.claim)) return;
  const before = await find(inside, ref, 'shared');
  // Dead without a claim: its launcher never began.
  if (before !== null && before !== 'unknown' && before.dead) await kill(inside, ref, before);
  const session = prepareRun(inside, ref, launch, size);
  writeRecord(files, session.name, await inside.servers.open(session));
  const deadlineMs = inside.clock.steadyMs() + CLAIM_MS_MAX;
  while (!existsSync(files.claim) && inside.clock.steadyMs() < deadlineMs) await inside.clock.sleep(AGAIN_MS);
}

async function look(inside: Inside, ref: RunRef): Promise<TerminalSnapshot> {
  const { state, clock } = inside;
  const snapshot = lookAtRun(state, ref, { clock, drained: existsSync(runFolder(state, ref).drained) });
  if (snapshot.is === 'alive') {
    const sink = await sinkOf(inside, ref);
    // A failure may only mean that the run ended in the meantime.
    return sink === 'ok' ? snapshot : lookAtRun(state, ref, { clock, sink, drained: false });
  }
  if (snapshot.is !== 'dead' || snapshot.drained) return snapshot;
  const pane = await find(inside, ref, 'fresh');
  const drained = pane !== null && pane !== 'unknown' && pane.dead && (await isDrainedPane(inside, ref, pane));
  return lookAtRun(state, ref, { clock, drained, terminalGone: pane === null });
}

function isDrainedPane({ state, clock, servers }: Inside, ref: RunRef, { server }: Pane): Promise<boolean> {
  const turn = async (): Promise<boolean> => (await servers.ask(server, ['display-message', '-p', ''])).is === 'done';
  return isDrained(runFolder(state, ref), clock, turn);
}

/** A failure is confirmed with a fresh look: the pane may be newer than the shared list. */
async function sinkOf(inside: Inside, ref: RunRef): Promise<'ok' | 'broken' | 'cut'> {
  const files = runFolder(inside.state, ref);
  const seen = sinkOfPane(await find(inside, ref, 'shared'), files);
  return seen === 'ok' ? seen : sinkOfPane(await find(inside, ref, 'fresh'), files);
}

function sinkOfPane(pane: Pane | null | 'unknown', files: RunFolder): 'ok' | 'broken' | 'cut' {
  if (pane === 'unknown') return 'ok'; // A server that does not answer may be busy; that alone is not a failure.
  if (pane === null || pane.dead) return 'cut';
  return pane.piped && lookAtSink(files) !== 'gone' && !existsSync(files.torn) ? 'ok' : 'broken';
}

async function livePane(inside: Inside, ref: RunRef): Promise<Pane> {
  const pane = await find(inside, ref, 'fresh');
  const name = tmuxName(ref);
  if (pane === 'unknown') throw new OutlastError('terminal_failed', `the tmux server of ${name} does not answer`);
  if (pane === null) throw inputClosed(name, 'its tmux server or session is gone');
  if (pane.dead) throw inputClosed(name, 'its process has ended');
  return pane;
}

async function resize(inside: Inside, ref: RunRef, size: Size): Promise<void> {
  const pane = await livePane(inside, ref);
  const args = ['resize-window', '-t', pane.id, '-x', String(size.columns), '-y', String(size.rows)];
  const answer = await inside.servers.ask(pane.server, args);
  const words = `${size.columns}x${size.rows}`;
  if (answer.is !== 'done')
    throw new OutlastError('terminal_failed', `cannot resize ${pane.session} to ${words}: ${answer.why}`);
  await inside.servers.ask(pane.server, giveBack(pane.session, size));
  keepSize(runFolder(inside.state, ref), size);
}

async function repairOutput(inside: Inside, ref: RunRef): Promise<void> {
  const files = runFolder(inside.state, ref);
  const pane = await find(inside, ref, 'fresh');
  rmSync(files.torn, { force: true });
  if (pane === null || pane === 'unknown' || sinkOfPane(pane, files) !== 'broken') return;
  forgetSink(files);
  const line = sinkLine(relative(inside.state, files.folder));
  const answer = await inside.servers.ask(pane.server, ['pipe-pane', '-O', '-t', pane.id, line]);
  // The next look finds out whether it is repaired; a pane that died in the meantime needs no repair.
  if (answer.is === 'stuck') throw new OutlastError('terminal_failed', answer.why);
}

async function screen(inside: Inside, ref: RunRef): Promise<Screen> {
  const pane = await find(inside, ref, 'shared');
  const shown = pane !== null && pane !== 'unknown' ? await capture(inside, pane) : null;
  return shown ?? lastScreen(inside.state, ref);
}

async function styled(inside: Inside, ref: RunRef, wish: StyledWish): Promise<StyledScreen> {
  const pane = await find(inside, ref, 'shared');
  const shown = pane !== null && pane !== 'unknown' ? await captureStyled(inside.servers, pane, wish) : null;
  return shown ?? lastStyled(inside.state, ref, wish);
}

async function capture({ servers, clock, unattendedAtMs }: Inside, pane: Pane): Promise<Screen | null> {
  const format = '#{session_attached} #{cursor_y} #{cursor_x} #{pane_width} #{host} #{pane_title}';
  const askedAtMs = clock.steadyMs();
  const args = ['display-message', '-p', '-t', pane.id, format, ';', 'capture-pane', '-p', '-t', pane.id];
  const answer = await servers.ask(pane.server, args);
  if (answer.is !== 'done') return null;
  const [head = '', ...rows] = answer.text.replace(/\n$/, '').split('\n');
  const [attached = '', row = '', column = '', columns = '', host = '', ...title] = head.split(' ');
  if (attached === '0') unattendedAtMs.set(pane.session, askedAtMs);
  else unattendedAtMs.delete(pane.session);
  return {
    rows: rows.map((text) => text.trimEnd()),
    columns: Number(columns),
    cursor: { row: Number(row), column: Number(column) },
    title: titleOf(title.join(' '), host),
  };
}

async function release(inside: Inside, ref: RunRef): Promise<void> {
  const files = runFolder(inside.state, ref);
  const pane = await find(inside, ref, 'fresh');
  if (pane === 'unknown')
    throw new OutlastError('terminal_failed', `the tmux server of ${tmuxName(ref)} does not answer`);
  if (pane === null) return forgetRecord(files);
  await look(inside, ref); // The last chance to prove that the output is complete.
  const last = await captureStyled(inside.servers, pane, { above: 0, skip: 0, now: false });
  if (last !== null) writeWhole(files.screen, JSON.stringify(last));
  await kill(inside, ref, pane);
  inside.unattendedAtMs.delete(tmuxName(ref));
  forgetRecord(files);
}

async function kill({ servers }: Inside, ref: RunRef, pane: Pane): Promise<void> {
  // A server without sessions ends by itself.
  const answer = await servers.ask(pane.server, ['kill-session', '-t', `=${tmuxName(ref)}`]);
  if (answer.is === 'stuck') throw new OutlastError('terminal_failed', answer.why);
}

async function attach(inside: Inside, ref: RunRef, readOnly: boolean): Promise<Attach> {
  const pane = await find(inside, ref, 'fresh');
  if (pane === null || pane === 'unknown') {
    const why = pane === null ? 'it is gone, only its output remains' : 'its server does not answer';
    throw new OutlastError('not_supported', `cannot attach to the tmux session ${tmuxName(ref)}: ${why}`);
  }
  if (!readOnly) await lendSize(inside, ref, pane);
  // Without TMUX, a person inside another tmux can attach too.
  const door = ['tmux', '-S', inside.servers.socket(pane.server)];
  const how = ['attach-session', ...(readOnly ? ['-r'] : []), '-t', `=${tmuxName(ref)}`];
  return { argv: ['env', '-u', 'TMUX', ...door, ...how], detach: DETACH };
}

/** The window takes the size of the person's terminal, until the last viewer has left. */
async function lendSize({ state, servers }: Inside, ref: RunRef, { server, session }: Pane): Promise<void> {
  const latest = ['set-option', '-w', '-t', `=${session}:`, 'window-size', 'latest'];
  await servers.ask(server, [...giveBack(session, await sizeOf(state, ref)), ';', ...latest]);
}

/** The server command for when a viewer leaves: it gives the window the size of the run again. */
function giveBack(session: string, { columns, rows }: Size): string[] {
  const resize = `resize-window -t =${session}: -x ${columns} -y ${rows}`;
  return ['set-hook', '-t', `=${session}:`, 'client-detached', `if-shell -F '#{session_attached}' '' '${resize}'`];
}

/** We are never a client ourselves: every client is a person, also one in control mode. */
async function viewers(inside: Inside, ref: RunRef): Promise<number> {
  const unattendedAtMs = inside.unattendedAtMs.get(tmuxName(ref)) ?? Number.NEGATIVE_INFINITY;
  if (inside.clock.steadyMs() < unattendedAtMs + UNATTENDED_MS) return 0;
  const server = readRecord(runFolder(inside.state, ref)).server ?? (await serverOf(inside, ref));
  if (server === null) return 0;
  const question = ['list-clients', '-t', `=${tmuxName(ref)}`, '-F', '#{client_readonly}'];
  const answer = await inside.servers.ask(server, question);
  if (answer.is === 'stuck') throw new OutlastError('terminal_failed', answer.why);
  return answer.is === 'done' ? answer.text.split('\n').filter((line) => line === '0').length : 0;
}

async function serverOf(inside: Inside, ref: RunRef): Promise<number | null> {
  const pane = await find(inside, ref, 'fresh');
  if (pane === 'unknown')
    throw new OutlastError('terminal_failed', `the tmux server of ${tmuxName(ref)} does not answer`);
  return pane?.server ?? null;
}
