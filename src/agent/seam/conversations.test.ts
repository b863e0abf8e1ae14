import { expect, test } from 'vitest';
import { type Claim, type Judged, PARTIAL, weighed } from './conversations.ts';

const claim = (status: Claim['status']): Claim => ({ pid: 1, start: '1', status, atMs: null });
const judged = (is: Judged['is'], why = 'because'): Judged => ({ is, why, skipped: 0 });

test('the last report of a process settles what its file leaves open, and nothing else', () => {
  expect(weighed(judged('unknown', PARTIAL), claim('busy')).is).toBe('interrupted');
  expect(weighed(judged('unknown', PARTIAL), claim('idle')).is).toBe('unknown');
  expect(weighed(judged('unknown', PARTIAL), null).is).toBe('unknown');
  expect(weighed(judged('unknown', 'a line after the last message cannot be read'), claim('busy')).is).toBe('unknown');
  expect(weighed(judged('interrupted'), claim('waiting')).is).toBe('waiting');
  expect(weighed(judged('complete'), claim('busy')).is).toBe('complete');
});
