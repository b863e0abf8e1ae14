import { expect, test } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { type Comment, isAbout, promptOf, Review } from './review.ts';

const added: Comment = {
  ...{ id: '1', path: 'src/a.ts', text: ' Use cents. \n' },
  line: { is: 'added', number: 12, text: '  const total = 0.3;' },
};

test('comments are one prompt, file by file and line by line, each with its line', () => {
  const removed: Comment = { ...added, id: '2', line: { is: 'removed', number: 3, text: 'old' }, text: 'Why?' };
  const whole: Comment = { id: '3', path: 'b.ts', line: null, text: 'Too\nlong.' };
  expect(promptOf([added, whole, removed])).toBe(
    [
      'Comments on what you changed:',
      'src/a.ts, removed line 3:\n> -old\nWhy?',
      'src/a.ts, line 12:\n> +  const total = 0.3;\nUse cents.',
      'b.ts, the file:\nToo\nlong.',
    ].join('\n\n'),
  );
});

test('what was viewed and said survives a reload, and goes when it is sent', () => {
  const storage = memoryStorage();
  const review = new Review(storage, 's');
  review.put(added);
  review.put({ ...added, text: 'Use integers.' });
  review.view('src/a.ts', 'd1', true);
  const again = new Review(storage, 's');
  expect(again.comments.value).toEqual([{ ...added, text: 'Use integers.' }]);
  expect(again.viewed.value).toEqual({ 'src/a.ts': 'd1' });
  expect(new Review(storage, 'other').comments.value).toEqual([]);
  again.drop(['1']);
  expect(new Review(storage, 's').comments.value).toEqual([]);
});

test('a comment belongs to its line only while that is the same', () => {
  const line = { is: 'added', text: '  const total = 0.3;', before: null, after: 12 } as const;
  expect(isAbout(added, line)).toBe(true);
  expect(isAbout(added, { ...line, after: 13 })).toBe(false);
  expect(isAbout(added, { ...line, text: 'x' })).toBe(false);
  expect(isAbout(added, { ...line, is: 'removed', before: 12, after: null })).toBe(false);
});
