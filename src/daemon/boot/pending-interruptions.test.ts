import { expect, test } from 'vitest';
import type { BootView } from '../../api/contract-boot.ts';
import { PendingInterruptions } from './pending-interruptions.ts';

type Row = readonly [id: string, verdict: string, did: string, bytes?: number];

function look(why: BootView['why'], ...rows: Row[]): BootView {
  const conversations = rows.map(([id, verdict, did, bytes = 1]) => ({ id, verdict, did, bytes }));
  return { why, conversations } as unknown as BootView;
}

test('what is interrupted is left until it is resumed, and a look at one tells nothing of the others', () => {
  const left = new PendingInterruptions();
  expect(left.words()).toBe(null);
  left.add(look('boot', ['a', 'interrupted', 'nothing'], ['b', 'interrupted', 'failed'], ['c', 'complete', 'nothing']));
  expect(left.words()).toBe('2 conversations were interrupted; to go on: outlast boot --resume all');
  left.add(look('asked', ['a', 'interrupted', 'resumed']));
  expect(left.words()).toBe('1 conversation was interrupted; to go on: outlast boot --resume all');
  left.add(look('asked', ['b', 'handled', 'nothing']));
  expect(left.words()).toBe(null);
  // Whoever asked has seen it, and soon it is out of reach.
  left.add(look('asked', ['d', 'interrupted', 'nothing']));
  expect(left.words()).toBe(null);
});

test('after a boot only what it found counts', () => {
  const left = new PendingInterruptions();
  left.add(look('boot', ['a', 'interrupted', 'nothing']));
  left.add(look('boot', ['b', 'complete', 'nothing']));
  expect(left.words()).toBe(null);
});

test('the same once more is no news; what was done is, and what went on and was interrupted again', () => {
  const left = new PendingInterruptions();
  const first = look('asked', ['a', 'interrupted', 'nothing']);
  expect(left.isChanged(first)).toBe(true);
  left.add(first);
  expect(left.isChanged(first)).toBe(false);
  expect(left.isChanged(look('asked', ['a', 'interrupted', 'nothing', 2]))).toBe(true);
  expect(left.isChanged(look('asked', ['a', 'interrupted', 'resumed']))).toBe(true);
  expect(left.isChanged(look('asked', ['a', 'complete', 'nothing']))).toBe(false);
});
