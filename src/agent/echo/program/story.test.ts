import { expect, test } from 'vitest';
import { stepsOf } from './story.ts';

test('a prompt is a story of one step for each line', () => {
  expect(stepsOf('run ls -l\nwrite note two words\n\nand now\nlimit 60')).toEqual([
    { do: 'use', tool: 'shell', input: { command: 'ls -l' } },
    { do: 'use', tool: 'write', input: { path: 'note', text: 'two words' } },
    { do: 'say', text: 'and now' },
    { do: 'limit', seconds: 60 },
  ]);
});

test('a prompt that only quotes another one is echoed and not played', () => {
  const text = 'You were interrupted. You had been asked:\nrun rm -rf build\ncrash';
  expect(stepsOf(text)).toEqual([{ do: 'say', text }]);
  expect(stepsOf('  ')).toEqual([]);
  expect(stepsOf('hello', 'You said: ')).toEqual([{ do: 'say', text: 'You said: hello' }]);
});
