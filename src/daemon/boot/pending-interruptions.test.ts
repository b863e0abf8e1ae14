import { expect, test } from 'vitest';
import type { BootView } from '../../api/contract-boot.ts';
import { PendingInterruptions } from './pending-interruptions.ts';

type Row = readonly [id: string, verdict: string, did: string, bytes?: number];

function look(why: BootView['why'], ...rows: Row[]): BootView {
  const conversations = rows.map(([id, verdict, did, bytes = 1]) => ({ id, verdict, did, bytes }));
  return { why, conversations } as unknown as BootView;
}

test('an interruption is pending until it is resumed, and a scan of one says nothing about the others', () => {
  const pending = new PendingInterruptions();
  expect(pending.words()).toBe(null);
  pending.add(
    look('boot', ['a', 'interrupted', 'nothing'], ['b', 'interrupted', 'failed'], ['c', 'complete', 'nothing']),
  );
  expect(pending.words()).toBe('2 conversations were interrupted; to continue: outlast boot --resume all');
  pending.add(look('asked', ['a', 'interrupted', 'resumed']));
  expect(pending.words()).toBe('1 conversation was interrupted; to continue: outlast boot --resume all');
  pending.add(look('asked', ['b', 'handled', 'nothing']));
  expect(pending.words()).toBe(null);
  // The caller of that scan has seen it, and soon it is out of range.
  pending.add(look('asked', ['d', 'interrupted', 'nothing']));
  expect(pending.words()).toBe(null);
});

test('after a boot only the results of its scan count', () => {
  const pending = new PendingInterruptions();
  pending.add(look('boot', ['a', 'interrupted', 'nothing']));
  pending.add(look('boot', ['b', 'complete', 'nothing']));
  expect(pending.words()).toBe(null);
});

test('a repeated result is no change; a resume is one, and so is an interruption after more activity', () => {
  const pending = new PendingInterruptions();
  const first = look('asked', ['a', 'interrupted', 'nothing']);
  expect(pending.isChanged(first)).toBe(true);
  pending.add(first);
  expect(pending.isChanged(first)).toBe(false);
  expect(pending.isChanged(look('asked', ['a', 'interrupted', 'nothing', 2]))).toBe(true);
  expect(pending.isChanged(look('asked', ['a', 'interrupted', 'resumed']))).toBe(true);
  expect(pending.isChanged(look('asked', ['a', 'complete', 'nothing']))).toBe(false);
});
