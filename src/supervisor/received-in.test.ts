import { expect, test } from 'vitest';
import type { RecordedPrompt, TranscriptView } from '../agent/seam/record.ts';
import type { EventBody } from '../core/event.ts';
import type { Session } from '../core/session.ts';
import { prompted, sessionAfter, TURNS } from '../testing/sessions.ts';
import type { Kept } from './kept.ts';
import { receivedIn, turnIdsOf } from './received-in.ts';

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
