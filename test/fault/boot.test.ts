import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { script, untilFile } from '../agents/story-text.ts';
import { environment } from '../agents/under-test/claude-home.ts';
import { type Kept, keep, STATE_NAMES } from '../boot-files.ts';
import { times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';
import { container, machine } from './machine.ts';
import { recoveryWorld } from './recovery-world.ts';

// T-BOOT-1: the machine is a pid and mount namespace, which ends when its first process is killed.

const EACH = times(1, 5);
const SCRIPTED = join(import.meta.dirname, '../../dist/scripted.js');

interface BootFixture {
  readonly root: string;
  readonly env: Record<string, string>;
  on(agents: string): World;
}

function bootFixture(): BootFixture {
  const root = mkdtempSync(join(tmpdir(), 'ol-boot-'));
  for (const name of ['workspace', 'config', 'home', 'state']) mkdirSync(join(root, name));
  const env = environment(root, null);
  const config = { boot: { foreign: 'auto', agents: ['scripted'], delayMs: 0 } };
  const on = (agents: string): World => {
    const world = new World({ state: join(root, 'state'), config, wrap: machine(root, agents) });
    Object.assign(world.env, env);
    return world;
  };
  return { root, env, on };
}

/** A script that starts an agent on a long turn, without Outlast. */
function agentScript({ root, env }: BootFixture, id: string): string {
  const prompt = join(root, 'prompt');
  writeFileSync(prompt, script({ tool: 'Bash', input: { command: 'sleep 600', description: 'x' } }, { text: 'woken' }));
  const path = join(root, 'agents.sh');
  const words = `--print --output-format stream-json --verbose --session-id ${id} --permission-mode bypassPermissions`;
  const sets = Object.entries(env).map(([name, value]) => `${name}='${value}'`);
  const line = `env ${sets.join(' ')} '${process.execPath}' '${SCRIPTED}' ${words} <'${prompt}' >/dev/null 2>&1 &`;
  writeFileSync(path, `cd '${join(root, 'workspace')}'\n${line}\n`);
  return path;
}

test('after a reboot each interrupted conversation continues once, ours and foreign ones, and no other', async () => {
  const fixture = bootFixture();
  const { root, env } = fixture;
  const workspace = join(root, 'workspace');
  const own = '77777777-2222-4333-8444-555555555555';
  const kept: Kept[] = STATE_NAMES.flatMap((state) =>
    Array.from({ length: EACH }, () => keep(state, { config: join(root, 'config'), cwd: workspace })),
  );
  try {
    const before = fixture.on(agentScript(fixture, own));
    await before.start();
    const prompt = untilFile(join(root, 'go'), 'ours');
    const ours = await before.client.start({ agent: 'scripted', cwd: workspace, env, prompt, keepOpen: false });
    const path = join(root, 'config/projects', workspace.replaceAll(/[^A-Za-z0-9]/g, '-'), `${own}.jsonl`);
    await eventually(() => readFileSync(path, 'utf8').includes('"tool_use"'), { msMax: 20_000 });
    await eventually(async () => (await before.events(ours.id)).includes('tool.called'), { msMax: 20_000 });
    await before.kill();
    before.client.close();
    writeFileSync(join(root, 'go'), '');

    const startedMs = Date.now();
    await using after = fixture.on('/nonexistent');
    await after.start();
    const boot = await eventually(async () => (await after.client.lastBoots()).boots[0], { msMax: 60_000 });
    expect(boot.why).toBe('boot');
    const verdicts = new Map(boot.conversations.map((one) => [one.id, one.verdict]));
    expect(kept.map(({ id }) => verdicts.get(id))).toEqual(kept.map(({ verdict }) => verdict));
    const wanted = [own, ...kept.filter(({ verdict }) => verdict === 'interrupted').map(({ id }) => id)];
    const resumed = boot.conversations.filter(({ did }) => did === 'resumed').map(({ id }) => id);
    expect(resumed.sort()).toEqual(wanted.sort());

    expect((await after.client.reply({ session: ours.id, timeoutMs: 40_000 })).reply).toBe('ours');
    const { sessions } = await after.client.list({ limit: 1000 });
    const foreign = sessions.filter(({ id }) => id !== ours.id);
    expect(foreign.map(({ conversation }) => conversation).sort()).toEqual(wanted);
    expect(new Set(foreign.map((one) => one.workspace))).toEqual(new Set([workspace]));
    const session = boot.conversations.find(({ id }) => id === own)?.session ?? '';
    expect((await after.client.reply({ session, timeoutMs: 40_000 })).reply).toBe('woken');
    expect(Date.now() - startedMs).toBeLessThan(60_000);
    // Two per second, as far as a busy machine lets one see it; staggered.test.ts has the exact pace.
    const starts = foreign.map(({ createdAtMs }) => createdAtMs).sort((a, b) => a - b);
    for (const [i, atMs] of starts.entries()) if (i >= 2) expect(atMs - (starts[i - 2] ?? 0)).toBeGreaterThan(300);
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 50, retryDelay: 20 });
  }
}, 150_000);

test('T-BOOT-20: a restarted container counts as a boot: idle live sessions continue, uncounted', async () => {
  await using place = await recoveryWorld({ wrap: container('/nonexistent') });
  const agents = await Promise.all(
    (['pty', 'tmux'] as const).map((terminal) =>
      place.agent({ live: true, terminal, policy: { resumes: { max: 1 } } }),
    ),
  );
  const isIdle = (run: number) => async (): Promise<boolean> => {
    const views = await Promise.all(agents.map((agent) => agent.view()));
    return views.every((view) => view.phase === 'idle' && view.run === run);
  };
  await eventually(isIdle(1), { what: 'idle agents', msMax: 60_000 });
  const times: number[] = [];
  for (const run of [2, 3]) {
    await place.world.restart();
    await eventually(isIdle(run), { what: `agents that are idle in run ${run}`, msMax: 60_000 });
    const { away } = await place.world.client.daemonStatus();
    expect(away).toMatchObject({ kind: 'boot', planned: false });
    times.push(away?.fromMs ?? 0, away?.toMs ?? 0);
  }
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  for (const agent of agents) {
    const faults = (await agent.events()).filter(({ event }) => event === 'run.faulted').map(({ body }) => body.fault);
    expect(faults).toHaveLength(2);
    expect(faults).not.toContainEqual({ kind: 'lost', reboot: false });
    expect(await agent.view()).toMatchObject({ resumes: 0 });
  }
}, 200_000);
