import { expect, test } from 'vitest';
import { promptTextOf } from './prompt-text.ts';

test('embedded text is part of the prompt, and linked files are named by their path', () => {
  const link = { type: 'resource_link', uri: 'file:///w/a%20b.ts', name: 'a b.ts' } as const;
  const resource = { type: 'resource', resource: { uri: 'file:///w/c.ts', text: 'let c' } } as const;
  const text = promptTextOf([{ type: 'text', text: 'Fix ' }, link, resource]);
  expect(text).toBe('Fix /w/a b.ts\n<context uri="file:///w/c.ts">\nlet c\n</context>\n');
});

test('what is no text is refused with what to do', () => {
  const image = { type: 'image', data: '', mimeType: 'image/png' } as const;
  expect(() => promptTextOf([image])).toThrow('save it as a file');
  expect(() => promptTextOf([])).toThrow('the prompt is empty');
});
