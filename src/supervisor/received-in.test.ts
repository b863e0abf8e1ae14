import { describe, expect, test } from 'vitest';
import type { RecordedPrompt, TranscriptView } from '../agent/seam/record.ts';
import type { TurnEnd } from '../agent/seam/turns.ts';
import type { EventBody } from '../core/event.ts';
import type { Prompt, Session } from '../core/session.ts';
import { prompted, sessionAfter, TURNS } from '../testing/sessions.ts';
import type { Kept } from './kept.ts';
import { receivedBy, receivedIn, turnIdsOf } from './received-in.ts';

const kept = { record: { keysOf: (text: string) => [text] } } as unknown as Kept;
const recorded = (turnId: string, text: string): RecordedPrompt => ({
  ...{ turn: 'closed', reply: `reply of ${turnId}`, keys: [text] },
  ...{ turnId, isSteered: false, atMs: null },
});
const view = (...prompts: RecordedPrompt[]): TranscriptView => ({
  ...{ isBegun: true, isCut: false, prompts, messages: [], contexts: [], open: [] },
});

/** A turn with the only prompt of a session, begun when the record ended with this turn. */
function sentAfter(upTo: string): { session: Session; text: string } {
  const starting: EventBody = { type: 'run.starting', run: 1, how: 'resume', boot: 'b', upTo };
  const session = sessionAfter(TURNS, ...prompted('p1', 'sending'), starting);
  return { session, text: session.prompts[0]?.text ?? '' };
}

test('an equal prompt that was there before the run is not the one that was sent to it', () => {
  const { session, text } = sentAfter('t1');
  const [prompt] = session.prompts;
  if (prompt === undefined) throw new Error('there is no prompt');
  expect(receivedIn(session, kept, view(recorded('t1', text)), prompt)).toBe('no');
  const both = view(recorded('t1', text), recorded('t2', text));
  expect(receivedIn(session, kept, both, prompt)).toMatchObject({ turnId: 't2' });
  // A record that no longer has that turn says nothing about order.
  expect(receivedIn(session, kept, view(recorded('t3', text)), prompt)).toMatchObject({ turnId: 't3' });
});

test('the ids of turns are given by token', () => {
  const own = [
    { token: 'a#1', received: recorded('t1', 'x') },
    { token: 'b#1', received: { turn: 'open', reply: '' } as const },
  ];
  expect(turnIdsOf(own)).toEqual({ turnIds: { 'a#1': 't1' } });
  expect(turnIdsOf([])).toEqual({});
});

describe('what the output of a run that ended shows, and its agent did not write down', () => {
  const starting: EventBody = { type: 'run.starting', run: 1, how: 'launch', boot: 'b' };
  const call = (id: string): EventBody => ({
    ...{ type: 'tool.called', run: 1, call: id, tool: 'bash', input: '{}', subagent: null },
  });
  const faulted: EventBody = { type: 'run.faulted', run: 1, fault: { kind: 'lost', reboot: false }, retryAtMs: 5 };
  const sentWith = (...calls: EventBody[]): readonly Prompt[] =>
    sessionAfter(TURNS, starting, ...prompted('p1', 'accepted'), ...calls, faulted).prompts;
  const open = (...called: string[]): TurnEnd => ({ turn: 'open', reply: '', called });

  test('is not taken for received if each of its calls can be named', () => {
    expect(receivedBy(sentWith(call('c1'), call('c2')), [], open('c1', 'c2'))).toEqual({ received: [] });
    expect(receivedBy(sentWith(), [], open())).toEqual({ received: [] });
  });

  test.each([
    ['one of its calls was not reported', open('c1', 'c2')],
    ['its calls are not known', { turn: 'open', reply: '' } as const],
  ])('is unknown if %s', (_, said) => {
    const { received, search } = receivedBy(sentWith(call('c1')), [], said);
    expect([received, search?.is]).toEqual([['p1#1'], 'unknown']);
  });

  test('counts if it has the end of the turn, or the record has the prompt', () => {
    expect(receivedBy(sentWith(), [], { turn: 'closed', reply: 'Done' })).toEqual({ received: ['p1#1'] });
    expect(receivedBy(sentWith(), ['p1#1'], open('c1'))).toEqual({ received: ['p1#1'] });
    expect(receivedBy(sentWith(), [], null)).toEqual({ received: [] });
  });
});
