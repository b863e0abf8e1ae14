import { expect, test } from 'vitest';
import { linearPattern } from './linear-pattern.ts';

test.each(['^(a+)+$x', 'a*a*a*a*a*b', '(?:.*.*)*z', '(a|aa)+$x'])(
  '%s ends soon on a text that makes backtracking take for ever',
  (source) => {
    const compiled = linearPattern(source);
    if (compiled.is === 'refused') throw new Error(compiled.why);
    // Backtracking would need years for this; the test would not end.
    expect(compiled.pattern.exec('a'.repeat(65_536))).toBeNull();
  },
);

test('a group is found', () => {
  const compiled = linearPattern('^tokens: (\\d+)$');
  expect(compiled.is === 'pattern' && compiled.pattern.exec('a\ntokens: 42\nb')?.[1]).toBe('42');
});

test.each([
  ['(a', 'Unterminated group'],
  ['(a)\\1', 'can take for ever'],
  ['(?=a)b', 'can take for ever'],
  ['(?i:a)', 'can take for ever'],
])('%s is refused with a reason', (source, why) => {
  expect(linearPattern(source)).toMatchObject({ is: 'refused', why: expect.stringContaining(why) });
});
