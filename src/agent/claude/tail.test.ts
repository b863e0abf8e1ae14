import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PARTIAL, type Verdict } from '../seam/conversations.ts';
import { isNoise, judgeTail } from './tail.ts';

const CASES = join(import.meta.dirname, 'cases', 'transcript');

/** The expected verdict of each case after its process is gone, decided by hand. */
const VERDICTS: Readonly<Partial<Record<Verdict, readonly string[]>>> = {
  complete: [
    'bookkeeping-only',
    'compacted',
    'complete-with-bookkeeping-tail',
    'cyclic-parents',
    'empty',
    'first-line-cut-off',
    'garbage-in-the-middle',
    'glued',
    'glued-with-braces-in-text',
    'images',
    'interrupted-in-tool',
    'killed-complete-idle.sigkill',
    'killed-mid-text.sigint',
    'max-tokens',
    'nul-block-before',
    'parallel-tools-complete',
    'refused-by-the-model',
    'resumed-and-complete',
    'retried-and-complete',
    'steered',
    'sub-agent',
    'thinking-then-text',
    'torn-then-resumed',
    'unknown-types',
  ],
  failed: ['api-error'],
  interrupted: [
    'background-ended',
    'killed-after-tool.sigterm',
    'killed-in-bash.sigkill',
    'killed-pre-response.sigkill',
    'old-reply-then-retry',
    'own-command-expanded',
    'parallel-tools-one-open',
    'resumed-not-answered',
    'retrying',
    'second-prompt-unanswered',
    'sidechain-is-not-the-reply',
    'steered-and-cut',
  ],
  limited: ['usage-limit'],
  unknown: [
    'garbage-after-the-reply',
    'last-line-whole-without-line-feed',
    'line-that-is-no-object',
    'no-stop-reason',
    'nul-line-at-the-end',
    'shell-command',
    'thinking-without-text',
    'torn-last-line',
    'unknown-stop-reason',
  ],
  waiting: ['deferred-tool', 'question-open'],
};

const record = (fields: object): string => `${JSON.stringify(fields)}\n`;
const prompt = (content: unknown): string => record({ type: 'user', message: { role: 'user', content } });
const reply = (content: unknown[], stop: string | null): string =>
  record({
    type: 'assistant',
    uuid: 'u',
    message: { id: 'm', role: 'assistant', model: 'claude-x', content, stop_reason: stop },
  });
const TEXT = { type: 'text', text: 'let me look' };
const CALL = { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } };
const whole = (text: string): Verdict | undefined => judgeTail({ text, isWhole: true })?.is;

test('every case gets the verdict that a person would give', () => {
  const given = readdirSync(CASES).map((name) => {
    const text = readFileSync(join(CASES, name, 'transcript.jsonl'), 'utf8');
    return [name, judgeTail({ text, isWhole: true })?.is];
  });
  const wanted = Object.entries(VERDICTS).flatMap(([verdict, names]) => names.map((name) => [name, verdict]));
  expect(Object.fromEntries(given)).toEqual(Object.fromEntries(wanted));
});

test('a tool call after a text is unanswered too, and a picture alone is a request', () => {
  expect(whole(prompt('build it') + reply([TEXT, CALL], 'tool_use'))).toBe('interrupted');
  expect(whole(prompt([{ type: 'image', source: {} }]))).toBe('interrupted');
  expect(whole(prompt('build it') + reply([TEXT], 'end_turn'))).toBe('complete');
});

test('thanks and thumbs need no answer, in any number and language; a question does', () => {
  for (const text of [
    'ok',
    'OK.',
    'Thanks!!',
    '👍',
    '👍👍👍',
    'ok, thank you :)',
    'Danke!',
    '谢谢',
    'спасибо',
    'merci beaucoup',
  ])
    expect([text, whole(prompt(text))]).toEqual([text, 'trivial']);
  for (const text of ['go', 'ok?', 'no, use the other file', 'continue', '继续', 'ja, aber mit Tests'])
    expect([text, whole(prompt(text))]).toEqual([text, 'interrupted']);
});

test('a yes to a question is a request; thanks and no are not', () => {
  const ask = prompt('x') + reply([{ type: 'text', text: 'Shall I fix the other one, too?' }], 'end_turn');
  for (const text of ['yes', 'OK!', '👍', 'ja', 'да', '好的']) {
    expect([text, whole(ask + prompt(text))]).toEqual([text, 'interrupted']);
    expect([text, whole(prompt('x') + reply([TEXT], 'end_turn') + prompt(text))]).toEqual([text, 'trivial']);
  }
  for (const text of ['no', 'no thanks', 'ok, thank you', '🙏'])
    expect([text, whole(ask + prompt(text))]).toEqual([text, 'trivial']);
  // The question may be further back.
  expect(judgeTail({ text: prompt('yes'), isWhole: false })).toBe(null);
});

test('a tail that begins too late to decide asks for more', () => {
  const answer = reply([CALL], 'tool_use');
  expect(judgeTail({ text: answer, isWhole: false })).toBe(null);
  expect(judgeTail({ text: prompt('x') + answer, isWhole: false })?.is).toBe('interrupted');
  expect(judgeTail({ text: reply([TEXT], 'end_turn'), isWhole: false })?.is).toBe('complete');
  expect(judgeTail({ text: '', isWhole: false })).toBe(null);
});

test('a torn line that had reached the end of the answer is not requested again', () => {
  const answer = reply([TEXT], 'end_turn');
  const text = prompt('x') + answer.slice(0, answer.indexOf('end_turn') + 9);
  expect(whole(text)).toBe('unknown');
  expect(whole(prompt('x') + answer.slice(0, 40))).toBe('interrupted');
});

test('T-BOOT-7 a torn line after an answer may be a new request, unless it begins like bookkeeping', () => {
  const done = prompt('x') + reply([TEXT], 'end_turn');
  for (const torn of [prompt('and now this').slice(0, -1), prompt('y').slice(0, 20), '{', '\0\0\0'])
    expect([torn, whole(done + torn)]).toEqual([torn, 'unknown']);
  expect(whole(`${done}{"type":"mode","mo`)).toBe('complete');
  expect(whole(`${done}{"type":"user","isSidechain":true,"mess`)).toBe('unknown');
});

test('T-BOOT-8 a file of zeroes is unreadable, and zeroed blocks are counted', () => {
  for (const text of ['\0'.repeat(4_096), `${'\0'.repeat(99)}\n`, '\0\n\0\n\0']) expect(whole(text)).toBe('unreadable');
  const done = prompt('x') + reply([TEXT], 'end_turn');
  const judged = judgeTail({ text: `\0\0${prompt('w')}\0\0\0${done}`, isWhole: true });
  expect(judged).toMatchObject({ is: 'complete', skipped: 2 });
});

test('only known bookkeeping is skipped unread', () => {
  expect(isNoise('{"type":"atis-latch","atis":""')).toBe(true);
  expect(isNoise('{"parentUuid":null,"isSidechain":false,"attachment":{"type":"prompt_snapshot","x')).toBe(true);
  expect(isNoise('{"parentUuid":null,"isSidechain":false,"attachment":{"type":"queued_command"')).toBe(false);
  expect(isNoise('{"type":"assistanu","message"')).toBe(false);
  expect(isNoise('{"type":"user","message"')).toBe(false);
});

test('an answer without a stop reason can be settled by the last report of its process', () => {
  expect(judgeTail({ text: prompt('x') + reply([TEXT], null), isWhole: true })?.why).toBe(PARTIAL);
});
