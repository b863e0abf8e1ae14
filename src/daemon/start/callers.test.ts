import { expect, test } from 'vitest';
import type { Clock } from '../../base/clock.ts';
import type { SessionId } from '../../core/session.ts';
import { Callers } from './callers.ts';

test('T-WAIT-21 a session whose caller died before it could wait goes to the background, and no other', async () => {
  const over = Promise.withResolvers<void>();
  const clock = { sleep: () => over.promise } as unknown as Clock;
  const gone: string[] = [];
  const callers = new Callers(clock, (session) => gone.push(session));
  const expected = ['came', 'dead'].map((id) => callers.expect(id as SessionId));
  callers.came('came' as SessionId);
  over.resolve();
  await Promise.all(expected);
  expect(gone).toEqual(['dead']);
});
