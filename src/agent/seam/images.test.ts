import { expect, test } from 'vitest';
import { fileUrl, mentioning, withoutMentions } from './images.ts';

const HASH = 'ab'.repeat(32);
const image = (path: string) => ({ path, name: 'shot.png', type: 'image/png', base64: () => '' }) as const;

test('the names of images are in front of a text, and are left out of what an agent recorded', () => {
  const paths = [`/state/a/images/${HASH}.png`, `/my state/a/images/${HASH}.jpg`];
  const text = mentioning('/look at @this\nand that', paths.map(image));
  expect(text).toBe(`@${paths[0]} @"${paths[1]}" /look at @this\nand that`);
  expect(withoutMentions(text)).toBe('/look at @this\nand that');
  // Gemini CLI names a file in a folder that it knows without the folder.
  expect(withoutMentions(` @${HASH}.png what?`)).toBe('what?');
  expect(withoutMentions(`\n@/s/images/${HASH}.webp\nwhat?`)).toBe('what?');
});

test('a text that names other files stays as it is', () => {
  for (const text of ['@/home/shot.png what?', `see @/s/images/${HASH}.png`, '@me', `@/s/images/${HASH}.txt`])
    expect(withoutMentions(text)).toBe(text);
});

test('a file URL has every byte of the path', () => {
  expect(fileUrl('/a b/#1?/ü%.png')).toBe('file:///a%20b/%231%3F/%C3%BC%25.png');
});
