import { expect, test } from 'vitest';
import { processFacts, unlessUnreadable } from './process-facts.ts';

const failing = (code: string) => (): string => {
  throw Object.assign(new Error(code), { code });
};

test.each(['ENOENT', 'ESRCH', 'EACCES', 'EPERM'])('%s: the file counts as absent', (code) => {
  expect(unlessUnreadable(failing(code), 'other')).toBe('other');
});

test.each(['EMFILE', 'ENFILE', 'ENOMEM'])('T-ONE-4: %s is thrown, and no process is assumed to be absent', (code) => {
  expect(() => unlessUnreadable(failing(code), 'other')).toThrow(code);
});

test('the processes of this machine are listed, except our own', () => {
  const facts = processFacts([], () => false);
  expect(facts.some(({ pid }) => pid === process.ppid)).toBe(true);
  expect(facts.some(({ pid }) => pid === process.pid)).toBe(false);
});
