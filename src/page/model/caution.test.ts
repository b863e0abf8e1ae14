import { expect, test } from 'vitest';
import { cautionOf } from './caution.ts';

const ASKED = { tool: 'Bash', input: { command: 'ls' }, rule: 'Bash(ls)', actions: [], workspace: '/w' };

test('a call that its rule describes needs no more than a look', () => {
  expect(cautionOf(ASKED)).toBeNull();
  expect(cautionOf({ ...ASKED, actions: [{ is: 'write', text: '/w/a.ts' }] })).toBeNull();
});

test('hidden characters, files elsewhere and calls without a rule have to be held', () => {
  expect(cautionOf({ ...ASKED, input: { nested: [{ 'na\u200bme': 1 }] } })).toBe('hidden');
  expect(cautionOf({ ...ASKED, input: { command: 'echo \u202e' } })).toBe('hidden');
  expect(cautionOf({ ...ASKED, actions: [{ is: 'write', text: '/www/a.ts' }] })).toBe('outside');
  expect(cautionOf({ ...ASKED, actions: [{ is: 'write', text: '../a.ts' }] })).toBe('outside');
  for (const path of ['/w/../etc/passwd', '/w/a/../../etc/passwd', '~/.bashrc', 'a/../../b', '/'])
    expect([path, cautionOf({ ...ASKED, actions: [{ is: 'write', text: path }] })]).toEqual([path, 'outside']);
  expect(cautionOf({ ...ASKED, rule: null })).toBe('no rule');
});
