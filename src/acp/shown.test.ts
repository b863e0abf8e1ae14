import { expect, test } from 'vitest';
import { Shown } from './shown.ts';

const text = (words: string) => ({ turn: 1, index: 0, step: { is: 'text', text: words } });
const call = (result: object | null) => ({
  turn: 1,
  index: 1,
  step: { is: 'call', id: 'c', name: 'Bash', input: {}, actions: [{ is: 'shell', command: 'ls' }], result },
});

test('lines that come again change nothing, and a text that grows is sent in pieces', () => {
  const shown = new Shown('/w');
  const begun = { turn: 1, text: 'do it', prompt: 'p', continued: false };
  expect(shown.take(begun)).toMatchObject([{ sessionUpdate: 'user_message_chunk' }]);
  expect(shown.take(begun)).toEqual([]);
  expect(shown.take(text('one'))).toMatchObject([{ content: { text: 'one' } }]);
  expect(shown.take(text('one'))).toEqual([]);
  expect(shown.take(text('one two'))).toMatchObject([{ content: { text: ' two' } }]);
  expect([shown.hasSaid('p', 'one two'), shown.hasSaid('p', 'three')]).toEqual([true, false]);
});

test('a call is announced once and updated after that', () => {
  const shown = new Shown('/w');
  expect(shown.take(call(null))).toMatchObject([{ sessionUpdate: 'tool_call', title: 'ls', status: 'in_progress' }]);
  const ended = call({ text: 'a', images: 0, isError: false });
  expect(shown.take(ended)).toMatchObject([{ sessionUpdate: 'tool_call_update', status: 'completed', rawOutput: 'a' }]);
  expect(shown.take(ended)).toEqual([]);
});

test('a prompt of the editor itself and a continuation of ours are not shown', () => {
  const shown = new Shown('/w');
  shown.own('p');
  expect(shown.take({ turn: 1, text: 'mine', prompt: 'p', continued: false })).toEqual([]);
  shown.take(text('before'));
  expect(shown.take({ turn: 2, text: 'You were interrupted', prompt: null, continued: true })).toEqual([]);
  shown.take({ turn: 2, index: 0, step: { is: 'text', text: 'after' } });
  expect(shown.hasSaid('p', 'after')).toBe(true);
});
