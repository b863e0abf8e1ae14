import { expect, test } from 'vitest';
import { person } from '../../core/actor.ts';
import type { EventBody } from '../../core/event.ts';
import type { SessionId } from '../../core/session.ts';
import { memoryJournal } from '../../journal/memory-journal.ts';
import { LIVE, prompted, sessionAfter } from '../../testing/sessions.ts';
import type { Handlers } from './http.ts';
import { withWholeIds } from './whole-ids.ts';

const API = '01m7te76hwzfqag62h06';
const WEB = '01m7te76hwzfqag62h07';
const OTHER = '01m7zzzzzzzzzzzzzzzz';
const PROMPT = '01m7te8000000000000a';

/** Handlers that return what they get, over a journal with three sessions. */
function world() {
  const journal = memoryJournal();
  const add = (id: string, name: string | null, ...events: EventBody[]): void => {
    const all: EventBody[] = [{ type: 'session.created', spec: { ...LIVE, name } }, ...events];
    journal.append({ session: id as SessionId, afterSeq: 0, events: all, cause: null, atMs: 1, steadyMs: 1 });
  };
  add(API, 'api', ...prompted(PROMPT, 'queued'), ...prompted('first', 'queued'));
  add(WEB, null);
  add(OTHER, '01m7named');
  const asked = (approval: string): EventBody =>
    ({
      ...{ type: 'approval.asked', run: 1, approval, call: null, tool: 'Bash', input: '{}', hash: 'h', subagent: null },
      ...{ hook: 'h1', why: '', mode: 'gate' },
    }) as unknown as EventBody;
  const asking = () => [sessionAfter(LIVE, asked('k7mpq2xw'), asked('k7mpq2yz'))];
  const echo = new Proxy({}, { ownKeys: () => NAMES, getOwnPropertyDescriptor: () => ENUMERABLE, get: () => same });
  return withWholeIds({ journal, sessions: { asking } }, echo as Handlers) as unknown as Record<string, Echo>;
}

type Echo = (input: object) => unknown;
const NAMES = ['session.show', 'session.start', 'session.list', 'session.drop', 'approval.decide'];
const ENUMERABLE = { enumerable: true, configurable: true };
const same = (input: object): object => input;

const given = (name: string, input: object): unknown => world()[name]?.(input);

test.each([
  ['session.show', { session: '01m7te76hwzfqag62h06' }, { session: API }],
  ['session.show', { session: '01m7te76hwzfqag62h07' }, { session: WEB }],
  ['session.show', { session: '01m7zz' }, { session: OTHER }],
  ['session.show', { session: 'api' }, { session: 'api' }],
  ['session.start', { fork: '01m7zz', after: ['01m7zzz', 'api'] }, { fork: OTHER, after: [OTHER, 'api'] }],
  ['session.list', { below: '01m7zz', before: '01m7zz' }, { below: OTHER, before: OTHER }],
  ['session.drop', { session: 'api', prompt: '01m7te80' }, { session: 'api', prompt: PROMPT }],
  ['session.drop', { session: 'api', prompt: 'first' }, { session: 'api', prompt: 'first' }],
  ['approval.decide', { which: 'k7mpq2x' }, { which: 'k7mpq2xw' }],
  ['approval.decide', { which: 'k7mpq2xw', alike: true }, { which: 'k7mpq2xw', alike: true }],
  ['approval.decide', { which: '01m7zz' }, { which: OTHER }],
])('%s of %j is about %j', (name, input, whole) => {
  expect(given(name, input)).toEqual(whole);
});

test('a name comes before the beginning of an id', () => {
  expect(given('session.show', { session: '01m7named' })).toEqual({ session: '01m7named' });
});

test.each([
  ['session.show', { session: '01m' }],
  ['session.show', { session: '01M7ZZ' }],
  ['session.show', { session: '01m7yy' }],
  ['session.show', { session: `${OTHER}0` }],
  ['session.drop', { session: 'nobody', prompt: '01m7te80' }],
  // Anyone can compute the id that a tool call would get.
  ['approval.decide', { which: 'k7mp' }],
])('%s of %j is left as it is, for the handler to refuse', (name, input) => {
  expect(given(name, input)).toEqual(input);
});

test('what fits more than one is refused, with a list', () => {
  expect(() => given('session.show', { session: '01m7te76' })).toThrow(
    `"01m7te76" begins more than one session: ${API} (api), ${WEB}`,
  );
  expect(() => given('approval.decide', { which: 'k7mpq2' })).toThrow(
    '"k7mpq2" begins more than one approval: k7mpq2xw (Bash of live), k7mpq2yz (Bash of live)',
  );
});

test('a decision about many needs the whole id', () => {
  expect(() => given('approval.decide', { which: 'k7mpq2x', alike: true })).toThrow('needs the whole id: k7mpq2xw');
});

test('a removed session is not found by the beginning of its id', () => {
  const journal = memoryJournal();
  const events: EventBody[] = [
    { type: 'session.created', spec: LIVE },
    { type: 'session.ended', outcome: { kind: 'stopped', by: person('ana') } } as unknown as EventBody,
    { type: 'session.removed', by: person('ana') },
  ];
  journal.append({ session: API as SessionId, afterSeq: 0, events, cause: null, atMs: 1, steadyMs: 1 });
  const shown = withWholeIds({ journal, sessions: { asking: () => [] } }, {
    'session.show': same,
  } as unknown as Handlers);
  expect((shown as unknown as Record<string, Echo>)['session.show']?.({ session: '01m7te' })).toEqual({
    session: '01m7te',
  });
});
