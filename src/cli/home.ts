import { connect, type Outlast, type SessionView } from '../client/index.ts';
import { durationText } from '../present/duration.ts';
import { endedBadly, listedNameOf } from '../present/state.ts';
import { oneLine, type Print } from './base/print.ts';
import type { World } from './run.ts';
import { ageOf, commandOf, cut, type Paint, stateOf, stateStyle, tableOf } from './views/view.ts';

type Listed = SessionView & { readonly short?: string | undefined };

/** A greeting must not wait for a daemon that hangs. */
const PATIENCE_MS = 2_000;
const RUNNING_MAX = 10;
const NEEDS_MAX = 5;
const BAD_MAX = 3;
const BAD_MS = 24 * 3_600_000;
const STATE_COLUMNS_MAX = 32;
const SESSIONS_MAX = 200;

/** What runs, what needs a person, and what to type next; null when no daemon answers. Starts none. */
export async function home({ env, clock, print }: World): Promise<string | null> {
  const outlast = connect({ env, start: false });
  const patience = new AbortController();
  void clock.sleep(PATIENCE_MS).then(() => patience.abort());
  try {
    return pageOf(await everything(outlast, patience.signal), print, clock.wallMs());
  } catch {
    // The help is a better greeting than an error; every command says what is wrong with the daemon.
    return null;
  } finally {
    outlast.close();
  }
}

interface Everything {
  readonly live: readonly Listed[];
  readonly ended: readonly Listed[];
  readonly interrupted: string | null;
}

async function everything(outlast: Outlast, signal: AbortSignal): Promise<Everything> {
  const [live, ended, daemon] = await Promise.all([
    outlast.list({ state: 'live', limit: SESSIONS_MAX }, signal),
    outlast.list({ state: 'ended', limit: 20 }, signal),
    outlast.daemonStatus(signal),
  ]);
  return { live: live.sessions, ended: ended.sessions, interrupted: daemon.interrupted };
}

/** The page, for a terminal of any width. */
export function pageOf({ live, ended, interrupted }: Everything, print: Print, nowMs: number): string {
  const needs = live.filter((each) => needOf(each) !== null);
  const others = live.filter((each) => needOf(each) === null);
  const bad = ended.filter((each) => isFailure(each) && nowMs - (each.endedAtMs ?? 0) < BAD_MS).slice(0, BAD_MAX);
  const next = nextSteps(needs, live, bad);
  const sections = [
    [headOf(needs.length, others)],
    section('Needs you', needRows(needs), print),
    section('Running', runningRows(others, nowMs), print, stylesOf(others, print)),
    section('Ended badly', badRows(bad, nowMs), print, stylesOf(bad, print)),
    interrupted === null ? [] : [`${oneLine(interrupted)}. See: outlast boot --dry-run`],
    section('Next', next, print),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

/** A session that a person stopped is no news to that person. */
function isFailure(session: Listed): boolean {
  const isStopped = session.outcome?.kind === 'stopped' && session.outcome.bound === undefined;
  return endedBadly(session) && !isStopped;
}

/** Each session is counted once: those that need somebody, and the others by what they do. */
function headOf(needs: number, others: readonly Listed[]): string {
  const count = needs + others.length;
  if (count === 0) return 'Nothing is running.';
  const working = others.filter(({ phase }) => !['idle', 'queued', 'held', 'limited'].includes(phase)).length;
  const parts = [
    [needs, needs === 1 ? 'needs you' : 'need you'],
    [working, 'working'],
    [others.filter(({ phase }) => phase === 'limited').length, 'waiting for a limit'],
    [others.filter(({ phase }) => phase === 'queued').length, 'queued'],
    [others.filter(({ phase }) => phase === 'idle').length, 'idle'],
  ] as const;
  const told = parts.filter(([many]) => many > 0).map(([many, what]) => `${many} ${what}`);
  return `${count} ${count === 1 ? 'session' : 'sessions'}: ${told.join(', ')}.`;
}

/** What a person has to do for this session: why, and the command. */
function needOf(session: Listed): { readonly why: string; readonly command: string } | null {
  const name = listedNameOf(session);
  const { approvals, phase, hold } = session;
  if (approvals > 0) {
    const why = approvals === 1 ? '1 tool call waits for approval' : `${approvals} tool calls wait for approval`;
    return { why, command: `outlast approvals ${name} --review` };
  }
  if (session.prompts.some(({ state }) => state === 'unsure'))
    return { why: 'it is not known whether a prompt arrived', command: `outlast show ${name}` };
  if (phase !== 'held') return null;
  return { why: stateOf(session), command: `outlast ${hold?.helps === 'resume' ? 'resume' : 'attach'} ${name}` };
}

function needRows(needs: readonly Listed[]): string[][] {
  const rows = needs.slice(0, NEEDS_MAX).map((each) => {
    const need = needOf(each);
    return [listedNameOf(each), cut(need?.why ?? '', STATE_COLUMNS_MAX), need?.command ?? ''];
  });
  return [...rows, ...moreRow(needs.length - NEEDS_MAX, 'outlast list --live')];
}

function runningRows(sessions: readonly Listed[], nowMs: number): string[][] {
  const rows = sessions
    .slice(0, RUNNING_MAX)
    .map((each) => [
      listedNameOf(each),
      cut(stateOf(each, nowMs), STATE_COLUMNS_MAX),
      ageOf(each, nowMs),
      commandOf(each),
    ]);
  return [...rows, ...moreRow(sessions.length - RUNNING_MAX, 'outlast list --live')];
}

function badRows(sessions: readonly Listed[], nowMs: number): string[][] {
  return sessions.map((each) => [
    listedNameOf(each),
    cut(stateOf(each, nowMs), STATE_COLUMNS_MAX),
    `${durationText(nowMs - (each.endedAtMs ?? nowMs))} ago`,
    commandOf(each),
  ]);
}

function moreRow(count: number, command: string): string[][] {
  return count > 0 ? [[`and ${count} more: ${command}`]] : [];
}

function nextSteps(needs: readonly Listed[], live: readonly Listed[], bad: readonly Listed[]): string[][] {
  const [first] = live.filter((each) => needOf(each) === null);
  const [worst] = bad;
  const isTalk = first !== undefined && first.drive !== 'command';
  const name = first === undefined ? '' : listedNameOf(first);
  return [
    ...(needs.some(({ approvals }) => approvals > 0) ? [['outlast approvals --review', 'decide with a key']] : []),
    ...(first === undefined ? [] : [[`outlast logs ${name} --follow`, 'follow what it does']]),
    ...(isTalk ? [[`outlast converse ${name} "…"`, 'ask it, and print the reply']] : []),
    ...(worst === undefined ? [] : [[`outlast report ${listedNameOf(worst)}`, 'why it ended']]),
    ...(live.length > 0 ? [] : [['outlast run "fix the tests"', 'run an agent, and print its reply']]),
    ...(live.length > 0 ? [] : [['outlast exec -- npm test', 'run a command that survives this terminal']]),
    ['outlast help', 'all commands'],
  ];
}

function section(title: string, rows: readonly string[][], print: Print, paint?: Paint): string[] {
  if (rows.length === 0) return [];
  const lines = tableOf(
    rows.map(([first = '', ...rest]) => [`  ${first}`, ...rest]),
    print.stdout.columns,
    paint,
  );
  return [print.style('bold', title), ...lines];
}

function stylesOf(sessions: readonly Listed[], print: Print): Paint {
  return (cell, row, column) => {
    const each = column === 1 ? sessions[row] : undefined;
    return each === undefined ? cell : print.style(stateStyle(each), cell);
  };
}
