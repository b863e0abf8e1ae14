import { expect, test } from 'vitest';
import { promptTextOf } from './prompt-text.ts';

test('embedded text is part of the prompt, and linked files are named by their path', () => {
  const link = { type: 'resource_link', uri: 'file:///w/a%20b.ts', name: 'a b.ts' } as const;
  const resource = { type: 'resource', resource: { uri: 'file:///w/c.ts', text: 'let c' } } as const;
  const text = promptTextOf([{ type: 'text', text: 'Fix ' }, link, resource]);
  expect(text).toBe('Fix /w/a b.ts\n<context uri="file:///w/c.ts">\nlet c\n</context>\n');
});

test('an image is no part of the text', () => {
  const image = { type: 'image', data: 'AA==', mimeType: 'image/png' } as const;
  expect(promptTextOf([{ type: 'text', text: 'What is ' }, image, { type: 'text', text: 'this?' }])).toBe(
    'What is this?',
  );
  expect(promptTextOf([image])).toBe('[image]');
});

test('what is no text is refused with what to do', () => {
  const audio = { type: 'audio', data: '', mimeType: 'audio/wav' } as const;
  expect(() => promptTextOf([audio])).toThrow('save it as a file');
  expect(() => promptTextOf([])).toThrow('the prompt is empty');
});
