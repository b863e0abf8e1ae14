import { expect, test } from 'vitest';
import { Drafts } from './drafts.ts';

function storage(): Map<string, string> & Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const map = new Map<string, string>();
  return Object.assign(map, {
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, text: string) => void map.set(key, text),
    removeItem: (key: string) => void map.delete(key),
  });
}

test('a draft is kept for its session, and gone when it is empty', () => {
  const kept = storage();
  new Drafts(kept).write('a', 'half a thought');
  expect([new Drafts(kept).read('a'), new Drafts(kept).read('b')]).toEqual(['half a thought', '']);
  new Drafts(kept).write('a', '');
  expect([...kept.values()]).toEqual(['[]']);
});

test('the oldest drafts are forgotten', () => {
  const kept = storage();
  for (let i = 0; i < 120; i += 1) new Drafts(kept).write(`s${i}`, 'x');
  expect([new Drafts(kept).read('s0'), new Drafts(kept).read('s119')]).toEqual(['', 'x']);
  expect(kept.size).toBe(101);
});

test('a full or damaged storage costs nothing but the draft', () => {
  const full = {
    ...storage(),
    getItem: () => '{',
    setItem: () => {
      throw new Error('full');
    },
  };
  expect(() => new Drafts(full).write('a', 'x')).not.toThrow();
});
