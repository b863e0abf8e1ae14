import { expect, test } from 'vitest';
import { LIVE, prompted, READY, sessionAfter, snapshot, TURNS } from '../testing/sessions.ts';
import { person } from './actor.ts';
import { admit } from './admit.ts';
import type { EventBody } from './event.ts';
import { next } from './next.ts';
import { say } from './say.ts';
import type { ConversationId, PromptId, Session, Switch } from './session.ts';

const TO: Switch = {
  agent: 'other',
  drive: 'turns',
  terminal: 'pipe',
  conversation: {
    ...{ chosenBy: 'agent', id: null, forkOf: null, model: null },
    ...{ args: [], envNames: [], trusted: false, after: [], screen: 'pty' },
  },
  handover: 'What happened.',
  turns: 1,
};
const switching: EventBody = { type: 'session.switching', by: person(null), why: 'asked', to: TO };
const switched: EventBody = { type: 'session.switched', from: 'fake', to: 'other' };
const input = { type: 'switch', by: person(null), why: 'asked', to: TO } as const;
const limited: EventBody = { type: 'session.limited', run: 1, untilMs: 9_000, text: 'limit' };
const troubled: EventBody = {
  type: 'prompt.troubled',
  prompt: 'a' as PromptId,
  trouble: { kind: 'limited', untilMs: 9_000 },
  text: 'limit',
};
const AT_LIMIT = [...READY, ...prompted('a', 'accepted'), troubled, limited];
const alive = { is: 'alive', pid: 7, quietMs: 0, outputBytes: 1, sink: 'ok' } as const;
const dead = { is: 'dead', exit: { status: 0 }, outputBytes: 1, drained: true, exitAgeMs: 5 } as const;
const step = (s: Session, terminal: typeof alive | typeof dead, strayProcesses = 0) =>
  next(s, snapshot({ terminal: { failed: null, ...terminal } as never, strayProcesses }), 1_000);

test('the process of the first agent ends before another one takes over', () => {
  const s = sessionAfter(LIVE, ...AT_LIMIT, switching);
  expect(step(s, alive)).toEqual({ do: 'act', effect: { kind: 'close', run: 1 } });
  expect(step(s, dead, 1)).toEqual({ do: 'act', effect: { kind: 'close', run: 1 } });
  expect(step(s, dead)).toMatchObject({ do: 'append', events: [{ type: 'run.ended' }, switched] });
});

test('everything that is not answered goes to the new agent, the first with the hand-over', () => {
  const s = sessionAfter(LIVE, ...AT_LIMIT, ...prompted('b', 'queued'), switching, switched);
  expect(s.spec).toMatchObject({ agent: 'other', drive: 'turns', terminal: 'pipe' });
  expect(s.conversation).toMatchObject({ id: null, written: 'no' });
  expect(s.conversation.earlier).toMatchObject([{ agent: 'fake', id: 'c1', limitedUntilMs: 9_000, turns: 1 }]);
  expect(s.prompts.map((prompt) => [prompt.state, say(prompt)])).toEqual([
    ['queued', { token: 'a#2', text: 'What happened.\n\nDo a' }],
    ['queued', { token: 'b#0', text: 'Do b' }],
  ]);
  // When the new agent is interrupted, it is told to continue like any other.
  const again = sessionAfter(LIVE, ...AT_LIMIT, switching, switched, {
    type: 'prompt.sending',
    prompt: 'a' as PromptId,
    turn: 3,
    run: 2,
  });
  expect(say(again.prompts[0])?.text).toContain('You had been asked:\nDo a');
});

test('what was known about the limits of an agent stays with its conversation', () => {
  const windows = [{ name: 'five_hour', usedPercent: 100, resetsAtMs: 9_000 }];
  const s = sessionAfter(LIVE, ...AT_LIMIT, { type: 'usage.gauged', run: 1, windows }, switching, switched);
  expect(s.accounting.gauges).toBeUndefined();
  const { gauges, limitedSinceMs } = s.conversation.earlier?.[0] ?? {};
  expect(gauges).toMatchObject(windows);
  expect(limitedSinceMs).toBe((sessionAfter(LIVE, ...AT_LIMIT).phase as { sinceMs: number }).sinceMs);
  expect(s.conversation).not.toHaveProperty('limitedSinceMs');
});

test('without an open prompt the next one has the hand-over, once; a command of the agent has none', () => {
  const queued = (prompt: string, command = false): EventBody => ({
    type: 'prompt.queued',
    prompt: prompt as PromptId,
    text: `Do ${prompt}`,
    ...(command && { command }),
  });
  const s = sessionAfter(TURNS, switching, switched, queued('c', true), queued('d'), queued('e'));
  expect(s.prompts.map((prompt) => say(prompt)?.text)).toEqual(['Do c', 'What happened.\n\nDo d', 'Do e']);
});

test('a conversation that the agent had before is resumed', () => {
  const id = 'old' as ConversationId;
  const conversation = { ...TO.conversation, chosenBy: 'us' as const, id };
  const back: EventBody = { ...switching, to: { ...TO, conversation, resumes: { transcript: '/old' } } };
  const s = sessionAfter(TURNS, back, switched);
  expect(s.conversation).toMatchObject({ id: 'old', transcript: '/old', written: 'yes' });
});

test.each<[string, EventBody[], string[] | string]>([
  ['limited', AT_LIMIT, ['session.switching']],
  ['idle', [...READY], ['session.switching']],
  [
    'ended',
    [...READY, { type: 'session.ended', outcome: { kind: 'done', exit: null } }],
    ['session.resumed', 'session.switching'],
  ],
  ['working', [...READY, ...prompted('a', 'accepted')], 'busy'],
  ['handed off', [...READY, { type: 'control.taken', by: person(null), how: 'handoff' }], 'handed_off'],
  ['switching already', [...AT_LIMIT, switching], []],
])('a session that is %s', (_, events, result) => {
  const admission = admit(sessionAfter(LIVE, ...events), input);
  expect(admission.ok ? admission.events.map(({ type }) => type) : admission.code).toEqual(result);
});

test('a session that is stopped before the switch keeps its agent', () => {
  const stopped = { type: 'session.closing', outcome: { kind: 'stopped', by: person(null) } } as const;
  const s = sessionAfter(LIVE, ...AT_LIMIT, switching, stopped, { type: 'session.ended', outcome: stopped.outcome });
  expect(s.conversation.switchTo).toBeUndefined();
  expect(s.spec.agent).toBe('fake');
});
