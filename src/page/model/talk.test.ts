import { expect, test } from 'vitest';
import type { LogCall, LogLine } from '../../api/logs-shape.ts';
import { ConversationLines, type Entry, summaryOf } from './talk.ts';

const line = (id: string, is: LogLine['is'], parts: Partial<LogLine> = {}): LogLine => ({
  ...{ id, is, atMs: 1, turn: 1, text: id },
  ...parts,
});
const call = (id: string, actions: LogCall['actions'], parts: Partial<LogCall> = {}): LogLine =>
  line(id, 'call', {
    call: {
      ...{ id, name: 'Tool', input: {}, actions, result: { text: '', images: 0, isError: false }, ended: true },
      ...{ error: null, tookMs: 1_000, subagent: null },
      ...parts,
    },
  });
const read = (id: string, path: string): LogLine => call(id, [{ is: 'read', path }]);
const shell = (id: string, parts: Partial<LogCall> = {}): LogLine => call(id, [{ is: 'shell', command: 'x' }], parts);
const talkOf = (...lines: LogLine[]): ConversationLines => {
  const talk = new ConversationLines();
  for (const each of lines) talk.take(each);
  return talk;
};
const told = (entries: readonly Entry[]): string[] =>
  entries.map((entry) => (entry.is === 'calls' ? `calls ${entry.lines.length}` : `${entry.is} ${entry.line.text}`));

test('nine calls are one part, with what was thought in between', () => {
  const lines = Array.from({ length: 9 }, (_, i) => read(`c${i}`, `/f${i % 4}`));
  const talk = talkOf(line('p', 'prompt'), ...lines.slice(0, 4), line('hm', 'thinking'), ...lines.slice(4));
  expect(told(talk.entries())).toEqual(['prompt p', 'calls 10']);
  expect(summaryOf(lines)).toEqual({
    ...{ counts: [{ does: 'read', count: 4 }], failed: 0, running: null, tookMs: 9_000 },
  });
});

test('texts, open questions and faults are never folded, and thoughts at the end stand for themselves', () => {
  const talk = talkOf(shell('a'), line('ask', 'question', { approval: 'q' }), shell('b'), line('boom', 'fault'));
  talk.take(line('hm', 'thinking'));
  talk.take(line('done', 'text'));
  expect(told(talk.entries(new Set(['q'])))).toEqual([
    ...['calls 1', 'question ask', 'calls 1', 'fault boom', 'thinking hm', 'text done'],
  ]);
  // It was answered: one run again.
  expect(told(talk.entries())[0]).toBe('calls 2');
});

test('who allowed a call is told with it, and a no stands for itself', () => {
  const allowed = line('yes', 'decision', { text: 'Bash allowed by ana (q1)' });
  const denied = line('no', 'decision', { text: 'Bash denied by ana (q2): not today' });
  const talk = talkOf(shell('a'), line('ask', 'question', { approval: 'q1' }), allowed, shell('b'), denied);
  expect(told(talk.entries())).toEqual(['calls 3', `decision ${denied.text}`]);
});

test('a call that returns replaces the one that ran, and keeps its key', () => {
  const talk = talkOf(shell('a', { ended: false, result: null, tookMs: null }));
  const [before] = talk.entries();
  expect(before?.is === 'calls' && summaryOf(before.lines).running?.id).toBe('a');
  talk.take(shell('a', { error: 'exit 1' }));
  const [after] = talk.entries();
  expect(after?.key).toBe(before?.key);
  expect(after?.is === 'calls' && summaryOf(after.lines)).toMatchObject({ failed: 1, running: null });
});

test('a text is shown while it is written, and once when it is recorded', () => {
  const talk = talkOf(line('w', 'piece', { text: 'Hello ', from: 0 }), line('w', 'piece', { text: 'world', from: 6 }));
  expect(talk.entries()).toMatchObject([{ is: 'text', isLive: true, line: { text: 'Hello world' } }]);
  // After a lost connection it comes again from its beginning.
  talk.take(line('w', 'piece', { text: 'Hello world, ', from: 0 }));
  expect(told(talk.entries())).toEqual(['text Hello world, ']);
  talk.take(line('t', 'text', { text: 'Hello world, all is well.' }));
  expect(talk.entries()).toMatchObject([{ is: 'text', isLive: false, key: 't' }]);
});

test('a piece that does not fit is left out until the text comes whole', () => {
  expect(talkOf(line('w', 'piece', { text: 'end', from: 90 })).entries()).toEqual([]);
});

test('older lines are put before the known ones, each once', () => {
  const talk = talkOf(line('c', 'text'), line('d', 'text'));
  expect(talk.takeOlder([line('a', 'prompt'), line('b', 'text'), line('c', 'text')])).toBe(2);
  expect(told(talk.entries())).toEqual(['prompt a', 'text b', 'text c', 'text d']);
});
