import { expect, test } from 'vitest';
import type { SessionView } from '../../api/shapes.ts';
import { closest } from '../../base/closest.ts';
import { anAgent, aSession } from '../../testing/session-view.ts';
import { execStatus } from '../base/exit.ts';
import { harmless, oneLine } from '../base/print.ts';
import { narrowed } from '../commands/list.ts';
import { pollText } from '../commands/process-read.ts';
import { commandOf, hadEnded, stateOf, tableOf } from './view.ts';
import { waitStatus } from './wait-status.ts';

const working = aSession({ createdAtMs: 0, pid: 42, background: true });

const ended = (kind: 'done' | 'stopped' | 'abandoned', status: number | null, by?: string): SessionView => ({
  ...working,
  phase: 'ended',
  exit:
    status === null
      ? null
      : { status, text: status > 128 ? `signal ${status - 128} (or exit ${status})` : `exit ${status}` },
  outcome: {
    kind,
    ...(by === undefined ? {} : { by, ...(by === 'timeout' ? { bound: by } : {}) }),
    ...(kind === 'abandoned' ? { why: 'lost' } : {}),
  },
});

test.each([
  [ended('done', 0), 0],
  [ended('done', 7), 7],
  [ended('done', 127), 127],
  [ended('done', null), 125],
  [ended('stopped', 143, 'timeout'), 124],
  [ended('stopped', 137, 'caller'), 137],
  [ended('stopped', 0, 'caller'), 143],
  [ended('abandoned', null), 125],
  [ended('abandoned', 126), 126],
])('exec of a session that %j ends with its status', (session, status) => {
  expect(execStatus(session)).toBe(status);
});

test('the exit status of a wait tells its result', () => {
  expect(waitStatus({ met: 'exit', session: ended('done', 0) })).toBe(0);
  expect(waitStatus({ met: 'exit', session: ended('done', 1) })).toBe(8);
  expect(waitStatus({ met: 'exit', session: ended('stopped', 0, 'caller') })).toBe(8);
  expect(waitStatus({ met: 'exit', session: ended('abandoned', null) })).toBe(8);
  expect(waitStatus({ met: 'text', session: working })).toBe(0);
  expect(waitStatus({ met: 'idle-output', session: working })).toBe(0);
  expect(waitStatus({ met: 'nothing', session: working })).toBe(6);
  expect(waitStatus({ met: 'nothing', session: { ...working, phase: 'held', held: 'login' } })).toBe(7);
  expect(waitStatus({ met: 'nothing', session: ended('done', 0) })).toBe(8);
});

test('a session is described by its state or its outcome', () => {
  const all = [
    working,
    ended('done', 7),
    ended('done', 137),
    ended('stopped', 143, 'timeout'),
    ended('stopped', 143, 'caller'),
    ended('abandoned', null),
  ];
  expect(all.map(stateOf)).toEqual([
    'working',
    'exit 7',
    'signal 9 (or exit 137)',
    'timed out',
    'stopped by you',
    'abandoned: lost',
  ]);
  expect(stateOf({ ...working, phase: 'held', held: 'journal unreadable at 5' })).toBe('held: journal unreadable at 5');
});

test('a poll prints what is missing first, then the text, then the state', () => {
  const notices = ['[earlier output was discarded]'];
  expect(pollText({ notices, text: 'abc\n', session: working })).toBe(
    '[earlier output was discarded]\nabc\n\nProcess still running.',
  );
  expect(pollText({ notices: [], text: '', session: working })).toBe('(no new output)\n\nProcess still running.');
  expect(pollText({ notices: [], text: 'x', session: ended('done', 7) })).toBe('x\n\nProcess exited with code 7.');
  expect(pollText({ notices: [], text: 'x', session: ended('done', 137) })).toBe(
    'x\n\nProcess exited with signal 9 (or exit 137).',
  );
  expect(pollText({ notices: [], text: 'x', session: ended('abandoned', null) })).toBe(
    'x\n\nProcess exited with unknown exit code.',
  );
  expect(pollText({ notices: [], text: '', session: ended('stopped', 0, 'timeout') })).toMatch(
    /Process timed out\.\nThe command was terminated/,
  );
});

test('columns are aligned, and a line is cut to the width of the terminal', () => {
  expect(
    tableOf(
      [
        ['a', 'b', 'c'],
        ['long', 'x', 'y'],
      ],
      80,
    ),
  ).toEqual(['a     b  c', 'long  x  y']);
  expect(tableOf([['abc', 'a long command line']], 12)).toEqual(['abc  a long…']);
});

test('columns are aligned by their width on the terminal', () => {
  const rows = [
    ['世界', 'b', 'c'],
    ['👩‍👩‍👧', 'x', 'y'],
    ['long', 'x', '世界世界'],
  ];
  expect(tableOf(rows, 12)).toEqual(['世界  b  c', '👩‍👩‍👧    x  y', 'long  x  世…']);
});

test('a cell is styled without the spaces around it, also where the line is cut', () => {
  const paint = (cell: string, row: number, column: number): string => (column === 1 ? `<${row}${cell}>` : cell);
  expect(
    tableOf(
      [
        ['a', 'b', 'c'],
        ['long', 'xyz', ''],
      ],
      80,
      paint,
    ),
  ).toEqual(['a     <0b>    c', 'long  <1xyz>']);
  expect(tableOf([['long', 'a long state', 'c']], 9, paint)).toEqual(['long  <0a …>']);
});

test('a command is shown as it could be typed, without anything that controls a terminal', () => {
  expect(commandOf({ ...working, argv: ['sh', '-c', "echo 'a b'"] })).toBe("sh -c 'echo '\\''a b'\\'''");
  expect(commandOf({ ...working, argv: ['x', '\x1b]0;title\x07\n'] })).toBe("x '\\x1b]0;title\\x07\\n'");
});

test('an agent is shown with its prompt, also when it has answered', () => {
  const lastTurn = { how: 'answered', prompt: 'p1', text: 'fix\nthe tests' } as const;
  expect(commandOf(anAgent())).toBe('scripted');
  expect(commandOf(anAgent({ lastTurn, model: 'opus' }))).toBe('scripted opus: fix the tests');
  const prompts = [{ id: 'p2', state: 'queued', waiting: null, text: 'go on' } as const];
  expect(commandOf(anAgent({ lastTurn, prompts }))).toBe('scripted: go on');
});

test('text from a session cannot control the terminal it is shown on', () => {
  expect(harmless('a\tb\r\nc\x1b[31m\x9b1m\x07')).toBe('a\tb\nc\\x1b[31m\\x9b1m\\x07');
  expect(oneLine('a\nb\tc')).toBe('a\\nb\\tc');
});

test('a mistyped word is matched to the closest known word, or to none', () => {
  const words = ['list', 'show', 'wait', 'output', 'background'];
  expect(['lits', 'lst', 'shwo', 'outptu', 'backgruond', 'xyzzy', ''].map((word) => closest(word, words))).toEqual([
    'list',
    'list',
    'show',
    'output',
    'background',
    null,
    null,
  ]);
});

test('a narrow terminal loses the least useful columns, never the command', () => {
  const head = ['SESSION', 'STATE', 'STARTED', 'TIME', 'TERMINAL', 'COMMAND'];
  const row = ['01m7fhzqq29184dd6y59', 'exit 0', '3m ago', '12s', 'pipe', 'npm run build -- --watch'];
  const columnsAt = (columns: number): string => (narrowed([head, row], columns)[0] ?? []).join(' ');
  expect(columnsAt(120)).toBe('SESSION STATE STARTED TIME TERMINAL COMMAND');
  expect(columnsAt(70)).toBe('SESSION STATE STARTED TIME COMMAND');
  expect(columnsAt(60)).toBe('SESSION STATE TIME COMMAND');
  expect(columnsAt(40)).toBe('SESSION STATE COMMAND');
  const long = narrowed([head, row.with(1, 'abandoned: could not be started')], 80)[1] ?? [];
  expect(long[1]).toBe('abandoned: could not be…');
});

test('a session that ended before the command was called is recognized', () => {
  expect([null, 5, 10].map((endedAtMs) => hadEnded({ ...working, endedAtMs }, 10))).toEqual([false, true, false]);
});
