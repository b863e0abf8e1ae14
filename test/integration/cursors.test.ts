import { expect, test } from 'vitest';
import { sessionEvents as events } from '../../src/daemon/calls/session-events.ts';
import { positionOf } from '../../src/daemon/journal/cursor.ts';
import { JournalWorld } from './journal-world.ts';

async function read(world: JournalWorld, after: string | number): Promise<{ position: number; after: string }[]> {
  const found = [];
  const input = { after, follow: false };
  for await (const event of events(world, input, new AbortController().signal)) found.push(event);
  return found;
}

test('T-JOURNAL-12: a cursor names its journal, and continues there', async () => {
  using world = new JournalWorld();
  world.make().open(1);
  const all = await read(world, 0);
  expect(all.map(({ after }) => after)).toEqual(all.map(({ position }) => `${world.journal.id}-${position}`));
  expect(await read(world, all[0]?.after ?? '')).toEqual(all.slice(1));
  // People pass bare positions.
  expect(await read(world, String(all[0]?.position))).toEqual(all.slice(1));
});

test('T-JOURNAL-12: a cursor of another journal is refused, and says so', async () => {
  using world = new JournalWorld();
  world.make().open(1);
  await expect(read(world, 'zzzzzz-1')).rejects.toMatchObject({
    code: 'cursor_foreign',
    message: expect.stringContaining(`this one is ${world.journal.id}`),
  });
  expect(() => positionOf(world.journal, '-1')).toThrow('neither a cursor nor a position');
});
