import { afterAll, expect, test } from 'vitest';
import { times } from '../campaign.ts';
import { AGENTS, programEnvironment } from '../hurt/world.ts';
import { makeWorld, type World } from '../world.ts';

// What people are told of every agent that is missing, too old, or does not report its version.

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

const named = AGENTS.filter(({ program }) => program.isGiven !== true);

/** What doctor and `outlast agents` say of each agent whose program is this shell script; null: it is missing. */
async function toldOf(where: World, script: string | null) {
  const envs = named.map((agent) => (script === null ? null : programEnvironment(where, agent, script)));
  const path = envs[0]?.PATH ?? '/nonexistent';
  const [{ checks }, { agents }] = await Promise.all([where.client.doctor({ path }), where.client.agents({ path })]);
  return named.map(({ name, program }) => {
    const check = checks.find((each) => each.name === name);
    return { name, program, check, installed: agents.find((each) => each.name === name)?.installed };
  });
}

test('an agent that is missing is named with how to install it, and nothing is started', async () => {
  for (const { name, program, check, installed } of await toldOf(world, null)) {
    const detail = `not on PATH; sessions of ${name} do not work, everything else does. ${program.install}`;
    expect(check).toEqual({ name, ok: true, detail });
    expect(installed).toBe(null);
  }
  for (const { name, program } of times(named.slice(0, 2), named)) {
    const ran = await world.cli(['start', '--agent', name, 'hello'], { env: { PATH: '/nonexistent' } });
    expect([ran.status, ran.stdout]).toEqual([2, '']);
    expect(ran.stderr).toContain(`there is no ${name} on your PATH. ${program.install}`);
  }
  expect((await world.client.list()).sessions).toEqual([]);
});

test('an agent that is too old is named with the version that is needed', async () => {
  for (const { name, program, check, installed } of await toldOf(world, 'echo "version 0.0.9"')) {
    const hint = `${program.oldest} or newer is needed. ${program.install}`;
    expect(check).toEqual({ name, ok: false, detail: expect.stringMatching(/\/bin\/\S+ 0\.0\.9 is too old$/), hint });
    expect(installed).toMatchObject({ version: '0.0.9', known: 'too-old' });
  }
});

test('an agent that floods its output instead of its version, or prints none, is named', async () => {
  const scripts = ['head -c 50000000 /dev/zero', 'echo "not found" >&2; exit 127', 'kill -9 $$'];
  for (const script of times(scripts.slice(0, 1), scripts)) {
    for (const { name, program, check, installed } of await toldOf(world, script)) {
      const detail = expect.stringMatching(/\/bin\/\S+ does not report its version$/);
      expect(check).toEqual({ name, ok: false, detail, hint: program.install });
      expect(installed).toMatchObject({ version: null, known: 'unknown' });
    }
  }
});
