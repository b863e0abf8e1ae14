import { expect, test } from 'vitest';
import { nextAnswer } from './next-answer.ts';
import type { Session } from './session.ts';
import type { Snapshot } from './snapshot.ts';

const QUESTION = '1:a';

function answer(more: { interrupting?: object; gate?: object; approvals?: readonly object[]; proof?: string }) {
  const { interrupting = null, gate, approvals = [], proof = 'done' } = more;
  const session = {
    phase: { at: 'blocked' },
    run: { number: 1 },
    spec: { drive: 'server', conversation: gate === undefined ? {} : { gate } },
    gate: { answers: [], approvals },
    turn: { interrupting },
  } as unknown as Session;
  const screen = { is: 'busy' };
  const snapshot = { messages: { proof, unanswered: [QUESTION] }, screen, tried: 'yes' } as unknown as Snapshot;
  return nextAnswer(session, snapshot);
}

const NO = { do: 'act', effect: { kind: 'answer', run: 1, question: QUESTION, allow: false, seq: null } };

test('an open question waits for its decision; without a gate it is answered with yes', () => {
  const approvals = [{ hook: QUESTION }];
  expect(answer({ gate: {}, approvals })).toBeNull();
  expect(answer({})).toMatchObject({ effect: { allow: true } });
});

test('a question of a turn that was interrupted is answered with no, once the interrupt was sent', () => {
  const [approvals, interrupting] = [[{ hook: QUESTION }], { sinceMs: 0 }];
  expect(answer({ gate: {}, approvals, interrupting, proof: 'not-done' })).toBeNull();
  expect(answer({ gate: {}, approvals, interrupting })).toEqual(NO);
  expect(answer({ interrupting })).toEqual(NO);
});
