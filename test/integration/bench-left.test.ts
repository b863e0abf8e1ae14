import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';

const ROOT = join(import.meta.dirname, '../..');

/** A bench that starts a daemon and a command, says where, and never ends. */
const BENCH = `
import { watchUs } from '${ROOT}/bench/left.ts';
import { makeWorld } from '${ROOT}/test/world.ts';
await watchUs();
const world = await makeWorld();
const session = await world.client.start({ argv: ['sleep', '1000'] });
const { pid } = await world.client.daemonStatus();
let command = null;
while (command === null) command = (await session.show()).session.pid;
process.stdout.write(JSON.stringify({ state: world.state, pids: [pid, command] }) + '\\n');
setInterval(() => {}, 1000);
`;

test('a bench that is killed leaves no daemon, no command and no folder', async () => {
  const bench = spawn(process.execPath, ['--input-type=module', '-e', BENCH], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  bench.stdout.on('data', (chunk) => {
    output += chunk;
  });
  await eventually(() => output.endsWith('\n'), { what: 'a bench with a daemon', msMax: 30_000 });
  const { state, pids } = JSON.parse(output) as { state: string; pids: number[] };
  expect(pids.map((pid) => existsSync(`/proc/${pid}`))).toEqual([true, true]);
  bench.kill('SIGKILL');
  await eventually(() => !pids.some((pid) => existsSync(`/proc/${pid}`)), { what: 'the end of both', msMax: 20_000 });
  await eventually(() => !existsSync(state), { what: 'the end of the folder' });
});
