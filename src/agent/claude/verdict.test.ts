import { expect, test } from 'vitest';
import { liveVerdict, turnsVerdict } from './verdict.ts';

const QUIET = { status: 0, terminalGone: false, personSeen: false, lastWord: 'other' } as const;

test.each([
  ['reports that a person left', { lastWord: 'prompt_input_exit' }, 'left'],
  ['reports so, and its terminal goes with it', { lastWord: 'prompt_input_exit', terminalGone: true }, 'left'],
  ['was attended by a person', { personSeen: true }, 'left'],
  ['was attended by a person whose terminal died', { personSeen: true, terminalGone: true }, 'crashed'],
  ['lost its terminal', { terminalGone: true }, 'crashed'],
  ['gives no useful reason, and no person was there', {}, 'unknown'],
  ['gives no reason, and no person was there', { lastWord: null }, 'unknown'],
  ['has started another conversation before', { lastWord: 'clear' }, 'unknown'],
  ['ended with another status', { status: 143, personSeen: true }, 'crashed'],
] as const)('a run that %s', (_, end, verdict) => {
  expect(liveVerdict({ ...QUIET, ...end })).toBe(verdict);
});

test('a process of one turn has finished when its status is 0, and crashed otherwise', () => {
  expect([0, 1, 143].map((status) => turnsVerdict({ ...QUIET, status }))).toEqual(['finished', 'crashed', 'crashed']);
});
