import { expect, test } from 'vitest';
import { signalOf } from './exit-status.ts';

test('a status that a shell reports for a signal names the signal; any other status names none', () => {
  expect([129, 130, 137, 139, 143].map(signalOf)).toEqual(['HUP', 'INT', 'KILL', 'SEGV', 'TERM']);
  expect([0, 1, 9, 127, 128, 144, 145, 173, 255].map(signalOf)).toEqual(Array.from({ length: 9 }, () => null));
});
