import { expect, test } from 'vitest';
import { LIVE, prompted, READY, sessionAfter, snapshot, TURNS } from '../testing/sessions.ts';
import { person } from './actor.ts';
import { admit } from './admit.ts';
import type { EventBody } from './event.ts';
import type { InTurnUpdateSnapshot } from './in-turn-update.ts';
import { next } from './next.ts';
import { chainAt } from './ownership.ts';
import type { PromptId, Session, SessionId } from './session.ts';

const OPEN = { ...TURNS, keepOpen: true };
const LATER = 10_000;
const p1 = 'p1' as PromptId;

const queued = (position: number, more: { chain?: number; text?: string } = {}): EventBody => {
  const { chain = 0, text = `- kid ${position}` } = more;
  const update = { from: 'kid' as SessionId, position, event: 'session.ended', text, isUrgent: true, chain };
  return { type: 'update.queued', update };
};

const WORKING: readonly EventBody[] = [...READY, ...prompted('p1', 'accepted')];
const staged = (...positions: number[]): EventBody => ({
  ...({ type: 'update.staged', inTurnUpdate: 's1.9', run: 1, prompt: p1, positions, chain: 0 } as const),
});
const answered: EventBody = { type: 'prompt.answered', prompt: p1, reply: 'ok' };

const alive = (where?: InTurnUpdateSnapshot): ReturnType<typeof snapshot> => ({
  ...snapshot({}),
  ...(where && { inTurnUpdate: where }),
});
const dead = (where: InTurnUpdateSnapshot): ReturnType<typeof snapshot> => ({
  ...snapshot({ terminal: { is: 'lost', outputBytes: 0 } }),
  inTurnUpdate: where,
});

test('updates for a working agent are staged together, a moment after the first and after they are recorded', () => {
  const s = sessionAfter(LIVE, ...WORKING, queued(7), queued(8));
  const firstMs = s.updates.queued[0]?.sinceMs ?? 0;
  expect(next(s, alive(), firstMs + 20)).toEqual({ do: 'wait', untilMs: firstMs + 50 });
  const step = next(s, alive(), firstMs + 50);
  const body = {
    type: 'update.staged',
    inTurnUpdate: `s1.${s.seq + 1}`,
    run: 1,
    prompt: 'p1',
    positions: [7, 8],
    chain: 0,
  };
  expect(step).toEqual({ do: 'append', events: [body] });
  const stagedSession = sessionAfter(LIVE, ...WORKING, queued(7), queued(8), staged(7, 8));
  expect(next(stagedSession, alive('none'), 200)).toMatchObject({
    do: 'act',
    effect: {
      kind: 'stage',
      run: 1,
      update: 's1.9',
      text: expect.stringMatching(/\(s1\.9\);[\s\S]*- kid 7\n- kid 8\n/),
    },
  });
  expect(next(stagedSession, alive('out'), 200)).toMatchObject({ do: 'wait' });
});

test('delivered updates leave the queue, and later ones are staged after them', () => {
  const s = sessionAfter(LIVE, ...WORKING, queued(7), staged(7), queued(8));
  expect(next(s, alive('told'), 200)).toEqual({
    do: 'append',
    events: [{ type: 'update.delivered', prompt: 'p1', count: 1, chain: 0, inTurnUpdate: 's1.9' }],
  });
  const delivered: EventBody = { type: 'update.delivered', prompt: p1, count: 1, chain: 0, inTurnUpdate: 's1.9' };
  const after = sessionAfter(LIVE, ...WORKING, queued(7), staged(7), queued(8), delivered);
  expect(after.updates.queued.map(({ position }) => position)).toEqual([8]);
  expect(next(after, alive(), LATER)).toMatchObject({ events: [{ type: 'update.staged', positions: [8] }] });
});

test('after the turn, staged updates that the hook did not take are unstaged first, and then withdrawn', () => {
  const s = sessionAfter({ ...LIVE, keepOpen: true }, ...WORKING, queued(7), staged(7), answered);
  expect(next(s, alive('out'), LATER)).toEqual({ do: 'act', effect: { kind: 'unstage', run: 1, update: 's1.9' } });
  const back = { type: 'update.withdrawn', inTurnUpdate: 's1.9', count: 1, taken: false };
  expect(next(s, alive('back'), LATER)).toEqual({ do: 'append', events: [back] });
  expect(next(s, alive('told'), LATER)).toMatchObject({ events: [{ type: 'update.delivered', inTurnUpdate: 's1.9' }] });
});

test('updates that the hook took are waited for as long as the agent may still record them', () => {
  const s = sessionAfter({ ...LIVE, keepOpen: true }, ...WORKING, queued(7), staged(7), answered);
  const sinceMs = 'sinceMs' in s.phase ? s.phase.sinceMs : 0;
  expect(next(s, alive('taken'), sinceMs + 10)).toMatchObject({ do: 'wait' });
  const lost = { events: [{ type: 'update.withdrawn', taken: true }] };
  expect(next(s, alive('taken'), sinceMs + 3_000)).toMatchObject(lost);
  const broken = sessionAfter(LIVE, ...WORKING, queued(7), staged(7));
  expect(next(broken, dead('taken'), 200)).toMatchObject(lost);
  expect(next(broken, dead('out'), 200)).toMatchObject({ effect: { kind: 'unstage' } });
});

test('nothing is staged while a person has control, between turns, or when the chain is too long', () => {
  const taken: EventBody = { type: 'control.taken', by: person('ann'), how: 'handoff' };
  const isStaged = (s: Session): boolean => {
    const step = next(s, alive(), 500);
    return step.do === 'append' && step.events.some(({ type }) => type === 'update.staged');
  };
  expect(isStaged(sessionAfter(OPEN, ...WORKING, queued(7)))).toBe(true);
  expect(isStaged(sessionAfter(OPEN, ...WORKING, taken, queued(7)))).toBe(false);
  expect(isStaged(sessionAfter(OPEN, ...WORKING, answered, queued(7)))).toBe(false);
  expect(isStaged(sessionAfter(OPEN, ...WORKING, queued(7, { chain: 10 })))).toBe(false);
  expect(isStaged(sessionAfter(OPEN, ...READY, ...prompted('p1', 'sending'), queued(7)))).toBe(false);
});

test('staged updates do not delay a prompt that steers the turn', () => {
  const steer: EventBody = { type: 'prompt.queued', prompt: 'p2' as PromptId, text: 'faster', now: true };
  const s = sessionAfter(LIVE, ...WORKING, queued(7), staged(7), steer);
  const box = { ...snapshot({ screen: { is: 'busy' } }), inTurnUpdate: 'out' } as const;
  expect(next(s, box, 200)).toMatchObject({ events: [{ type: 'prompt.sending', prompt: 'p2' }] });
});

test('only as many updates are staged as the agent can be shown in full', () => {
  const text = `- kid\n${'x'.repeat(3_000)}`;
  const s = sessionAfter(OPEN, ...WORKING, ...[7, 8, 9].map((position) => queued(position, { text })));
  expect(next(s, alive(), 500)).toMatchObject({ events: [{ positions: [7, 8] }] });
  const huge = sessionAfter(OPEN, ...WORKING, queued(7, { text: 'x'.repeat(9_000) }));
  expect(next(huge, alive(), 500)).toMatchObject({ do: 'wait' });
});

test('what starts after updates in a turn belongs to their chain, also when the turn is repeated', () => {
  const begun: EventBody = { ...staged(7), chain: 3 } as EventBody;
  const delivered: EventBody = { type: 'update.delivered', prompt: p1, count: 1, chain: 3, inTurnUpdate: 's1.9' };
  const s = sessionAfter(LIVE, ...WORKING, queued(7, { chain: 3 }), begun, delivered);
  const stagedMs = s.updates.turnsBegun.at(-1)?.sinceMs ?? 0;
  expect([chainAt(s.updates, stagedMs - 1), chainAt(s.updates, stagedMs), chainAt(s.updates, LATER)]).toEqual([
    0, 3, 3,
  ]);
  const again: EventBody = { type: 'prompt.sending', prompt: p1, turn: 2, run: 1 };
  expect(
    sessionAfter(LIVE, ...WORKING, queued(7, { chain: 3 }), begun, delivered, again).updates.turnsBegun.at(-1)?.chain,
  ).toBe(3);
});

test('an update that was read leaves the queue, and the staged updates with it are withdrawn', () => {
  const s = sessionAfter(LIVE, ...WORKING, queued(7), queued(8), staged(7, 8));
  const read = admit(s, { type: 'read', from: 'kid' as SessionId, upTo: 7 });
  const body: EventBody = { type: 'update.read', from: 'kid' as SessionId, positions: [7] };
  expect(read).toEqual({ ok: true, events: [body] });
  const after = sessionAfter(LIVE, ...WORKING, queued(7), queued(8), staged(7, 8), body);
  expect(after.updates.queued.map(({ position }) => position)).toEqual([8]);
  expect(next(after, alive('out'), 200)).toMatchObject({ effect: { kind: 'unstage' } });
  expect(next(after, alive('back'), 200)).toMatchObject({ events: [{ type: 'update.withdrawn', taken: false }] });
  // The hook has taken them already, so all are delivered, including the one that was read.
  expect(next(after, alive('taken'), 200)).toMatchObject({ do: 'wait' });
  expect(next(after, alive('told'), 200)).toMatchObject({
    events: [{ type: 'update.delivered', inTurnUpdate: 's1.9' }],
  });
});

test('reading a session acknowledges only an end or an answer, and only of that session', () => {
  const message: EventBody = { ...queued(7), update: { ...updateOf(7), event: 'session.told' } } as EventBody;
  const asked: EventBody = { ...queued(8), update: { ...updateOf(8), event: 'approval.asked' } } as EventBody;
  const s = sessionAfter(LIVE, ...WORKING, message, asked, queued(9));
  const read = (from: string, upTo: number) => admit(s, { type: 'read', from: from as SessionId, upTo });
  expect(read('kid', 8)).toEqual({ ok: true, events: [] });
  expect(read('other', 9)).toEqual({ ok: true, events: [] });
  expect(read('kid', 9)).toMatchObject({ events: [{ positions: [9] }] });
});

function updateOf(position: number) {
  return { from: 'kid' as SessionId, position, text: '- kid', isUrgent: true, chain: 0 };
}
