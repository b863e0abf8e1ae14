import { expect, test } from 'vitest';
import { isSameBoot } from './boot.ts';

test.each([
  ['k1/ns1/100', 'k1/ns1/100', true],
  ['k1/ns1/100', 'k2/ns1/100', false],
  ['k1/ns1/100', 'k1/ns2/100', false],
  ['k1/ns1/100', 'k1/ns1/900', false],
  // An earlier version stored only the kernel's id.
  ['k1', 'k1/ns1/100', true],
  ['k2', 'k1/ns1/100', false],
  // The first process may be unreadable.
  ['k1/ns1/', 'k1/ns1/100', true],
  ['k1//100', 'k1/ns2/900', false],
])('%s and %s are the same boot: %s', (one, other, isSame) => {
  expect(isSameBoot(one, other)).toBe(isSame);
  expect(isSameBoot(other, one)).toBe(isSame);
});
