import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Verdict } from '../conversations.ts';
import { isNoise, judgeTail } from './tail.ts';

const CASES = join(import.meta.dirname, 'cases', 'transcript');

/** What becomes of each case when its process is gone; those that are not named stay as the transcript has it. */
const VERDICTS: Readonly<Record<string, Verdict>> = {
  'killed-after-tool.sigterm': 'interrupted',
  'killed-complete-idle.sigkill': 'complete',
  'killed-in-bash.sigkill': 'interrupted',
  'killed-mid-text.sigint': 'complete',
  'killed-pre-response.sigkill': 'interrupted',
  'torn-last-line': 'complete',
  retrying: 'interrupted',
  'question-open': 'waiting',
  'deferred-tool': 'waiting',
  'usage-limit': 'limited',
  'api-error': 'failed',
  'parallel-tools-one-open': 'interrupted',
  'complete-with-bookkeeping-tail': 'complete',
  'garbage-after-the-reply': 'unknown',
  'nul-line-at-the-end': 'unknown',
  'no-stop-reason': 'unknown',
  empty: 'complete',
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

test.each(Object.entries(VERDICTS))('the case %s is %s', (name, verdict) => {
  const text = readFileSync(join(CASES, name, 'transcript.jsonl'), 'utf8');
  expect(judgeTail({ text, isWhole: true })).toMatchObject({ is: verdict });
});

test('every case gets a verdict, and only a conversation that misses an answer is interrupted', () => {
  for (const name of readdirSync(CASES)) {
    const text = readFileSync(join(CASES, name, 'transcript.jsonl'), 'utf8');
    const { state } = JSON.parse(readFileSync(join(CASES, name, 'expected.json'), 'utf8'));
    const judged = judgeTail({ text, isWhole: true });
    if (judged?.is === 'interrupted')
      expect([name, state.is]).toEqual([name, expect.stringMatching(/interrupted|waiting/)]);
    if (state.is === 'complete') expect([name, judged?.is]).toEqual([name, 'complete']);
  }
});

test('a tool call is unanswered also behind a text, and a picture alone is a request', () => {
  expect(whole(prompt('build it') + reply([TEXT, CALL], 'tool_use'))).toBe('interrupted');
  expect(whole(prompt([{ type: 'image', source: {} }]))).toBe('interrupted');
  expect(whole(prompt('build it') + reply([TEXT], 'end_turn'))).toBe('complete');
});

test('thanks and thumbs want no answer, in any number and language; a question does', () => {
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

test('an end that begins too late to tell asks for more', () => {
  const answer = reply([CALL], 'tool_use');
  expect(judgeTail({ text: answer, isWhole: false })).toBe(null);
  expect(judgeTail({ text: prompt('x') + answer, isWhole: false })?.is).toBe('interrupted');
  expect(judgeTail({ text: reply([TEXT], 'end_turn'), isWhole: false })?.is).toBe('complete');
  expect(judgeTail({ text: '', isWhole: false })).toBe(null);
});

test('a torn line that had reached the end of the answer is not asked for again', () => {
  const answer = reply([TEXT], 'end_turn');
  const text = prompt('x') + answer.slice(0, answer.indexOf('end_turn') + 9);
  expect(whole(text)).toBe('unknown');
  expect(whole(prompt('x') + answer.slice(0, 40))).toBe('interrupted');
});

test('only what is known to be bookkeeping is passed over unread', () => {
  expect(isNoise('{"type":"atis-latch","atis":""')).toBe(true);
  expect(isNoise('{"parentUuid":null,"isSidechain":false,"attachment":{"type":"prompt_snapshot","x')).toBe(true);
  expect(isNoise('{"parentUuid":null,"isSidechain":false,"attachment":{"type":"queued_command"')).toBe(false);
  expect(isNoise('{"type":"assistanu","message"')).toBe(false);
  expect(isNoise('{"type":"user","message"')).toBe(false);
});
