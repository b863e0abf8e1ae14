import { expect, test } from 'vitest';
import type { EventLine } from '../../client/browser.ts';
import { evidenceOf } from './evidence.ts';
import { lineOf } from './happening.ts';
import { type EventFilter, type EventRow, Folds, firstFolds, timelineOf } from './timeline.ts';

type Given = readonly [seconds: number, event: string, body?: Record<string, unknown>];

const ALL: EventFilter = { kind: null, isTroubleOnly: false };

function eventsOf(...given: readonly Given[]): EventLine[] {
  return given.map(([seconds, event, body = {}], i) => ({
    ...{ position: 100 + i, after: `j:${100 + i}`, session: 's', seq: i + 1, event, body },
    ts: new Date(seconds * 1_000).toISOString(),
  }));
}

const drawn = (events: readonly EventLine[], filter = ALL, folds = new Folds()) =>
  timelineOf(events, { filter, folds, isCommand: false });

function texts(rows: readonly EventRow[]): string[] {
  return rows.map((row) => {
    if (row.is === 'gap') return `~ ${row.gap.gap}`;
    if (row.is === 'group')
      return `${row.isFolded ? '>' : 'v'} ${row.group.is} ${row.group.number} ${row.group.title}`.trim();
    return `${'  '.repeat(row.depth)}${row.happening.event.event}`;
  });
}

const KILLED = eventsOf(
  [0, 'session.created'],
  [0, 'prompt.queued', { prompt: 'p', text: 'Fix it' }],
  [1, 'prompt.sending', { prompt: 'p', turn: 1, run: 1 }],
  [1, 'run.starting', { run: 1, how: 'launch' }],
  [2, 'tool.called', { run: 1, call: 'a', tool: 'Read', input: '{"path":"/w/a.ts"}' }],
  [3, 'tool.ended', { run: 1, call: 'a', tool: 'Read', error: null }],
  [4, 'tool.called', { run: 1, call: 'b', tool: 'Bash', input: '{"command":"make"}' }],
  [9, 'run.faulted', { run: 1, fault: { kind: 'stalled', silentMs: 5_000, signs: ['no hook for 5s'] } }],
  [10, 'prompt.sending', { prompt: 'p', turn: 2, run: 2 }],
  [10, 'run.starting', { run: 2, how: 'resume' }],
  [12, 'prompt.answered', { prompt: 'p', reply: 'done' }],
  [12, 'run.ended', { run: 2, exit: { status: 0 } }],
);

test('events are in their turn and their run, and a call and its end are one row', () => {
  expect(texts(drawn(KILLED).rows)).toEqual([
    ...['session.created', 'prompt.queued', 'v run 1', 'v turn 1 Fix it', '    prompt.sending', '    run.starting'],
    ...['    tool.called', '    tool.called', '    run.faulted', 'v run 2', 'v turn 2 Fix it', '    prompt.sending'],
    ...['    run.starting', '    prompt.answered', '  run.ended'],
  ]);
  const [read] = drawn(KILLED).placed.filter(({ happening: { end } }) => end !== null);
  expect(read?.happening).toMatchObject({ atMs: 2_000, endMs: 3_000 });
  expect(lineOf({ event: KILLED[4] as EventLine }, '/w')).toBe('Read a.ts');
});

test('only trouble is shown with the run and the turn that it is in, whatever is folded', () => {
  const folds = new Folds().with('run 1', true);
  expect(texts(drawn(KILLED, { kind: null, isTroubleOnly: true }, folds).rows)).toEqual([
    ...['v run 1', 'v turn 1 Fix it', '    run.faulted'],
  ]);
  expect(texts(drawn(KILLED, ALL, folds).rows).slice(0, 4)).toEqual([
    ...['session.created', 'prompt.queued', '> run 1', 'v run 2'],
  ]);
  expect(
    texts(drawn(KILLED, { kind: 'tool', isTroubleOnly: false }).rows).filter((text) => /tool/.test(text)),
  ).toHaveLength(2);
});

test('the evidence of a fault: its signs, what was running, and what came of it', () => {
  const { placed, troubles } = drawn(KILLED);
  expect(troubles.map(({ event }) => event.event)).toEqual(['run.faulted']);
  const [fault] = troubles;
  const found = fault === undefined ? null : evidenceOf(fault, placed);
  expect(found?.signs).toEqual(['no hook for 5s']);
  expect(found?.atWork.map(({ event }) => event.body.call)).toEqual(['b']);
  expect(found?.remedy?.map(({ event }) => event.event)).toEqual(['prompt.sending', 'run.starting', 'prompt.answered']);
  const created = placed[0]?.happening;
  expect(created === undefined ? null : evidenceOf(created, placed).remedy).toBeNull();
});

test('a long pause in which nothing runs is short on the axis, and a long call is not', () => {
  const events = eventsOf(
    [0, 'prompt.sending', { prompt: 'p', turn: 1, run: 1 }],
    [600, 'prompt.answered', { prompt: 'p' }],
    [600, 'session.limited', { run: 1, untilMs: 0 }],
    [20_000, 'session.unlimited', { run: 1 }],
    [20_000, 'prompt.sending', { prompt: 'q', turn: 1, run: 1 }],
    [20_600, 'prompt.answered', { prompt: 'q' }],
    [30_000, 'prompt.queued', { prompt: 'r' }],
  );
  const { axis, rows } = drawn(events);
  expect(axis.gaps.map(({ gap, fromMs, toMs }) => [gap, fromMs / 1_000, toMs / 1_000])).toEqual([
    ['limited', 600, 20_000],
    ['idle', 20_600, 30_000],
  ]);
  expect([axis.at(600_000), axis.at(20_000_000)].map((place) => place.toFixed(2))).toEqual(['0.46', '0.50']);
  expect(axis.timeAt(axis.at(300_000))).toBeCloseTo(300_000);
  expect(texts(rows).filter((text) => text.startsWith('~'))).toEqual(['~ limited', '~ idle']);
});

test('a restart of the machine is a pause, also in the middle of a turn', () => {
  const lost = { run: 1, fault: { kind: 'lost', reboot: true } };
  const events = eventsOf([0, 'prompt.sending', { prompt: 'p', turn: 1, run: 1 }], [9_000, 'run.faulted', lost]);
  expect(drawn(events).axis.gaps.map(({ gap }) => gap)).toEqual(['away']);
});

test('of a long history the turns that went well begin folded, and nothing folds later', () => {
  const turn = (n: number): Given[] => [
    [n, 'prompt.sending', { prompt: `p${n}`, turn: 1, run: 1 }],
    ...Array.from({ length: 10 }, (_, i): Given => [n, 'tool.called', { run: 1, call: `${n}.${i}`, tool: 'Bash' }]),
    ...(n === 3 ? [[n, 'tool.denied', { run: 1, tool: 'Bash', why: 'no' }] as Given] : []),
    [n, 'prompt.answered', { prompt: `p${n}` }],
  ];
  const given = Array.from({ length: 8 }, (_, i) => turn(i + 1)).flat();
  const folds = firstFolds(eventsOf(...given));
  const folded = (events: readonly EventLine[]): string[] =>
    texts(drawn(events, ALL, folds).rows).filter((text) => text.startsWith('v turn'));
  expect(folded(eventsOf(...given))).toEqual(['v turn 1 p3', 'v turn 1 p8']);
  expect(folded(eventsOf(...given, ...turn(9)))).toEqual(['v turn 1 p3', 'v turn 1 p8', 'v turn 1 p9']);
});

test('10,000 events are put in order in little time, and their axis is found fast', () => {
  const given = Array.from({ length: 10_000 }, (_, i): Given => {
    const prompt = `p${Math.floor(i / 20)}`;
    if (i % 20 === 0) return [i * 60, 'prompt.sending', { prompt, turn: 1, run: 1 }];
    return i % 20 === 19 ? [i * 60, 'prompt.answered', { prompt }] : [i * 60, 'tool.called', { run: 1, call: `${i}` }];
  });
  const { rows, axis } = drawn(eventsOf(...given));
  expect(rows.length).toBeGreaterThan(10_000);
  expect(axis.gaps).toHaveLength(499);
  expect(axis.gaps.reduce((sum, { from, to }) => sum + to - from, 0)).toBeLessThanOrEqual(0.31);
});
