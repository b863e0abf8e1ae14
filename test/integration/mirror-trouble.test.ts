import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { person } from '../../src/core/actor.ts';
import { sessionFolder } from '../../src/terminal/run-folder.ts';
import { eventually } from '../eventually.ts';
import { JournalWorld } from './journal-world.ts';
import { keys, mirrorOf, read, seqs, written } from './mirror-world.ts';

test('what happened while no daemon ran is caught up with, and nothing is written twice', async () => {
  using world = new JournalWorld();
  await mirrorOf(world).stop();
  const session = world.make({ drive: 'turns' }).queue('a').open(1, 'a');
  for (let i = 0; i < 1_200; i += 1) session.put({ type: 'agent.noticed', run: 1, kind: 'k', text: String(i) });
  const short = world.make().open(1).print(1, 'x').close(1).end();
  const first = mirrorOf(world);
  await written(short);
  await first.stop();
  session.accept('a').answer('a').close(1);
  // As after a crash: the position is an old one.
  world.journal.saveCursor('mirror', 0);
  const log = read(session, 'output.log');
  const second = mirrorOf(world);
  await eventually(() => seqs(session).length === session.writer.session.seq);
  await second.stop();
  expect(seqs(session)).toEqual(Array.from({ length: session.writer.session.seq }, (_, i) => i + 1));
  expect(seqs(short)).toEqual([1, 2, 3, 4, 5]);
  expect(read(session, 'output.log').startsWith(log)).toBe(true);
  expect(read(session, 'output.log').match(/do a/g)).toHaveLength(1);
  expect(world.journal.cursor('mirror')).toBe(world.journal.head());
});

test('a session with more events than are read at once is complete before it is done', async () => {
  using world = new JournalWorld();
  await mirrorOf(world).stop();
  const session = world.make({ drive: 'turns' }).queue('a').open(1, 'a');
  for (let i = 0; i < 1_200; i += 1) session.put({ type: 'agent.noticed', run: 1, kind: 'k', text: String(i) });
  session.accept('a').answer('a').close(1).end();
  const mirror = mirrorOf(world);
  await written(session);
  expect(seqs(session)).toHaveLength(session.writer.session.seq);
  await mirror.stop();
  expect(seqs(session)).toHaveLength(session.writer.session.seq);
});

test.each([
  ['the last line is torn', (path: string) => truncateSync(path, statSync(path).size - 9)],
  ['the last line is torn and long', (path: string) => writeFileSync(path, '{'.repeat(200_000), { flag: 'a' })],
  ['there is nothing but a torn line', (path: string) => writeFileSync(path, '{"seq":1')],
  ['there is garbage in the last line', (path: string) => writeFileSync(path, '\0\0\0\n', { flag: 'a' })],
  ['it is empty', (path: string) => writeFileSync(path, '')],
  ['it is gone', (path: string) => rmSync(path)],
  ['it has more than the journal', (path: string) => writeFileSync(path, '{"seq":99}\n', { flag: 'a' })],
])('events.jsonl is repaired when %s', async (_, hurt) => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world);
  const session = world.make({ drive: 'turns' }).queue('a', 'x'.repeat(300_000)).open(1, 'a');
  await eventually(() => existsSync(session.file('events.jsonl')) && seqs(session).length === 5);
  await mirror.stop();
  hurt(session.file('events.jsonl'));
  session.accept('a');
  const again = mirrorOf(world);
  await eventually(() => keys(session).phase === 'working');
  await again.stop();
  expect(seqs(session)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('a session that is being removed is not written any more, though its folder is still there', async () => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world);
  const session = world.make().open(1).close(1).end();
  await written(session);
  session.put({ type: 'session.removed', by: person('ann') });
  await mirror.stop();
  expect(seqs(session)).toEqual([1, 2, 3, 4, 5]);
});

test('a removed session stays removed: nothing of its folder is created again', async () => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world);
  const session = world.make({ drive: 'turns' }).queue('a').turn(1, 'a').end();
  const hidden = world.make({ drive: 'turns' }).queue('a');
  await written(session);
  session.put({ type: 'session.removed', by: person('ann') });
  for (const { id } of [session, hidden]) rmSync(sessionFolder(world.state, id), { recursive: true });
  hidden.queue('b').put({ type: 'session.held', run: 1, why: { kind: 'k', text: 't' } });
  const other = world.make().open(1).close(1).end();
  await written(other);
  await mirror.stop();
  world.journal.saveCursor('mirror', 0);
  await mirrorOf(world).stop();
  expect(readdirSync(join(world.state, 'sessions'))).toEqual([other.id]);
  expect(mirror.lines).toEqual([]);
});

test('a session that cannot be written is reported once, delays no other, and is written later', async () => {
  using world = new JournalWorld();
  const mirror = mirrorOf(world);
  const session = world.make({ drive: 'turns' });
  // A folder in its place: as on a full disk, every write fails.
  mkdirSync(join(session.file('manifest'), 'in the way'), { recursive: true });
  session.queue('a');
  await eventually(() => mirror.lines.length > 0);
  session.turn(1, 'a');
  const other = world.make().open(1).close(1).end();
  await written(other);
  expect(mirror.lines).toHaveLength(1);
  expect(mirror.lines[0]).toContain(session.id);
  rmSync(session.file('manifest'), { recursive: true });
  await eventually(() => mirror.lines.length === 2);
  expect(mirror.lines[1]).toBe('mirror: all folders are written again');
  expect(seqs(session)).toHaveLength(session.writer.session.seq);
  expect(keys(session).phase).toBe('idle');
  await mirror.stop();
});
