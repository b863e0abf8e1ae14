import { expect, test } from 'vitest';
import { LIVE, prompted, READY, sessionAfter, snapshot, TURNS } from '../testing/sessions.ts';
import { byHost, person } from './actor.ts';
import { admit } from './admit.ts';
import type { EventBody } from './event.ts';
import { next } from './next.ts';
import type { Budget, Fault, PromptId, Session, Spec } from './session.ts';

// After a person resumes a session, its limits are counted from that moment.

const spent = (turns: number): EventBody => ({
  type: 'usage.counted',
  prompt: 'p0' as PromptId,
  usage: { turns, tokens: turns * 100, usd: turns * 0.5 },
});
const held: EventBody = { type: 'session.held', run: 0, why: { kind: 'budget', text: '', needsResume: true } };
const released: EventBody = { type: 'session.released', run: 0, by: person('ana') };
const within = (budget: Partial<Budget>): Spec => ({
  ...TURNS,
  policy: { ...TURNS.policy, budget: { turns: null, tokens: null, usd: null, ...budget } },
});
const STARTING: EventBody = { type: 'run.starting', run: 2, how: 'resume', boot: 'b' };
const nextStep = (spec: Spec, ...bodies: EventBody[]): string => {
  const step = next(sessionAfter(spec, ...bodies, ...prompted('p1', 'queued')), snapshot(), 1_000);
  return step.do === 'append' ? step.events.map(({ type }) => type).join(' ') : step.do;
};

test.each([[{ turns: 2 }], [{ tokens: 200 }], [{ usd: 1 }]])(
  'a budget of %j holds the session, and is counted from zero after a resume',
  (budget) => {
    const spec = within(budget);
    expect(nextStep(spec, spent(1))).toBe('prompt.sending run.starting');
    expect(nextStep(spec, spent(2))).toBe('session.held');
    expect(nextStep(spec, spent(2), held, released)).toBe('prompt.sending run.starting');
    expect(nextStep(spec, spent(2), held, released, spent(4))).toBe('session.held');
  },
);

test('a probe by the daemon does not count as a resume by a person', () => {
  const probed: EventBody = { type: 'session.released', run: 0, by: byHost('probe') };
  expect(nextStep(within({ turns: 2 }), spent(2), held, probed)).toBe('session.held');
});

test('a resume ends a usage limit, and records who asked for it', () => {
  const limited = sessionAfter(TURNS, { type: 'session.limited', run: 0, untilMs: 9_000_000, text: '' });
  const admission = admit(limited, { type: 'resume', by: person('ana') });
  expect(admission).toEqual({ ok: true, events: [{ type: 'session.unlimited', run: 0, by: person('ana') }] });
  const unlimited = sessionAfter(
    TURNS,
    { type: 'session.limited', run: 0, untilMs: 9_000_000, text: '' },
    { type: 'session.unlimited', run: 0, by: person('ana') },
  );
  expect([unlimited.phase.at, unlimited.accounting.manualResume?.atMs]).toEqual(['idle', 20]);
});

test('a session that is resumed after its deadline has the whole time again', () => {
  const spec: Spec = { ...TURNS, policy: { ...TURNS.policy, deadlineMsMax: 1_000 } };
  const ended: EventBody = { type: 'session.ended', outcome: { kind: 'stopped', by: person('ana') } };
  const back = sessionAfter(spec, ended, { type: 'session.resumed', by: person('ana') });
  expect(next(back, snapshot(), 1_010)).toEqual({ do: 'wait', untilMs: 1_020 });
  expect(next(back, snapshot(), 1_020)).toMatchObject({ do: 'append', events: [{ type: 'session.closing' }] });
});

test('a session that was abandoned for too many faults has all its resumes again', () => {
  const broken = (run: number): EventBody[] => [
    { type: 'run.starting', run, how: 'resume', boot: 'b' },
    { type: 'run.opened', run, pid: 7 },
    { type: 'run.faulted', run, fault: { kind: 'exited', exit: { status: 1 } }, retryAtMs: 0 },
  ];
  const spec: Spec = { ...LIVE, policy: { ...LIVE.policy, resumesMax: 1 } };
  const dead = snapshot({ terminal: { is: 'lost', outputBytes: 0 } });
  const outcome = { kind: 'stopped', by: person('ana') } as const;
  const twice = [...broken(1), ...broken(2)];
  const step = next(sessionAfter(spec, ...twice), dead, 5_000);
  expect(step).toMatchObject({ events: [{ type: 'session.closing', outcome: { kind: 'abandoned' } }] });
  const back: EventBody[] = [
    { type: 'session.ended', outcome },
    { type: 'session.resumed', by: person('ana') },
  ];
  const again = sessionAfter(spec, ...twice, ...back, ...broken(3));
  expect(next(again, dead, 5_000)).toMatchObject({ events: [{ type: 'run.starting', run: 4 }] });
  expect(again.recovery.resumes).toBe(1);
});

const faulted = (fault: Fault): Session =>
  sessionAfter(LIVE, ...READY, { type: 'run.faulted', run: 1, fault, retryAtMs: 0 });
const gone = (hostResumes = 0) => snapshot({ terminal: { is: 'lost', outputBytes: 0 }, hostResumes });

test('a fault of the host does not count toward limits', () => {
  const spec: Spec = { ...LIVE, policy: { ...LIVE.policy, resumesMax: 0 } };
  for (const fault of [{ kind: 'cut' }, { kind: 'lost', reboot: true }] as const) {
    const s = sessionAfter(spec, ...READY, { type: 'run.faulted', run: 1, fault, retryAtMs: 0 });
    expect(next(s, gone(100), 5_000)).toMatchObject({ events: [{ type: 'run.starting', run: 2 }] });
    expect(
      sessionAfter(spec, ...READY, { type: 'run.faulted', run: 1, fault, retryAtMs: 0 }, STARTING).recovery.resumes,
    ).toBe(0);
  }
});

test('too many resumes on the host hold a session until a person resumes it', () => {
  const crash: Fault = { kind: 'exited', exit: { status: 1 } };
  expect(next(faulted(crash), gone(19), 5_000)).toMatchObject({ events: [{ type: 'run.starting' }] });
  const step = next(faulted(crash), gone(20), 5_000);
  expect(step).toMatchObject({ events: [{ type: 'session.held', why: { kind: 'host', needsResume: true } }] });
  const why = { kind: 'host', text: '', needsResume: true } as const;
  const resumedByPerson: EventBody[] = [
    ...READY,
    { type: 'run.faulted', run: 1, fault: crash, retryAtMs: 0 },
    { type: 'session.held', run: 1, why },
    { type: 'session.released', run: 1, by: person('ana') },
  ];
  expect(next(sessionAfter(LIVE, ...resumedByPerson), gone(20), 5_000)).toMatchObject({
    events: [{ type: 'run.starting', run: 2 }],
  });
  const again = sessionAfter(LIVE, ...resumedByPerson, STARTING, {
    type: 'run.faulted',
    run: 2,
    fault: crash,
    retryAtMs: 0,
  });
  expect(next(again, gone(20), 5_000)).toMatchObject({ events: [{ type: 'run.starting', run: 3 }] });
  expect(next(again, gone(20), 700_000)).toMatchObject({ events: [{ type: 'session.held' }] });
});

test('a run that the kernel killed for its memory has a memory fault, not a signal', () => {
  const limit = 2 ** 20;
  const bound = (spec: Spec): Spec => ({ ...spec, policy: { ...spec.policy, memoryBytesMax: limit } });
  const dead = {
    is: 'dead',
    exit: { status: 137 },
    signal: 'KILL',
    outputBytes: 0,
    drained: true,
    exitAgeMs: 0,
    failed: null,
  } as const;
  const fault = { kind: 'memory', bytes: limit };
  const killed = snapshot({ terminal: { ...dead, oom: true } });
  expect(next(sessionAfter(bound({ ...LIVE, keepOpen: true }), ...READY), killed, 5_000)).toMatchObject({
    events: [{ type: 'run.faulted', fault }],
  });
  const working: EventBody[] = [{ ...STARTING, run: 1 } as EventBody, { type: 'run.opened', run: 1, pid: 7 }];
  const command = sessionAfter(bound({ ...LIVE, drive: 'command', argv: ['make'] }), ...working);
  const abandoned = { type: 'session.closing', outcome: { kind: 'abandoned', fault } };
  expect(next(command, killed, 5_000)).toMatchObject({ events: [abandoned] });
  expect(next(command, snapshot({ terminal: dead }), 5_000)).toMatchObject({
    events: [{ type: 'run.ended' }, { type: 'session.ended', outcome: { kind: 'done' } }],
  });
});

test('a run that uses too much memory is ended, and an agent resumed', () => {
  const admission = admit(sessionAfter(LIVE, ...READY), { type: 'memory', run: 1, bytes: 2 ** 30 });
  expect(admission).toMatchObject({ events: [{ type: 'run.faulted', fault: { kind: 'memory', bytes: 2 ** 30 } }] });
  const s = faulted({ kind: 'memory', bytes: 2 ** 30 });
  expect(next(s, snapshot(), 5_000)).toMatchObject({ do: 'act', effect: { kind: 'close' } });
  expect(next(s, gone(), 5_000)).toMatchObject({ events: [{ type: 'run.starting', run: 2, how: 'resume' }] });
});
