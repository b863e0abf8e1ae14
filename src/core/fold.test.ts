import { describe, expect, test } from 'vitest';
import { asked, LIVE, prompted, READY, sessionAfter, snapshot, TURNS } from '../testing/sessions.ts';
import { byPolicy, person } from './actor.ts';
import type { EventBody } from './event.ts';
import { next } from './next.ts';
import type { ConversationId, PromptId, SessionId } from './session.ts';

const p1 = 'p1' as PromptId;
const answered = (prompt: string): EventBody => ({
  type: 'prompt.answered',
  prompt: prompt as PromptId,
  reply: 'Done.',
});
const conversation = {
  id: 'c1' as ConversationId,
  forkOf: null,
  model: null,
  args: [],
  envNames: [],
  trusted: true,
  after: ['s0' as SessionId],
  screen: 'tmux',
} as const;

test('a session works until the last prompt of its turn is answered', () => {
  const steered = [...READY, ...prompted('p1', 'accepted'), ...prompted('p2', 'accepted', { now: true })];
  expect(sessionAfter(LIVE, ...steered, answered('p1')).phase.at).toBe('working');
  const over = sessionAfter(LIVE, ...steered, answered('p1'), answered('p2'));
  expect([over.phase.at, over.prompts, over.turn.last?.prompt]).toEqual(['idle', [], 'p2']);
});

test('a dropped prompt leaves the queue', () => {
  const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued'), ...prompted('p2', 'queued'), {
    type: 'prompt.dropped',
    prompt: p1,
    by: person('ana'),
  });
  expect([s.prompts.map(({ id }) => id), s.turn.last]).toEqual([['p2'], null]);
});

test('a released session returns to its turn, or to starting if it had none', () => {
  const held: EventBody = { type: 'session.held', run: 1, why: { kind: 'trust', text: '' } };
  const released: EventBody = { type: 'session.released', run: 1 };
  expect(sessionAfter(LIVE, ...READY, held).phase.at).toBe('held');
  expect(sessionAfter(LIVE, ...READY, held, released).phase.at).toBe('starting');
  expect(sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), held, released).phase.at).toBe('working');
});

test('a reboot is not counted as a fault, and an answer resets the count', () => {
  const fault = (reboot: boolean): EventBody => ({
    type: 'run.faulted',
    run: 1,
    fault: { kind: 'lost', reboot },
    retryAtMs: 0,
  });
  expect(sessionAfter(LIVE, ...READY, fault(true)).recovery.faults).toBe(0);
  expect(sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), fault(false)).recovery.faults).toBe(1);
  expect(
    sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), fault(false), answered('p1')).recovery.faults,
  ).toBe(0);
});

test('a planned restart is not counted as a fault', () => {
  const fault = { kind: 'lost', reboot: false, planned: true } as const;
  const s = sessionAfter(LIVE, ...READY, { type: 'run.faulted', run: 1, fault, retryAtMs: 0 });
  expect([s.recovery.faults, s.recovery.resumes]).toEqual([0, 0]);
});

test('the end of a run ends the turn, the interrupt and the tool calls in it', () => {
  const s = sessionAfter(
    LIVE,
    ...READY,
    { type: 'turn.started', run: 1, text: 'Hello?', turnId: 'theirs' },
    { type: 'turn.interrupting', run: 1, by: person('ana') },
    { type: 'tool.called', run: 1, call: 'k', tool: 'Bash', input: '{}', subagent: null },
    { type: 'run.faulted', run: 1, fault: { kind: 'lost', reboot: true }, retryAtMs: 0 },
  );
  expect([s.turn.other, s.turn.interrupting, s.turn.calls]).toEqual([null, null, []]);
});

test('the newest 50 turn ids are remembered', () => {
  const turn = (i: number): EventBody[] => [
    { type: 'turn.started', run: 1, text: '', turnId: `m${i}` },
    { type: 'turn.ended', run: 1, reply: '' },
  ];
  const s = sessionAfter(LIVE, ...READY, ...Array.from({ length: 60 }, (_, i) => turn(i)).flat());
  expect([s.turn.turnIds.length, s.turn.turnIds.at(-1), s.turn.turnIds.includes('m0')]).toEqual([50, 'm59', false]);
});

test('a resumed session is queued or idle, under no control, and stays open', () => {
  const ended: EventBody = { type: 'session.ended', outcome: { kind: 'stopped', by: person('ana') } };
  const resumed: EventBody = { type: 'session.resumed', by: person('ana') };
  const live = sessionAfter(
    LIVE,
    ...READY,
    { type: 'control.taken', by: person('ana'), how: 'handoff' },
    ended,
    resumed,
  );
  expect([live.phase.at, live.keepOpen, live.attendance.control, live.run?.number]).toEqual(['queued', true, null, 1]);
  const turns = sessionAfter({ ...TURNS, conversation }, ended, resumed);
  expect([turns.phase.at, turns.keepOpen, turns.followed]).toEqual(['idle', true, true]);
});

test('replies of other sessions are filled into the prompts that wait for them', () => {
  const s = sessionAfter({ ...LIVE, conversation }, ...prompted('p1', 'queued'), ...prompted('p2', 'queued'), {
    type: 'session.followed',
    texts: [{ prompt: p1, text: 'Filled' }],
  });
  expect([s.followed, ...s.prompts.map(({ text }) => text)]).toEqual([true, 'Filled', 'Do p2']);
});

test('a visit has its own terminal, and ends when control is returned or its run ends', () => {
  const visited: EventBody[] = [
    { type: 'visit.wanted', by: person('ana') },
    { type: 'run.starting', run: 1, how: 'visit', boot: 'b' },
    { type: 'run.opened', run: 1, pid: 7 },
  ];
  const s = sessionAfter({ ...TURNS, conversation }, ...visited);
  expect([s.phase.at, s.run?.terminal, s.attendance.visitWanted]).toEqual(['visited', 'tmux', true]);
  expect(sessionAfter(TURNS, ...visited, { type: 'control.returned', by: person(null) }).attendance.visitWanted).toBe(
    false,
  );
  const over = sessionAfter(TURNS, ...visited, {
    type: 'run.ended',
    run: 1,
    exit: null,
    outputBytes: 0,
    complete: false,
  });
  expect([over.phase.at, over.attendance.visitWanted]).toEqual(['idle', false]);
});

test('calls that ended last are kept until the next one begins, and named when their run is cut off', () => {
  const called = (call: string): EventBody => ({
    ...{ type: 'tool.called', run: 1, call, tool: 'Bash', input: 'make', subagent: null },
  });
  const ended = (call: string): EventBody => ({
    ...{ type: 'tool.ended', run: 1, call, tool: 'Bash', error: null, tookMs: 1 },
  });
  const two = [called('a'), ended('a'), called('b'), called('c'), ended('b')];
  const fault = { kind: 'exited', exit: { status: 137 } } as const;
  const cut: EventBody = { type: 'run.faulted', run: 1, fault, retryAtMs: 0 };
  const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), ...two, cut);
  expect(s.prompts).toMatchObject([{ unknown: [{ id: 'c' }], done: [{ id: 'b', tool: 'Bash', input: 'make' }] }]);
  expect([s.turn.calls, s.turn.done]).toEqual([[], []]);
});

test('after a hang the prompt is queued again, its text may be in the box, and its tool calls are unknown', () => {
  const call: EventBody = { type: 'tool.called', run: 1, call: 'k', tool: 'Bash', input: 'make', subagent: null };
  const hang: EventBody = { type: 'turn.interrupting', run: 1, by: byPolicy('hang') };
  const delayed: EventBody = { type: 'prompt.delayed', prompt: p1, retryAtMs: 0, why: '' };
  const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), call, hang, delayed);
  expect([s.phase.at, s.turn.interrupting, s.turn.calls, s.turn.stale]).toEqual(['idle', null, [], 'Do p1']);
  expect(s.prompts).toMatchObject([{ state: 'queued', turn: 2, hungTurn: 1, unknown: [{ tool: 'Bash' }] }]);
  const ana: EventBody = { type: 'turn.interrupting', run: 1, by: person('ana') };
  expect(sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), hang, ana).prompts[0]?.hungTurn).toBe(0);
});

test('the text of an interrupted prompt may be in the box as it was sent', () => {
  const again: EventBody = { type: 'prompt.sending', prompt: p1, turn: 2, run: 1 };
  const taken: EventBody[] = [
    { type: 'prompt.accepted', prompt: p1, turnId: 'm' },
    { type: 'prompt.interrupted', prompt: p1, by: person('ana') },
  ];
  expect(sessionAfter(LIVE, ...READY, ...prompted('p1', 'queued'), again, ...taken).turn.stale).toMatch(
    /^You were interrupted/,
  );
});

test('a session that was held because of its host starts over after a resume', () => {
  const fault: EventBody = {
    type: 'run.faulted',
    run: 1,
    fault: { kind: 'exited', exit: { status: 1 } },
    retryAtMs: 0,
  };
  const held: EventBody = { type: 'session.held', run: 1, why: { kind: 'host', text: '', needsResume: true } };
  const resumed: EventBody = { type: 'session.released', run: 1, by: person('ana') };
  const broken = [...prompted('p1', 'accepted'), fault, held, resumed];
  expect(sessionAfter(LIVE, ...READY, ...broken).phase.at).toBe('queued');
  expect(sessionAfter(TURNS, ...READY, ...broken).phase.at).toBe('idle');
});

test('a resume after a fault of the run is counted, one after a cut terminal is not', () => {
  const fault = (run: number, kind: 'cut' | 'memory'): EventBody => ({
    type: 'run.faulted',
    run,
    fault: kind === 'cut' ? { kind } : { kind, bytes: 1 },
    retryAtMs: 0,
  });
  const start = (run: number): EventBody => ({ type: 'run.starting', run, how: 'resume', boot: 'b' });
  const s = sessionAfter(
    LIVE,
    ...READY,
    ...prompted('p1', 'accepted'),
    fault(1, 'memory'),
    start(2),
    fault(2, 'cut'),
    start(3),
  );
  expect([s.recovery.resumes, s.recovery.resumedAtMs.length, s.recovery.faults]).toEqual([1, 1, 1]);
});

describe('an agent that reports before its process was seen', () => {
  const starting: EventBody = { type: 'run.starting', run: 1, how: 'launch', boot: 'b' };
  const reported = [...prompted('p1', 'sending'), starting, ...prompted('p1', 'accepted').slice(-1)];
  const opened: EventBody = { type: 'run.opened', run: 1, pid: 7 };

  test('stays in opening until its pid is known', () => {
    const s = sessionAfter(TURNS, ...reported);
    expect(s.phase.at).toBe('opening');
    expect(next(s, snapshot(), 1_000)).toEqual({ do: 'append', events: [opened] });
    expect(sessionAfter(TURNS, ...reported, opened)).toMatchObject({ phase: { at: 'working' }, run: { pid: 7 } });
  });

  test('is blocked if it already has a pending approval', () => {
    expect(sessionAfter(TURNS, ...reported, asked('a1'), opened).phase.at).toBe('blocked');
  });
});
