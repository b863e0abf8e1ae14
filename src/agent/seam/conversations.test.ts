import { expect, test } from 'vitest';
import { type Claim, type Judged, PARTIAL, weighed } from './conversations.ts';

const left = (status: Claim['status']): Claim => ({ pid: 1, start: '1', status, atMs: null });
const judged = (is: Judged['is'], why = 'because'): Judged => ({ is, why, skipped: 0 });

test('what a process said before its end settles what its file leaves open, and nothing else', () => {
  expect(weighed(judged('unknown', PARTIAL), left('busy')).is).toBe('interrupted');
  expect(weighed(judged('unknown', PARTIAL), left('idle')).is).toBe('unknown');
  expect(weighed(judged('unknown', PARTIAL), null).is).toBe('unknown');
  expect(weighed(judged('unknown', 'a line after the last message cannot be read'), left('busy')).is).toBe('unknown');
  expect(weighed(judged('interrupted'), left('waiting')).is).toBe('waiting');
  expect(weighed(judged('complete'), left('busy')).is).toBe('complete');
});
