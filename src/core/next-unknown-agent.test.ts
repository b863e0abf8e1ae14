import { expect, test } from 'vitest';
import { LIVE, prompted, READY, sessionAfter, snapshot, TURNS } from '../testing/sessions.ts';
import type { EventBody } from './event.ts';
import { next } from './next.ts';
import type { Session, Spec } from './session.ts';
import type { Snapshot } from './snapshot.ts';

const GONE = { unknownAgent: 'the agent "x" is no longer in the config', screen: { is: 'unknown' } } as const;
const RUN: EventBody = { type: 'run.starting', run: 1, how: 'launch', boot: 'b' };
const OPENED: EventBody = { type: 'run.opened', run: 1, pid: 7 };
const LOGIN: EventBody = { type: 'session.held', run: 0, why: { kind: 'login', text: '', needsResume: true } };

function events(s: Session, seen: Partial<Snapshot>): readonly EventBody[] {
  const step = next(s, snapshot(seen), 1_000);
  return step.do === 'append' ? step.events : [];
}

const PLACES: [string, Spec, EventBody[]][] = [
  ['a session that was not started', TURNS, prompted('p1', 'queued')],
  ['a run that is about to be opened', TURNS, [...prompted('p1', 'queued'), RUN]],
  ['a turn at work', TURNS, [...prompted('p1', 'accepted'), RUN, OPENED]],
  ['a session that is held for something else', TURNS, [...prompted('p1', 'queued'), LOGIN]],
];

test.each(PLACES)('%s is held while its agent is not known, and then is where it was', (_, spec, bodies) => {
  const before = sessionAfter(spec, ...bodies);
  const [held] = events(before, GONE);
  expect(held).toMatchObject({ type: 'session.held', why: { kind: 'unknown-agent' } });
  const during = sessionAfter(spec, ...bodies, held as EventBody);
  expect(next(during, snapshot(GONE), 1_000)).toEqual({ do: 'wait', untilMs: null });
  const [released] = events(during, {});
  expect(released).toEqual({ type: 'session.released', run: before.run?.number ?? 0 });
  const after = sessionAfter(spec, ...bodies, held as EventBody, released as EventBody);
  expect(after.phase.at).toBe(before.phase.at);
  expect(after.prompts).toEqual(before.prompts);
});

test('a live agent has to show that it is ready again', () => {
  const [held] = events(sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued')), GONE);
  const during = sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued'), held as EventBody);
  const [released] = events(during, {});
  const after = sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued'), held as EventBody, released as EventBody);
  expect(after.phase.at).toBe('starting');
});

test('an agent that says that it cannot be used is held for that reason until it is resumed, in a new process', () => {
  const server: Spec = { ...LIVE, drive: 'server', terminal: 'pipe' };
  const why = { kind: 'agent', text: 'log in first', needsResume: true } as const;
  const seen = { screen: { is: 'dialog', why } } as const;
  const before = [...prompted('p1', 'queued'), RUN, OPENED];
  const [held] = events(sessionAfter(server, ...before), seen);
  expect(held).toEqual({ type: 'session.held', run: 1, why });
  const during = [...before, held as EventBody];
  expect(next(sessionAfter(server, ...during), snapshot(seen), 1_000)).toEqual({ do: 'wait', untilMs: null });
  const resumed: EventBody = { type: 'session.released', run: 1, by: { is: 'person', name: null } };
  const [faulted] = events(sessionAfter(server, ...during, resumed), seen);
  expect(faulted).toMatchObject({ type: 'run.faulted', run: 1, fault: { kind: 'cut' } });
  const again = [faulted as EventBody, { ...RUN, run: 2 }, { ...OPENED, run: 2 }] as EventBody[];
  expect(events(sessionAfter(server, ...during, resumed, ...again), seen)).toEqual([{ ...held, run: 2 }]);
});
