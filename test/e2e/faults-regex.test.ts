import { expect, test } from 'vitest';
import { makeWorld } from '../world.ts';
import { liveCli } from './live.ts';

test('an expression that never ends affects only its caller', { timeout: 60_000 }, async () => {
  await using world = await makeWorld();
  const id = (await world.cli(['exec', '-b', '-c', 'printf "%040d" 0 | tr 0 a; exec sleep 1000'])).stdout.trim();
  expect((await world.client.session(id).wait({ for: 'text:aaaa', since: 0, timeoutMs: 10_000 })).met).toBe('text');
  await using cruel = liveCli(world, ['wait', id, '--for', 'text:^(a+)+$x', '--since', '0', '--timeout', '2s']);
  for (let n = 0; n < 5; n += 1) {
    await using other = liveCli(world, ['exec', '--', 'echo', 'served'], { input: '' });
    expect(await other.status(8_000)).toBe(0);
    expect(other.stdout).toBe('served\n');
  }
  expect(await cruel.status()).not.toBe(0);
  expect((await world.cli(['stop', id, '--now'])).status).toBe(0);
});
