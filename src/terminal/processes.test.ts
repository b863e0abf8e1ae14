import { expect, test } from 'vitest';
import type { Identity, ProcessRow, ProcessTable } from './process-table.ts';
import { describe as describeProcess, isAlive, marked, members, parseIdentity } from './processes.ts';

const me = process.pid;

/** A process of a fake machine: its pid, its parent, and other properties. */
type Process = [pid: number, parent: number, more?: Partial<ProcessRow> & { mark?: string; words?: string }];

function machine(processes: readonly Process[], later: readonly Process[] = processes): ProcessTable {
  const row = ([pid, parent, more]: Process): ProcessRow => {
    const { mark: _, words: __, ...rest } = more ?? {};
    return { pid, parent, start: `s${pid}`, boot: 'now', group: 0, session: 0, zombie: false, ...rest };
  };
  const find = (pid: number): Process | undefined => processes.find((each) => each[0] === pid);
  return {
    boot: () => 'now',
    row: (pid) => later.map(row).find((each) => each.pid === pid) ?? null,
    rows: () => processes.map(row),
    markers: (pids) =>
      new Map(pids.flatMap((pid) => (find(pid)?.[2]?.mark ? [[pid, find(pid)?.[2]?.mark ?? '']] : []))),
    states: () => new Map(),
    pieces: () => [processes.map(([pid]) => pid)],
    words: (pid) => find(pid)?.[2]?.words ?? '',
  };
}

const root = (pid: number): Identity => ({ pid, start: `s${pid}`, boot: 'now' });
const pids = (found: readonly Identity[]): number[] => found.map((each) => each.pid).sort((a, b) => a - b);

test('an identity is read only when its line is finished', () => {
  expect(parseIdentity('12 345 boot\n')).toEqual({ pid: 12, start: '345', boot: 'boot' });
  for (const torn of ['', '12 345 boot', '12 345\n', '0 1 b\n', '-1 1 b\n', '12 345 boot\nmore\n']) {
    expect(parseIdentity(torn), torn).toBeNull();
  }
});

test('a process is alive only with the same start, in the same boot, and not as a zombie', () => {
  const table = machine([
    [50, 1],
    [60, 1, { zombie: true }],
  ]);
  expect(isAlive(root(50), table)).toBe(true);
  expect(isAlive({ ...root(50), start: 'other' }, table)).toBe(false);
  expect(isAlive({ ...root(50), boot: 'before' }, table)).toBe(false);
  expect(isAlive(root(60), table)).toBe(false);
  expect(isAlive(root(70), table)).toBe(false);
});

test('a run marker is compared as a whole', () => {
  const table = machine([
    [50, 1, { mark: 'a.1' }],
    [51, 1, { mark: 'a.11' }],
    [52, 1],
  ]);
  expect(marked('a.1', table)).toEqual([50]);
});

test('marked processes, their descendants, and what is in their groups and sessions belong to a run', () => {
  const table = machine([
    [50, 1, { mark: 'a.1', session: 50, group: 50 }],
    [51, 50],
    [52, 51],
    [53, 1, { session: 50 }],
    [54, 1, { group: 50 }],
    [99, 1],
  ]);
  expect(pids(members('a.1', [], table))).toEqual([50, 51, 52, 53, 54]);
});

test('a group or session that a member is in but does not lead belongs to another program', () => {
  const table = machine([
    [40, 1, { session: 40, group: 40 }],
    [50, 40, { mark: 'a.1', session: 40, group: 40 }],
    [41, 40, { session: 40, group: 40 }],
  ]);
  expect(pids(members('a.1', [], table))).toEqual([50]);
});

test('a root counts only as the very process that was recorded', () => {
  const table = machine([
    [50, 1],
    [51, 50],
  ]);
  expect(pids(members('a.1', [root(50)], table))).toEqual([50, 51]);
  expect(members('a.1', [{ ...root(50), start: 'before' }], table)).toEqual([]);
  expect(members('a.1', [{ ...root(50), boot: 'before' }], table)).toEqual([]);
});

test('another run inside a run is spared, with its children', () => {
  const table = machine([
    [50, 1, { mark: 'a.1' }],
    [51, 50, { mark: 'b.1' }],
    [52, 51, { mark: 'b.1' }],
    [53, 51],
  ]);
  expect(pids(members('a.1', [], table))).toEqual([50]);
});

test('this process, its ancestors and pid 1 are never members, whatever their markers say', () => {
  const table = machine([
    [1, 0, { mark: 'a.1' }],
    [30, 1, { mark: 'a.1' }],
    [me, 30, { mark: 'a.1' }],
    [50, me, { mark: 'a.1' }],
    [60, me],
  ]);
  expect(pids(members('a.1', [root(30)], table))).toEqual([50]);
});

test('a parent whose pid was reused during the scan makes no process a member', () => {
  const first: Process[] = [
    [50, 1, { mark: 'a.1' }],
    [51, 50],
    [52, 51],
  ];
  const later: Process[] = [
    [50, 1, { start: 'stranger' }],
    [51, 50],
    [52, 51],
  ];
  expect(members('a.1', [], machine(first, later))).toEqual([]);
});

test('zombies are not counted', () => {
  const table = machine([
    [50, 1, { mark: 'a.1' }],
    [51, 50, { zombie: true }],
  ]);
  expect(pids(members('a.1', [], table))).toEqual([50]);
});

test('a command line is shown as one short printable line', () => {
  const table = machine([[50, 1, { words: `sh\x1b[31m\nx${'y'.repeat(300)}` }]]);
  expect(describeProcess(50, table)).toMatch(/^sh \[31m xy+…$/);
  expect(describeProcess(50, table)).toHaveLength(200);
});
