import { expect, test } from 'vitest';
import { asked, LIVE, prompted, READY, sessionAfter, snapshot } from '../testing/sessions.ts';
import type { EventBody } from './event.ts';
import { nextLeftOver } from './next-turn.ts';
import { say } from './say.ts';
import type { Prompt, PromptId, Session, Spec } from './session.ts';
import { beginning, isBegun, starting, tokenOf } from './steps.ts';

const OPEN = [{ id: 'c1', tool: 'shell', input: 'echo one' }];
const CALLED: EventBody = { type: 'tool.called', run: 1, call: 'c2', tool: 'shell', input: 'echo two', subagent: null };
const FAULTED: EventBody = { type: 'run.faulted', run: 1, fault: { kind: 'lost', reboot: false }, retryAtMs: 5 };

function cutOff(spec: Spec, ...events: EventBody[]): Session {
  return sessionAfter(spec, ...READY, ...prompted('p1', 'accepted'), ...events, FAULTED);
}

const recorded = (turn: 'open' | 'closed') => {
  const { transcript, ...rest } = snapshot();
  return { ...rest, transcript: { ...transcript, exists: true, turn, open: OPEN } };
};

test('a call that only the record has is named to the agent that continues', () => {
  const cut = cutOff(LIVE);
  const began = starting(cut, recorded('open'));
  expect(began.open).toEqual(OPEN);
  const [prompt] = sessionAfter(LIVE, ...READY, ...prompted('p1', 'accepted'), FAULTED, began).prompts;
  expect(prompt?.unknown).toEqual(OPEN);
  expect(prompt && say({ ...prompt, turn: 2 })?.text).toContain('- shell echo one');
});

test('in turns, too, where the prompt is sent again with the start', () => {
  const turns: Spec = { ...LIVE, drive: 'turns' };
  const transcript = { ...recorded('open').transcript, received: [tokenOf(cutOff(turns).prompts[0] as Prompt)] };
  const began = beginning(cutOff(turns), { ...recorded('open'), transcript });
  const [prompt] = sessionAfter(turns, ...READY, ...prompted('p1', 'accepted'), FAULTED, ...began).prompts;
  expect(prompt).toMatchObject({ state: 'sending', turn: 2, unknown: OPEN });
});

test('a call that was reported is not named twice, and one of a closed or gated turn not at all', () => {
  expect(starting(cutOff(LIVE, CALLED), recorded('open')).open).toBeUndefined();
  expect(starting(cutOff(LIVE), recorded('closed')).open).toBeUndefined();
});

test('a prompt whose calls were reported is continued, as a whole, although the record does not have it', () => {
  const turns: Spec = { ...LIVE, drive: 'turns' };
  const cut = cutOff(turns, CALLED);
  const began = beginning(cut, snapshot());
  expect(began[0]).toMatchObject({ type: 'prompt.sending', turn: 2, unwritten: true });
  const [prompt] = sessionAfter(turns, ...READY, ...prompted('p1', 'accepted'), CALLED, FAULTED, ...began).prompts;
  const long = 'x'.repeat(2_000);
  const text = prompt && say({ ...prompt, text: long })?.text;
  expect(text).toContain('- shell echo two');
  expect(text).toContain(long);
  const [live] = cutOff(LIVE, CALLED).prompts;
  expect(live && nextLeftOver(cutOff(LIVE, CALLED), live, snapshot(), 100)).toMatchObject({
    events: [{ type: 'prompt.sending', turn: 2, unwritten: true }],
  });
});

test('a prompt that began nothing is sent as it was, where the record does not have it', () => {
  const turns: Spec = { ...LIVE, drive: 'turns' };
  expect(beginning(cutOff(turns), snapshot())[0]).toEqual({ type: 'prompt.sending', prompt: 'p1', turn: 1, run: 2 });
});

test('a prompt that was never written down still names the calls of each run that began it', () => {
  const turns: Spec = { ...LIVE, drive: 'turns' };
  const cut = [...READY, ...prompted('p1', 'accepted'), CALLED, FAULTED];
  const again = beginning(sessionAfter(turns, ...cut), snapshot());
  const heard: EventBody[] = [
    { type: 'run.opened', run: 2, pid: 8 },
    { type: 'prompt.accepted', prompt: 'p1' as PromptId, turnId: null },
  ];
  const third = { ...CALLED, run: 2, call: 'c3', input: 'echo three' };
  const broke: EventBody = { ...FAULTED, run: 2 };
  const idle = sessionAfter(turns, ...cut, ...again, ...heard, broke);
  expect(idle.prompts[0]?.unknown.map(({ id }) => id)).toEqual(['c2']);
  expect(beginning(idle, snapshot())[0]).toMatchObject({ turn: 3, unwritten: true });
  const busy = sessionAfter(turns, ...cut, ...again, ...heard, third, broke);
  expect(busy.prompts[0]?.unknown.map(({ id }) => id)).toEqual(['c2', 'c3']);
});

const call = (id: string): EventBody => ({ ...CALLED, call: id, input: `echo ${id}` });
const RESULT = { type: 'tool.ended', run: 1, tool: 'shell', error: null, tookMs: 1 } as const;
const result = (id: string): EventBody => ({ ...RESULT, call: id });

test('where nothing of a turn was written down, the calls that ended before the last are named too', () => {
  const turns: Spec = { ...LIVE, drive: 'turns' };
  const calls = [call('a'), result('a'), call('b'), result('b'), call('c')];
  const cut = [...READY, ...prompted('p1', 'accepted'), ...calls, FAULTED];
  const begun = beginning(sessionAfter(turns, ...cut), snapshot());
  const [unwritten] = sessionAfter(turns, ...cut, ...begun).prompts;
  const text = (unwritten && say(unwritten)?.text) ?? '';
  expect(text).toContain('had ended, even if you cannot see that:\n- shell echo a\n- shell echo b\nIt is not known');
  expect(text).toContain('were running:\n- shell echo c\n');
  // An agent whose record has the prompt has all but the last there too.
  const received = { ...snapshot(), transcript: { ...snapshot().transcript, exists: true, received: ['p1#1'] } };
  const [written] = sessionAfter(turns, ...cut, ...beginning(sessionAfter(turns, ...cut), received)).prompts;
  expect((written && say(written)?.text) ?? '').not.toContain('echo a');
});

test('a prompt whose only calls have ended long before, or wait for approval, has begun', () => {
  const cut = [
    ...READY,
    ...prompted('p1', 'accepted'),
    call('a'),
    result('a'),
    call('b'),
    asked('q', { call: 'b' }),
    FAULTED,
  ];
  const [prompt] = sessionAfter(LIVE, ...cut).prompts;
  expect(prompt).toMatchObject({ unknown: [], done: [], earlier: [{ id: 'a' }] });
  expect(prompt && isBegun(prompt)).toBe(true);
});

test('of more calls side by side than are kept as the last, the first count as earlier', () => {
  const ids = Array.from({ length: 10 }, (_, i) => `n${i}`);
  const cut = [...READY, ...prompted('p1', 'accepted'), ...ids.map(call), ...ids.map(result), FAULTED];
  const [prompt] = sessionAfter(LIVE, ...cut).prompts;
  expect([prompt?.earlier, prompt?.done].map((all) => all?.map(({ id }) => id))).toEqual([
    ids.slice(0, 2),
    ids.slice(2),
  ]);
});
