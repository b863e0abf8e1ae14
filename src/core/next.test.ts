import { describe, expect, test } from 'vitest';
import { LIVE, prompted, READY, sessionAfter, snapshot, TURNS } from '../testing/sessions.ts';
import { person } from './actor.ts';
import type { EventBody } from './event.ts';
import { next } from './next.ts';
import type { PromptId, Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';

const p1 = 'p1' as PromptId;
const trust = { is: 'dialog', why: { kind: 'trust', text: '' } } as const;
const attached: EventBody = { type: 'control.taken', by: person(null), how: 'attach' };
const handedOff: EventBody = { type: 'control.taken', by: person('ana'), how: 'handoff' };
const interrupting: EventBody = { type: 'turn.interrupting', run: 1, by: person('ana') };
const alive = { is: 'alive', pid: 7, quietMs: 0, outputBytes: 1, sink: 'ok' } as const;

/** The step in a few words: what is done, recorded or waited for. */
function step(s: Session, seen: Partial<Snapshot>, nowMs = 1_000): string {
  const it = next(s, snapshot(seen), nowMs);
  switch (it.do) {
    case 'act':
      return it.effect.kind;
    case 'append':
      return it.events.map(({ type }) => type).join(' ');
    case 'wait':
      return it.untilMs === null ? 'wait' : 'look again';
  }
}

describe('a prompt that may have been typed', () => {
  const sending = sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending'));
  const unsure = sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending'), {
    type: 'prompt.unsure',
    prompt: p1,
    waitedMs: 1,
  });

  test('is never typed again, whatever the screen shows', () => {
    expect(step(sending, { tried: 'no' })).toBe('deliver');
    expect(step(sending, { tried: 'yes' })).toBe('look again');
    expect(step(sending, { tried: 'unknown' })).toBe('look again');
    expect(step(sending, { tried: 'unknown' }, 20_000)).toBe('prompt.unsure');
    expect(step(unsure, { tried: 'unknown' }, 20_000)).toBe('wait');
  });

  test('is accepted when the transcript has it, also when it was unsure', () => {
    const transcript = { exists: true, received: ['p1#1'], turn: 'open', reply: '' } as const;
    expect(step(sending, { transcript })).toBe('prompt.accepted');
    expect(step(unsure, { transcript })).toBe('prompt.accepted');
  });

  test('is entered once more only if the input box holds exactly its text', () => {
    const entering = sessionAfter(LIVE, ...READY, ...prompted('p1', 'sending'), {
      type: 'prompt.entering',
      prompt: p1,
    });
    expect(step(sending, { tried: 'yes', screen: { is: 'holding' } }, 9_000)).toBe('prompt.entering');
    expect(step(sending, { tried: 'yes', screen: { is: 'draft' } }, 9_000)).toBe('look again');
    expect(step(entering, { tried: 'no', screen: { is: 'holding' } })).toBe('enter');
    expect(step(entering, { tried: 'no', screen: { is: 'draft' } })).toBe('look again');
    expect(step(entering, { tried: 'no', screen: { is: 'ready' } })).toBe('look again');
    expect(step(entering, { tried: 'no', screen: trust })).toBe('session.held');
    expect(step(entering, { tried: 'yes', screen: { is: 'holding' } })).toBe('look again');
  });
});

describe('an agent that asks to use a tool', () => {
  const asks = { is: 'dialog', why: { kind: 'permission', about: 'tool', text: '' } } as const;
  const held: EventBody = { type: 'session.held', run: 1, why: asks.why };
  const asking = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), held, interrupting);

  test('is held again when an older version did not record what its dialog is about', () => {
    const { about: _, ...why } = asks.why;
    const old = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), { ...held, why });
    expect(step(old, { screen: asks, terminal: alive })).toBe('session.held');
    const now = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), held);
    expect(step(now, { screen: asks, terminal: alive })).toBe('look again');
  });

  test('T-INT-2 is interrupted once, and its turn has ended when the dialog is gone', () => {
    expect(step(asking, { tried: 'no', screen: asks, terminal: alive })).toBe('interrupt');
    expect(step(asking, { tried: 'yes', screen: asks, terminal: alive })).toBe('look again');
    expect(step(asking, { tried: 'yes', screen: { is: 'ready' }, terminal: alive })).toBe('session.released');
    const released = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), held, interrupting, {
      type: 'session.released',
      run: 1,
    });
    const rests = { tried: 'yes', screen: { is: 'ready' }, terminal: { ...alive, quietMs: 99_000 } } as const;
    expect(step(released, rests, 99_000)).toBe('prompt.interrupted');
  });
});

describe('a prompt that waits', () => {
  const queued = [...READY, ...prompted('p1', 'queued')];

  test('is sent only into an empty input box', () => {
    const s = sessionAfter(LIVE, ...queued);
    expect(step(s, {}, 5_000)).toBe('prompt.sending');
    for (const is of ['busy', 'draft', 'unknown', 'holding'] as const) {
      expect(step(s, { screen: { is } }, 5_000)).toBe('prompt.waiting');
    }
    expect(step(s, { screen: { is: 'stale' } }, 5_000)).toBe('withdraw');
    expect(step(s, { screen: trust }, 5_000)).toBe('session.held');
    expect(step(s, { viewers: 1 }, 5_000)).toBe('control.taken');
  });

  test('is not typed behind the text of an interrupted one that is about to be put back into the box', () => {
    const cut: EventBody = { type: 'prompt.interrupted', prompt: p1, by: person('ana') };
    const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), cut, ...prompted('p2', 'queued'));
    const idleMs = s.phase.at === 'idle' ? s.phase.sinceMs : Number.NaN;
    expect(step(s, {}, idleMs + 900)).toBe('look again');
    expect(step(s, { screen: { is: 'stale' } }, idleMs + 900)).toBe('withdraw');
    expect(step(s, {}, idleMs + 1_000)).toBe('prompt.sending');
  });

  test('reports once why it waits', () => {
    const s = sessionAfter(LIVE, ...queued);
    const it = next(s, snapshot({ screen: { is: 'draft' } }), 5_000);
    const why = it.do === 'append' ? it.events : [];
    expect(step(sessionAfter(LIVE, ...queued, ...why), { screen: { is: 'draft' } }, 5_000)).toBe('look again');
  });

  test('does not touch the box while a person has control', () => {
    expect(step(sessionAfter(LIVE, ...queued, attached), { viewers: 1, screen: { is: 'stale' } })).toBe(
      'prompt.waiting',
    );
    expect(step(sessionAfter(LIVE, ...queued, handedOff), { screen: { is: 'stale' } })).toBe('prompt.waiting');
    expect(step(sessionAfter(LIVE, ...queued, handedOff), { viewers: 0 })).toBe('prompt.waiting');
  });

  test('may be steered into a turn, but not into a draft', () => {
    const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), ...prompted('p2', 'queued', { now: true }));
    expect(step(s, { screen: { is: 'busy' } })).toBe('prompt.sending');
    expect(step(s, { screen: { is: 'busy', draft: true } }, 5_000)).toBe('prompt.waiting');
    const later = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), ...prompted('p2', 'queued'));
    expect(step(later, { screen: { is: 'busy' } }, 5_000)).toBe('look again');
  });
});

describe('an interrupt', () => {
  const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), interrupting);

  test('is one Escape to a working agent, also after a restart of the daemon', () => {
    expect(step(s, { tried: 'no', screen: { is: 'busy' } })).toBe('interrupt');
    expect(step(s, { tried: 'unknown', screen: { is: 'busy' } })).toBe('interrupt');
    expect(step(s, { tried: 'yes', screen: { is: 'busy' } })).toBe('look again');
    expect(step(s, { tried: 'no', screen: { is: 'unknown' } })).toBe('look again');
    expect(step(s, { tried: 'no', screen: trust })).toBe('session.held');
  });

  test('is done when the agent has been idle for a moment', () => {
    const transcript = { exists: true, received: ['p1#1'], turn: 'open', reply: '' } as const;
    expect(step(s, { tried: 'yes', transcript }, 200)).toBe('look again');
    expect(step(s, { tried: 'yes', transcript }, 2_000)).toBe('prompt.interrupted');
  });

  test('that came just after the answer does not discard it', () => {
    const transcript = { exists: true, received: ['p1#1'], turn: 'closed', reply: 'Done.' } as const;
    expect(step(s, { tried: 'yes', transcript }, 2_000)).toBe('prompt.answered');
  });

  test('is recorded when the run is lost meanwhile', () => {
    expect(step(s, { terminal: { is: 'lost', outputBytes: 0 } })).toBe('prompt.interrupted run.faulted');
  });
});

describe('an agent that goes silent', () => {
  const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'));
  const silent = { ...alive, quietMs: 700_000 };
  const screen = { is: 'unknown' } as const;

  test('is resumed, unless it shows that it is working or a person is attached', () => {
    const signs = { progressMs: 10_000_000, isComputing: false, words: [] };
    expect(step(s, { terminal: silent, screen, signs })).toBe('run.faulted');
    expect(step(s, { terminal: silent, screen: { is: 'busy' }, signs })).toBe('turn.interrupting');
    expect(step(s, { terminal: silent, screen, signs: { ...signs, isComputing: true } })).toBe('look again');
    const theirs = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), attached);
    expect(step(theirs, { terminal: silent, screen, signs, viewers: 1 })).toBe('look again');
  });

  test('or exceeds its time limit is left alone after a hand-off', () => {
    const spec = { ...LIVE, policy: { ...LIVE.policy, runMsMax: 500 } };
    const late = [...READY, ...prompted('p1', 'accepted')];
    expect(step(sessionAfter(spec, ...late), { screen: { is: 'busy' } })).toBe('session.closing');
    expect(step(sessionAfter(spec, ...late, handedOff), { screen: { is: 'busy' } })).toBe('look again');
  });
});

describe('the end of a run', () => {
  const dead = (status: number, more: object = {}): Snapshot['terminal'] => ({
    ...{ is: 'dead', exit: { status }, outputBytes: 1, drained: true, exitAgeMs: 0, failed: null },
    ...more,
  });

  test('by a person who quit the agent is no fault, once its output is complete', () => {
    const s = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'));
    expect(step(s, { terminal: dead(0, { drained: false }), verdict: 'left' })).toBe('look again');
    expect(step(s, { terminal: dead(0), verdict: 'left' })).toBe('session.closing');
    expect(step(s, { terminal: dead(0), verdict: 'unknown' })).toBe('run.faulted');
    expect(step(s, { terminal: dead(1), verdict: 'crashed' })).toBe('run.faulted');
  });

  test('that never started is not retried', () => {
    const failed = dead(127, { failed: 'missing' });
    expect(step(sessionAfter(LIVE, ...READY.slice(0, 2)), { terminal: failed })).toBe('session.closing');
    const turn = sessionAfter(TURNS, ...prompted('p1', 'sending'), ...READY.slice(0, 2));
    expect(step(turn, { terminal: failed })).toBe('session.closing');
  });

  test('whose workspace is gone is held until the workspace is back, and then retried', () => {
    const terminal = dead(125, { failed: 'cwd' });
    const fault: EventBody = { type: 'run.faulted', run: 1, fault: { kind: 'unstarted', why: 'cwd' }, retryAtMs: 0 };
    for (const begun of [
      sessionAfter(LIVE, ...READY.slice(0, 2)),
      sessionAfter(TURNS, ...prompted('p1', 'sending'), ...READY.slice(0, 2)),
    ])
      expect(step(begun, { terminal })).toBe('run.faulted');
    const broken = sessionAfter(LIVE, ...READY.slice(0, 2), fault);
    expect(step(broken, { terminal, workspaceGone: true })).toBe('session.held');
    expect(step(broken, { terminal, workspaceGone: false })).toBe('run.starting');
    const idle = sessionAfter(TURNS, ...prompted('p1', 'queued'));
    expect(step(idle, { workspaceGone: true })).toBe('session.held');
  });

  test('while a person has control does not start another run', () => {
    const fault: EventBody = { type: 'run.faulted', run: 1, fault: { kind: 'lost', reboot: true }, retryAtMs: 0 };
    const terminal = { is: 'lost', outputBytes: 0 } as const;
    const cut = [...prompted('p1', 'sending'), ...READY.slice(0, 2)];
    expect(step(sessionAfter(TURNS, ...cut, handedOff, fault), { terminal })).toBe('prompt.waiting run.ended');
    expect(step(sessionAfter(TURNS, ...cut, fault), { terminal })).toBe('prompt.sending run.starting');
    const again = READY.map((body) => ('run' in body ? { ...body, run: 2 } : body)) as EventBody[];
    const transcript = { exists: true, received: ['p1#1'], turn: 'open', reply: '' } as const;
    const left = [...READY, ...prompted('p1', 'accepted'), fault, ...again];
    expect(step(sessionAfter(LIVE, ...left, handedOff), { transcript })).toBe('look again');
    expect(step(sessionAfter(LIVE, ...left), { transcript })).toBe('prompt.sending');
  });
});

test('a visit to which no person attaches is closed after a while', () => {
  const s = sessionAfter(
    TURNS,
    { type: 'visit.wanted', by: person('ana') },
    { type: 'run.starting', run: 1, how: 'visit', boot: 'b' },
    { type: 'run.opened', run: 1, pid: 7 },
  );
  expect(step(s, {}, 1_000)).toBe('look again');
  expect(step(s, { viewers: 1 }, 1_000)).toBe('control.taken');
  expect(step(s, {}, 60_000)).toBe('close');
});

test('a person who attaches to a command changes nothing', () => {
  const s = sessionAfter({ ...LIVE, drive: 'command' }, ...READY.slice(0, 2));
  expect(step(s, { viewers: 1 })).toBe('wait');
});

test('a resumed session continues its conversation, or starts one again that was never recorded', () => {
  const ended: EventBody = { type: 'session.ended', outcome: { kind: 'stopped', by: person('ana') } };
  const s = sessionAfter(LIVE, ...READY, ended, { type: 'session.resumed', by: person('ana') });
  const none = { exists: false, received: [], turn: 'closed', reply: '' } as const;
  expect(next(s, snapshot(), 0)).toMatchObject({ events: [{ type: 'run.starting', run: 2, how: 'resume' }] });
  expect(next(s, snapshot({ transcript: none }), 0)).toMatchObject({ events: [{ run: 2, how: 'launch' }] });
  expect(step(s, { slot: false })).toBe('wait');
});
