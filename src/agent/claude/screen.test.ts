import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readScreen } from './screen.ts';

const RULE = '─'.repeat(80);
const FOOTER = '  ⏵⏵ bypass permissions on (shift+tab to cycle)';
const box = (...lines: string[]): string[] => [RULE, ...lines, RULE, FOOTER];

const CASES = join(import.meta.dirname, 'cases', 'screen');
const dialogs = readdirSync(CASES).filter((name) => {
  const expected: { is: string } = JSON.parse(readFileSync(join(CASES, name, 'expected.json'), 'utf8'));
  return expected.is === 'dialog';
});

test('an empty box with a known footer is ready', () => {
  expect(readScreen(box('❯\u00a0'))).toEqual({ is: 'ready' });
  expect(readScreen([...box('❯'), '', ''])).toEqual({ is: 'ready' });
});

test('text in the box is a draft, over several lines too', () => {
  expect(readScreen(box('❯\u00a0race test 0', '  second line'))).toEqual({
    is: 'ready',
    draft: 'race test 0\nsecond line',
  });
});

test('a placeholder of Claude Code in an empty box is not a draft', () => {
  expect(readScreen(box('❯ Try "fix the tests"'))).toEqual({ is: 'ready' });
});

test.each(['Resend your message to try again', 'Once fixed, resend your message', 'Run /rewind to go back'])(
  '%j after an API error is not a draft',
  (hint) => {
    expect(readScreen(box(`❯ ${hint}`))).toEqual({ is: 'ready' });
    expect(readScreen(box(`❯ ${hint} please`))).toEqual({ is: 'ready', draft: `${hint} please` });
  },
);

test.each([
  'Press up to edit queued messages, Enter to send them now',
  'Press up to select a queued message, then Enter to edit it',
  'Press Enter to edit the selected message, or up again for history',
])('%j is shown only while a queue waits for the agent', (hint) => {
  expect(readScreen(box(`❯ ${hint}`))).toEqual({ is: 'busy' });
});

test('a spinner means busy, even if the footer is too narrow to show it', () => {
  expect(readScreen(['✶ Wrangling… (1s · ↓ 11 tokens)', '', ...box('❯ ')]).is).toBe('busy');
  expect(readScreen(['✻ Worked for 4s · done 7:15 AM', '', ...box('❯ ')]).is).toBe('ready');
});

test('a footer that is cut off is not trusted', () => {
  expect(readScreen([RULE, '❯ ', RULE, '  ⏵⏵ bypass permissions on (shift+tab to cycle) · es…'])).toEqual({
    is: 'unknown',
  });
});

test('a custom status line above the footer is ignored', () => {
  expect(readScreen([RULE, '❯ ', RULE, '  main · 12% context', FOOTER]).is).toBe('ready');
  expect(readScreen([RULE, '❯ ', RULE, '  main · 12% context', `${FOOTER} · esc to interrupt`]).is).toBe('busy');
  expect(readScreen([RULE, '❯ ', RULE, FOOTER, 'Pane is dead (signal 9)']).is).toBe('unknown');
});

test('the hint after a large paste replaces the footer', () => {
  const hinted = [RULE, '❯ [Pasted text #1 +5 lines]', RULE, '  paste again to expand'];
  expect(readScreen(hinted)).toEqual({ is: 'ready', draft: '[Pasted text #1 +5 lines]' });
  expect(readScreen(['✢ Moonwalking…', '', ...hinted]).is).toBe('busy');
});

test('a queue means busy, however far up it pushes the spinner', () => {
  const queue = Array.from({ length: 12 }, (_, i) => `  ❯ queued ${i}`);
  const rows = [
    '· Beaming… (1s',
    ...queue,
    RULE,
    '❯ Press up to edit queued messages',
    RULE,
    '  paste again to expand',
  ];
  expect(readScreen(rows)).toEqual({ is: 'busy' });
});

test('a right-aligned note below the footer is not the footer', () => {
  const note = `${' '.repeat(80)}● high · /effort`;
  expect(readScreen([...box('❯ '), note]).is).toBe('ready');
  expect(readScreen([RULE, '❯ ', RULE, note]).is).toBe('unknown');
});

test('a box without a footer, or with an unknown one, is not ready', () => {
  expect(readScreen([RULE, '❯ ', RULE]).is).toBe('unknown');
  expect(readScreen([RULE, '❯ ', RULE, 'bash-5.2$ ']).is).toBe('unknown');
  expect(readScreen([RULE, '! ', RULE, FOOTER]).is).toBe('unknown');
});

test('a shell prompt that looks like the box is not ready', () => {
  expect(readScreen(['❯ ']).is).toBe('unknown');
  expect(readScreen(['~/w ❯ ls', 'a b', '❯']).is).toBe('unknown');
});

describe('a conversation that draws a box above an open dialog is not mistaken for the box', () => {
  for (const name of dialogs) {
    test(name, () => {
      const rows = readFileSync(join(CASES, name, 'screen.txt'), 'utf8').split('\n');
      expect(readScreen([...box('❯ '), ...rows])).toEqual(readScreen(rows));
    });
  }
});

test('the first-start screens are dialogs, though a sample is shown below their answers', () => {
  const theme = [
    'Choose the text style that looks best',
    ' ❯ 1. Dark mode',
    '   2. Light mode',
    '',
    ' + sample',
    ' Theme: x',
  ];
  expect(readScreen(theme)).toEqual({ is: 'dialog', dialog: 'theme' });
  expect(readScreen(['Select login method:', ' ❯ 1. Claude account', '   2. Console', '', ' more'])).toEqual({
    is: 'dialog',
    dialog: 'login',
  });
});

test('text about dialogs in the conversation does not rename the open one', () => {
  const talk = ['● Exit plan mode? Then: Yes, I trust this folder', ''];
  const dialog = [
    RULE,
    ' Bash command',
    ' Do you want to proceed?',
    ' ❯ 1. Yes',
    '   2. No',
    ' Esc to cancel · Tab to amend',
  ];
  expect(readScreen([...talk, ...dialog])).toEqual({ is: 'dialog', dialog: 'permission' });
});

test('a screen that is cut at the bottom is ready only if the whole screen is', () => {
  for (const name of dialogs) {
    const rows = readFileSync(join(CASES, name, 'screen.txt'), 'utf8').split('\n');
    for (let end = 0; end <= rows.length; end++) expect(readScreen(rows.slice(0, end)).is).not.toBe('ready');
  }
});

test('no text makes the reader throw, and no text without a box is ready', () => {
  const row = fc.oneof(fc.string(), fc.constantFrom(RULE, '❯ 1. Yes', 'Esc to cancel', '▔'.repeat(40), ''));
  fc.assert(fc.property(fc.array(row), (rows) => readScreen(rows).is !== 'ready'));
});

test('a draft is recognized when an older version shows only its effort below it', () => {
  const rule = '─'.repeat(40);
  const note = `${' '.repeat(60)}● high · /effort`;
  expect(readScreen([rule, '❯ hello there', rule, note])).toEqual({ is: 'ready', draft: 'hello there' });
  expect(readScreen([rule, '❯', rule, note])).toEqual({ is: 'unknown' });
});
