import { expect, test } from 'vitest';
import { type Actor, actorText, named } from './actor.ts';
import type { EventBody } from './event.ts';
import type { PromptId, SessionId } from './session.ts';
import { readBody, storedBody } from './stored-body.ts';

const ACTORS: readonly [string, Actor][] = [
  ['ann', { is: 'person', name: 'ann' }],
  ['a person', { is: 'person', name: null }],
  ['a person at its screen', { is: 'person', name: null, at: 'screen' }],
  ['a person at its terminal', { is: 'person', name: null, at: 'terminal' }],
  ['mcp', { is: 'program', name: 'mcp' }],
  ['caller', { is: 'program', name: 'caller' }],
  ['its owner', { is: 'owner', session: null }],
  ['timeout', { is: 'policy', bound: 'timeout' }],
  ['silence', { is: 'policy', bound: 'silence' }],
  ['a hang', { is: 'policy', bound: 'hang' }],
  ['retention', { is: 'policy', bound: 'retention' }],
  ['a probe', { is: 'host', why: 'probe' }],
  ['an answer to its account', { is: 'host', why: 'answered' }],
  ['a visit', { is: 'host', why: 'visit' }],
  ['the end of its turn', { is: 'host', why: 'turn-over' }],
  ['the end of its owner', { is: 'host', why: 'owner-ended' }],
  ['caller left', { is: 'host', why: 'caller-left' }],
  ['daemon restarted', { is: 'host', why: 'restarted' }],
  ['the journal was rebuilt', { is: 'host', why: 'rebuilt' }],
];

const asStored = (body: EventBody): unknown => JSON.parse(JSON.stringify(storedBody(body)));

test.each(ACTORS)('%s: an actor that an older version stored is read, and shown with the same text', (word, actor) => {
  expect(actorText(actor)).toBe(word);
  const old = { type: 'turn.interrupting', run: 1, by: word };
  expect(readBody(old)).toEqual({ type: 'turn.interrupting', run: 1, by: actor });
  const ended = { type: 'session.ended', outcome: { kind: 'stopped', by: word } };
  expect(readBody(ended)).toEqual({ type: 'session.ended', outcome: { kind: 'stopped', by: actor } });
});

test.each(ACTORS)('%s: an actor is stored with the old text, and with its fields beside it', (word, actor) => {
  const body: EventBody = { type: 'prompt.interrupted', prompt: 'p' as PromptId, by: actor };
  expect(asStored(body)).toEqual({ ...body, by: word, actor });
  expect(readBody(asStored(body))).toEqual(body);
  const closing: EventBody = { type: 'session.closing', outcome: { kind: 'stopped', by: actor } };
  expect(asStored(closing)).toEqual({ ...closing, outcome: { kind: 'stopped', by: word, actor } });
  expect(readBody(asStored(closing))).toEqual(closing);
});

test('a person who has the name of a policy is still a person', () => {
  const body: EventBody = { type: 'session.removed', by: { is: 'person', name: 'timeout' } };
  expect(readBody(asStored(body))).toEqual(body);
});

test('an old decision by rules is read with its rule, and an old refusal with its process', () => {
  const decided = { type: 'approval.decided', by: 'rules', rule: 'Bash(ls)' };
  expect(readBody(decided)).toMatchObject({ by: { is: 'rule', rule: 'Bash(ls)' } });
  expect(readBody({ ...decided, rule: null })).toMatchObject({ by: { is: 'rule', rule: null } });
  const refused = { type: 'approval.refused', by: 'process 7 (sh)' };
  expect(readBody(refused)).toMatchObject({ by: { is: 'program', name: 'process 7 (sh)' } });
});

test('a body without an actor is stored unchanged', () => {
  const by = [{ model: 'opus', tokens: 3, usd: null }];
  const counted: EventBody = { type: 'usage.counted', prompt: null, usage: { turns: 1, tokens: 3, usd: null }, by };
  expect(readBody(asStored(counted))).toEqual(counted);
  const released: EventBody = { type: 'session.released', run: 1 };
  expect(readBody(asStored(released))).toEqual(released);
});

test('a caller has the name of a person or a program, and of nothing else', () => {
  for (const [word, actor] of ACTORS) {
    const isTheirs = ['ann', 'a person', 'mcp', 'caller'].includes(word);
    expect([word, named(word)]).toEqual([word, isTheirs ? actor : null]);
  }
  expect(actorText({ is: 'owner', session: 's' as SessionId })).toBe('its owner');
});

test.each([
  [
    { type: 'wake.queued', wake: { from: 's2', position: 7 } },
    { type: 'update.queued', update: { from: 's2', position: 7 } },
  ],
  [
    { type: 'wake.told', prompt: 'p', count: 1, chain: 0, offer: 's1.9' },
    { type: 'update.delivered', prompt: 'p', count: 1, chain: 0, inTurnUpdate: 's1.9' },
  ],
  [
    { type: 'prompt.accepted', prompt: 'p', mark: 'm' },
    { type: 'prompt.accepted', prompt: 'p', turnId: 'm' },
  ],
  [
    { type: 'session.held', run: 1, why: { kind: 'budget', text: 't', word: true } },
    { type: 'session.held', run: 1, why: { kind: 'budget', text: 't', needsResume: true } },
  ],
])('the body %j of version 0.1 is read with the current names', (old, now) => {
  expect(readBody(old)).toEqual(now);
});
