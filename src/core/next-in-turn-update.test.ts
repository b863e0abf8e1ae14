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

const news = (position: number, more: { chain?: number; text?: string } = {}): EventBody => {
  const { chain = 0, text = `- kid ${position}` } = more;
  const update = { from: 'kid' as SessionId, position, event: 'session.ended', text, isUrgent: true, chain };
  return { type: 'update.queued', update };
};

const AT_WORK: readonly EventBody[] = [...READY, ...prompted('p1', 'accepted')];
const offer = (...positions: number[]): EventBody => ({
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

test('news for an agent at work are laid out together, a moment after the first, once that is written down', () => {
  const s = sessionAfter(LIVE, ...AT_WORK, news(7), news(8));
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
  const offered = sessionAfter(LIVE, ...AT_WORK, news(7), news(8), offer(7, 8));
  expect(next(offered, alive('none'), 200)).toMatchObject({
    do: 'act',
    effect: {
      kind: 'stage',
      run: 1,
      update: 's1.9',
      text: expect.stringMatching(/\(s1\.9\);[\s\S]*- kid 7\n- kid 8\n/),
    },
  });
  expect(next(offered, alive('out'), 200)).toMatchObject({ do: 'wait' });
});

test('what was told in a turn is no news any more, and more news are laid out after it', () => {
  const s = sessionAfter(LIVE, ...AT_WORK, news(7), offer(7), news(8));
  expect(next(s, alive('told'), 200)).toEqual({
    do: 'append',
    events: [{ type: 'update.delivered', prompt: 'p1', count: 1, chain: 0, inTurnUpdate: 's1.9' }],
  });
  const heard: EventBody = { type: 'update.delivered', prompt: p1, count: 1, chain: 0, inTurnUpdate: 's1.9' };
  const after = sessionAfter(LIVE, ...AT_WORK, news(7), offer(7), news(8), heard);
  expect(after.updates.queued.map(({ position }) => position)).toEqual([8]);
  expect(next(after, alive(), LATER)).toMatchObject({ events: [{ type: 'update.staged', positions: [8] }] });
});

test('after the turn, what nobody took is taken back first, and then it is news as before', () => {
  const s = sessionAfter({ ...LIVE, keepOpen: true }, ...AT_WORK, news(7), offer(7), answered);
  expect(next(s, alive('out'), LATER)).toEqual({ do: 'act', effect: { kind: 'unstage', run: 1, update: 's1.9' } });
  const back = { type: 'update.withdrawn', inTurnUpdate: 's1.9', count: 1, taken: false };
  expect(next(s, alive('back'), LATER)).toEqual({ do: 'append', events: [back] });
  expect(next(s, alive('told'), LATER)).toMatchObject({ events: [{ type: 'update.delivered', inTurnUpdate: 's1.9' }] });
});

test('what was taken is waited for as long as the agent may still write it down', () => {
  const s = sessionAfter({ ...LIVE, keepOpen: true }, ...AT_WORK, news(7), offer(7), answered);
  const sinceMs = 'sinceMs' in s.phase ? s.phase.sinceMs : 0;
  expect(next(s, alive('taken'), sinceMs + 10)).toMatchObject({ do: 'wait' });
  const lost = { events: [{ type: 'update.withdrawn', taken: true }] };
  expect(next(s, alive('taken'), sinceMs + 3_000)).toMatchObject(lost);
  const broken = sessionAfter(LIVE, ...AT_WORK, news(7), offer(7));
  expect(next(broken, dead('taken'), 200)).toMatchObject(lost);
  expect(next(broken, dead('out'), 200)).toMatchObject({ effect: { kind: 'unstage' } });
});

test('nothing is laid out while a person has control, between turns, or in a circle', () => {
  const taken: EventBody = { type: 'control.taken', by: person('ann'), how: 'handoff' };
  const offers = (s: Session): boolean => {
    const step = next(s, alive(), 500);
    return step.do === 'append' && step.events.some(({ type }) => type === 'update.staged');
  };
  expect(offers(sessionAfter(OPEN, ...AT_WORK, news(7)))).toBe(true);
  expect(offers(sessionAfter(OPEN, ...AT_WORK, taken, news(7)))).toBe(false);
  expect(offers(sessionAfter(OPEN, ...AT_WORK, answered, news(7)))).toBe(false);
  expect(offers(sessionAfter(OPEN, ...AT_WORK, news(7, { chain: 10 })))).toBe(false);
  expect(offers(sessionAfter(OPEN, ...READY, ...prompted('p1', 'sending'), news(7)))).toBe(false);
});

test('what is laid out does not go before a prompt that is sent into the turn', () => {
  const steer: EventBody = { type: 'prompt.queued', prompt: 'p2' as PromptId, text: 'faster', now: true };
  const s = sessionAfter(LIVE, ...AT_WORK, news(7), offer(7), steer);
  const box = { ...snapshot({ screen: { is: 'busy' } }), inTurnUpdate: 'out' } as const;
  expect(next(s, box, 200)).toMatchObject({ events: [{ type: 'prompt.sending', prompt: 'p2' }] });
});

test('of many news those are laid out that an agent is shown whole', () => {
  const text = `- kid\n${'x'.repeat(3_000)}`;
  const s = sessionAfter(OPEN, ...AT_WORK, ...[7, 8, 9].map((position) => news(position, { text })));
  expect(next(s, alive(), 500)).toMatchObject({ events: [{ positions: [7, 8] }] });
  const huge = sessionAfter(OPEN, ...AT_WORK, news(7, { text: 'x'.repeat(9_000) }));
  expect(next(huge, alive(), 500)).toMatchObject({ do: 'wait' });
});

test('what begins in a turn that was told news comes from them, also when the turn is taken up again', () => {
  const begun: EventBody = { ...offer(7), chain: 3 } as EventBody;
  const heard: EventBody = { type: 'update.delivered', prompt: p1, count: 1, chain: 3, inTurnUpdate: 's1.9' };
  const s = sessionAfter(LIVE, ...AT_WORK, news(7, { chain: 3 }), begun, heard);
  const offeredMs = s.updates.turnsBegun.at(-1)?.sinceMs ?? 0;
  expect([chainAt(s.updates, offeredMs - 1), chainAt(s.updates, offeredMs), chainAt(s.updates, LATER)]).toEqual([
    0, 3, 3,
  ]);
  const again: EventBody = { type: 'prompt.sending', prompt: p1, turn: 2, run: 1 };
  expect(
    sessionAfter(LIVE, ...AT_WORK, news(7, { chain: 3 }), begun, heard, again).updates.turnsBegun.at(-1)?.chain,
  ).toBe(3);
});

test('what was read is no news any more, and what is laid out with it is laid out anew', () => {
  const s = sessionAfter(LIVE, ...AT_WORK, news(7), news(8), offer(7, 8));
  const read = admit(s, { type: 'read', from: 'kid' as SessionId, upTo: 7 });
  const body: EventBody = { type: 'update.read', from: 'kid' as SessionId, positions: [7] };
  expect(read).toEqual({ ok: true, events: [body] });
  const after = sessionAfter(LIVE, ...AT_WORK, news(7), news(8), offer(7, 8), body);
  expect(after.updates.queued.map(({ position }) => position)).toEqual([8]);
  expect(next(after, alive('out'), 200)).toMatchObject({ effect: { kind: 'unstage' } });
  expect(next(after, alive('back'), 200)).toMatchObject({ events: [{ type: 'update.withdrawn', taken: false }] });
  // A hook has it already: it is told, and so is what was read.
  expect(next(after, alive('taken'), 200)).toMatchObject({ do: 'wait' });
  expect(next(after, alive('told'), 200)).toMatchObject({
    events: [{ type: 'update.delivered', inTurnUpdate: 's1.9' }],
  });
});

test('only an end and an answer are read with a session, and only its own', () => {
  const said: EventBody = { ...news(7), update: { ...wakeOf(7), event: 'session.told' } } as EventBody;
  const asked: EventBody = { ...news(8), update: { ...wakeOf(8), event: 'approval.asked' } } as EventBody;
  const s = sessionAfter(LIVE, ...AT_WORK, said, asked, news(9));
  const read = (from: string, upTo: number) => admit(s, { type: 'read', from: from as SessionId, upTo });
  expect(read('kid', 8)).toEqual({ ok: true, events: [] });
  expect(read('other', 9)).toEqual({ ok: true, events: [] });
  expect(read('kid', 9)).toMatchObject({ events: [{ positions: [9] }] });
});

function wakeOf(position: number) {
  return { from: 'kid' as SessionId, position, text: '- kid', isUrgent: true, chain: 0 };
}
