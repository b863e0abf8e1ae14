import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';

test('T-LEFT-1 stray processes of an ended command can be ended, and until then it is not removed', async () => {
  await using world = await makeWorld();
  const file = join(world.state, 'pid');
  const lasting = `echo $$ > ${file}.new; mv ${file}.new ${file}; exec sleep 1000`;
  const line = `setsid sh -c '${lasting}' >/dev/null 2>&1 </dev/null &`;
  const ran = await world.cli(['exec', '--name', 'left', '--', 'sh', '-c', line]);
  expect(ran.status).toBe(0);
  await eventually(() => existsSync(file), { msMax: 60_000 });
  const alive = (): boolean => existsSync(`/proc/${readFileSync(file, 'utf8').trim()}`);
  expect(alive()).toBe(true);
  const refused = await world.cli(['remove', 'left', '--force']);
  expect([refused.status, refused.stderr]).toEqual([4, expect.stringContaining('outlast stop --leftovers left')]);
  const pruned = await world.cli(['remove', '--ended', '--force']);
  expect(pruned.stdout).toContain('Kept ');
  expect((await world.cli(['stop', 'left'])).stdout).toContain('already ended');
  expect(alive()).toBe(true);
  const ended = await world.cli(['stop', '--leftovers', 'left', '--now']);
  expect([ended.status, ended.stdout]).toEqual([0, 'left: ended 1 stray process\n']);
  await eventually(() => !alive(), { msMax: 60_000 });
  const again = await world.cli(['stop', '--leftovers', 'left']);
  expect(again.stdout).toBe('left: no stray processes\n');
  expect((await world.cli(['remove', 'left', '--force'])).status).toBe(0);
});
