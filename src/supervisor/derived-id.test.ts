import { expect, test } from 'vitest';
import type { ConversationId } from '../core/session.ts';
import { derivedId } from './derived-id.ts';

test('an id of a run differs from the one of its session and of other runs, at both ends', () => {
  const own = 'ffffffff-8c4e-4083-ba9e-313b49b60258' as ConversationId;
  expect(derivedId(own, 2)).toBe('00000001-8c4e-4083-ba9e-000000000002');
  expect(derivedId(own, 17)).toBe('00000010-8c4e-4083-ba9e-000000000011');
});
