import { expect, test } from 'vitest';
import { CONTRACT } from '../../api/contract.ts';
import { unknownKey } from './unknown-keys.ts';

const { input } = CONTRACT['session.start'];

test.each([
  [{ argv: ['true'], env: { ANY: 'thing' }, gate: { mode: 'gate' }, policy: { hang: { toolMsMax: 1 } } }, null],
  [{ nmae: 'x' }, /^nmae: unknown key; known here: .*\bname\b/],
  [{ gate: { mode: 'gate', strict: true } }, /^gate\.strict: unknown key; known here: mode\b/],
  [{ policy: { hang: { toolsMsMax: 1 } } }, /^policy\.hang\.toolsMsMax: unknown/],
  [{ toString: 'x' }, /^toString: unknown/],
  [null, null],
  ['words', null],
])('the unknown key in %j is named', (given, message) => {
  const found = unknownKey(input, given);
  if (message === null) expect(found).toBeNull();
  else expect(found).toMatch(message);
});
