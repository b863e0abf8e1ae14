import { expect, test } from 'vitest';
import { memoryStorage } from '../../testing/memory-storage.ts';
import { Drafts } from './drafts.ts';

test('a draft is kept for its session, and gone when it is empty', () => {
  const kept = memoryStorage();
  new Drafts(kept).write('a', 'half a thought');
  expect([new Drafts(kept).read('a'), new Drafts(kept).read('b')]).toEqual(['half a thought', '']);
  new Drafts(kept).write('a', '');
  expect([...kept.values()]).toEqual(['[]']);
});

test('the oldest drafts are forgotten', () => {
  const kept = memoryStorage();
  for (let i = 0; i < 120; i += 1) new Drafts(kept).write(`s${i}`, 'x');
  expect([new Drafts(kept).read('s0'), new Drafts(kept).read('s119')]).toEqual(['', 'x']);
  expect(kept.size).toBe(101);
});

test('a full or damaged storage costs nothing but the draft', () => {
  const full = {
    ...memoryStorage(),
    getItem: () => '{',
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(() => new Drafts(full).write('a', 'x')).not.toThrow();
});
