import { expect, test } from 'vitest';
import type { Call, Turn } from '../seam/turn.ts';
import { turnText } from '../seam/turn-text.ts';
import { readLines } from './transcript.ts';
import { turns } from './turns.ts';

function turnWith(result: Call['result']): Turn {
  const call: Call = { is: 'call', id: 't', name: 'Bash', input: { command: 'seq 7' }, result };
  return { prompt: 'count', images: 0, steps: [call] };
}

const seven = { id: 't', text: '1\n2\n3\n4\n5\n6\n7\n', images: 0, isError: false };

test('a result is cut to five lines and shows how many are missing', () => {
  const text = turnText(turnWith(seven));
  expect(text).toContain('```\n1\n2\n3\n4\n5\n```\n\n*2 more lines*');
});

test('in full, every line of a result is there', () => {
  const text = turnText(turnWith(seven), true);
  expect(text).toContain('```\n1\n2\n3\n4\n5\n6\n7\n```');
  expect(text).not.toContain('more line');
});

test('a result with fences of its own cannot break out of its block', () => {
  const text = turnText(turnWith({ ...seven, text: '````\nescaped\n```' }));
  expect(text).toContain('`````\n````\nescaped\n```\n`````');
});

test('a call without a result says so', () => {
  expect(turnText(turnWith(null))).toContain('*no result recorded*');
  expect(turnText(turnWith({ ...seven, text: '' }))).toContain('*no output*');
});

test('every line of a thought is quoted', () => {
  const text = turnText({ prompt: 'x', images: 0, steps: [{ is: 'thinking', text: 'a\n\nb' }] });
  expect(text).toContain('> a\n>\n> b');
});

test('a context that a hook added to the result of a tool follows it, and other contexts are left out', () => {
  const context = (hookEvent: string, text: string): string =>
    JSON.stringify({ type: 'attachment', attachment: { type: 'hook_additional_context', hookEvent, content: [text] } });
  const call = { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'true' } };
  const lines = [
    context('SessionStart', 'be nice'),
    JSON.stringify({ type: 'user', message: { role: 'user', content: 'go' } }),
    JSON.stringify({ type: 'assistant', message: { id: 'm', content: [call] } }),
    JSON.stringify({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: 't', content: 'out' }] } }),
    context('PostToolUse', 'news\n1\n2\n3\n4\n5'),
  ];
  const { entries } = readLines(`${lines.join('\n')}\n`);
  const found = turns(entries);
  expect(found).toHaveLength(1);
  const text = turnText(found[0] as Turn);
  expect(text).toContain(
    '```\nout\n```\n\n**Told with the result of a tool**\n\n```\nnews\n1\n2\n3\n4\n```\n\n*1 more line*',
  );
  expect(text).not.toContain('be nice');
});
