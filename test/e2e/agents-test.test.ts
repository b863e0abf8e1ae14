import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ACP, LLM, LLM_ENTRY, worldWith } from '../any-cli/world.ts';

interface Tested {
  readonly ok: boolean;
  readonly rows: readonly { readonly story: string; readonly is: string; readonly why: string }[];
}

test.concurrent('agents test proves what an agent of the config can do, and leaves nothing behind', async () => {
  await using world = await worldWith(
    { mine: LLM_ENTRY },
    { notices: [{ name: 'a', on: ['ended'], command: ['false'] }] },
  );
  const config = readFileSync(join(world.state, 'config.json'), 'utf8');
  const temporary = join(world.state, 'tmp');
  mkdirSync(temporary);
  const { status, stdout } = await world.cli(['agents', 'test', 'mine', '--json'], { env: { TMPDIR: temporary } });
  const { ok, rows } = JSON.parse(stdout) as Tested;
  const told = rows.map(({ story, is }) => `${story}: ${is}`);
  expect(told).toEqual([
    'turn: proven',
    'conversation: proven',
    'restart: proven',
    'odd text: proven',
    'kill: proven',
    'interrupt: proven',
    'usage: absent',
    'stop: proven',
  ]);
  expect({ ok, status }).toEqual({ ok: true, status: 0 });
  expect((await world.client.list({})).sessions).toEqual([]);
  expect(readFileSync(join(world.state, 'config.json'), 'utf8')).toBe(config);
  expect(readdirSync(temporary)).toEqual([]);
});

test.concurrent('an agent that speaks the Agent Client Protocol is named by its command line alone', async () => {
  await using world = await worldWith({ helper: { acp: ACP, env: ['HELPER_*'] } });
  const { status, stdout } = await world.cli(['agents', 'test', 'helper']);
  expect(stdout).not.toMatch(/^failed/m);
  expect(stdout).toMatch(/^proven +live +conversation/m);
  expect(stdout).toMatch(/^proven +live +kill/m);
  expect(status).toBe(0);
});

test.concurrent('agents test fails for an agent that forgets its conversation', async () => {
  const forgets = { ...LLM_ENTRY, resume: [...LLM, '--cid', 'another'] };
  await using world = await worldWith({ forgets });
  const { status, stdout } = await world.cli(['agents', 'test', 'forgets']);
  expect(status).toBe(1);
  expect(stdout).toMatch(/^failed +turns +conversation: .*: not outlast-\w+ but "none"$/m);
  expect(stdout).toMatch(/^absent +gate: .*it does not ask/m);
});

test.concurrent.each([
  ['is missing', { turn: ['no-such-program'] }, 'bad is not on your PATH. Install no-such-program'],
  ['is wrong', { turn: [] }, 'config.json: key "agents.bad.turn"'],
])('agents test says what to do about an agent that %s', async (_, bad, why) => {
  await using world = await worldWith({ bad });
  const { status, stderr } = await world.cli(['agents', 'test', 'bad']);
  expect(status).not.toBe(0);
  expect(stderr).toContain(why);
  if (Array.isArray(bad.turn) && bad.turn.length === 0) expect(stderr).toContain(world.state);
});
