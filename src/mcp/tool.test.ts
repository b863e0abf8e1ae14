import { expect, test } from 'vitest';
import { parseGrants } from '../api/grants.ts';
import { asData, firstOf, lastOf } from './data.ts';
import { isAllowed, schemaOf } from './tool.ts';
import { TOOLS } from './tools.ts';
import { oneLine } from './words.ts';

const toolOf = (name: string) => {
  const found = TOOLS.find((tool) => tool.name === name);
  if (found === undefined) throw new Error(`no tool ${name}`);
  return found;
};
const parse = (name: string, given: object) => schemaOf(toolOf(name), new Set(['exec'])).safeParse(given);

test('exec has the defaults that prompts written for OpenClaw rely on', () => {
  expect(parse('exec', { command: 'x' }).data).toEqual({
    command: 'x',
    yieldMs: 10_000,
    background: false,
    timeout: 1_800,
    pty: false,
    notifyOnExit: true,
    notifyOnExitEmptySuccess: false,
  });
});

test('a poll waits at most two minutes, and accepts a number or a numeric string', () => {
  const timeoutOf = (timeout: unknown) => parse('process', { action: 'poll', timeout }).data?.timeout;
  expect([500, '500', 999_999, -3].map(timeoutOf)).toEqual([500, 500, 120_000, 0]);
  expect(parse('process', { action: 'poll', timeout: 'soon' }).success).toBe(false);
});

test('lines are whole and not negative', () => {
  expect(parse('process', { action: 'log', offset: -2.5, limit: 3.9 }).data).toMatchObject({ offset: 0, limit: 3 });
});

test('every tool says what it needs, and accepts nothing else', () => {
  for (const tool of TOOLS) {
    expect(tool.grants.length).toBeGreaterThan(0);
    expect(isAllowed(tool, new Set())).toBe(false);
    const { error } = schemaOf(tool, new Set(['admin'])).safeParse({ madeUp: 1 });
    expect(error?.issues.map(({ message }) => message).join()).toContain('unknown argument "madeUp"; it accepts');
  }
});

test('deciding for a person is not among the default grants', () => {
  expect([...(parseGrants(undefined) as Set<string>)]).toEqual(['read', 'prompt', 'exec']);
  expect([...(parseGrants('read, approve') as Set<string>)]).toEqual(['read', 'approve']);
  expect(parseGrants('')).toMatch(/"" is not a grant/);
});

test('a text is cut at a line, never within a character, and the cut is counted', () => {
  const text = 'one\ntwo\nthree\n';
  expect(lastOf(text, 10)).toEqual({ text: 'two\nthree\n'.slice(-6), leftOutChars: 8 });
  for (const cut of [firstOf('a😀b', 2), lastOf('a😀b', 2)]) expect(cut.text.isWellFormed()).toBe(true);
  expect(firstOf('abc', 2)).toEqual({ text: 'ab', leftOutChars: 1 });
});

test('data is marked differently each time', () => {
  expect(asData('x', 'a')).not.toBe(asData('x', 'a'));
});

test('a text is shown as one short line', () => {
  expect(oneLine('a\nb\u001b[31m')).toBe('a b [31m');
  expect(oneLine('x'.repeat(500), 21)).toBe(`${'x'.repeat(10)}…${'x'.repeat(10)}`);
});
