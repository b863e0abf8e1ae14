import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { SessionView } from '../../src/api/shapes.ts';
import { script as steps } from '../agents/story-text.ts';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { kill } from '../kill.ts';
import { makeWorld } from '../world.ts';
import { newHome } from './homes.ts';

// Every end of a run that docs/guides/recovery.md lists, and what is done about it: the scripted agent, real processes.

const world = await makeWorld({ config: { policy: { backoff: { msMin: 0 } } } });
afterAll(() => world[Symbol.asyncDispose]());

/** Each has its own home, and so its own account. */
function newPerson(faults: object = {}) {
  const home = newHome(world, faults);
  const env = { ...world.env, HOME: home } as Record<string, string>;
  const start = (more: Parameters<typeof world.client.start>[0]) =>
    world.client.start({ agent: 'scripted', cwd: home, env, ...more });
  const cli = (...words: string[]) => world.cli(words, { cwd: home, env: { HOME: home } });
  return { home, start, cli };
}

const slow = { tool: 'Bash', input: { command: 'sleep 60' } };

const viewOf = async (id: string): Promise<SessionView> => (await world.client.show(id)).session;

async function ended(id: string): Promise<SessionView> {
  const { session } = await world.client.wait({ session: id, for: 'ended', timeoutMs: 20_000 });
  expect(session.phase).toBe('ended');
  return session;
}

async function faultsOf(id: string): Promise<unknown[]> {
  const faults: unknown[] = [];
  for await (const { event, body } of world.client.events({ session: id })) {
    if (event === 'run.faulted') faults.push(body.fault);
  }
  return faults;
}

const isWorking = (id: string) => () => viewOf(id).then(({ phase, pid }) => (phase === 'working' && pid) || false);
const isBack = (id: string, before: number | null) => () =>
  viewOf(id).then(({ phase, pid }) => phase === 'idle' && pid !== before && pid);

test('a session whose turn finished is done, and reports it', async () => {
  const { start } = newPerson();
  const session = await start({ prompt: 'hello', keepOpen: false });
  expect((await ended(session.id)).outcome).toEqual({ kind: 'done' });
});

test('an error of the agent itself without a remedy is failed, not done', async () => {
  const { start, cli } = newPerson();
  const session = await start({ prompt: steps({ status: 400, body: 'no' }), keepOpen: false });
  expect((await ended(session.id)).outcome).toEqual({ kind: 'failed', why: expect.stringContaining('400 no') });
  expect(await cli('wait', session.id)).toMatchObject({ status: 8 });
});

test('an agent that is not installed is refused; one that is missing at its start is not tried again', async () => {
  const { home, start } = newPerson();
  const asked = { agent: 'claude', cwd: home, env: { HOME: home, PATH: '/nonexistent' }, prompt: 'x', keepOpen: false };
  await expect(world.client.start(asked)).rejects.toMatchObject({ code: 'agent_missing' });
  const before = await start({ prompt: 'hello' });
  const session = await world.client.start({ ...asked, after: [before.id] });
  expect((await ended(session.id)).outcome).toEqual({
    kind: 'abandoned',
    why: 'could not be started: there is no such command',
  });
  expect(await faultsOf(session.id)).toEqual([]);
});

test('an agent that exits again and again is abandoned at its limit, with the reason and the count', async () => {
  const { start } = newPerson();
  const policy = { resumes: { max: 2 } };
  const session = await start({ prompt: steps({ exit: 3 }), keepOpen: false, policy });
  const { outcome, resumes } = await ended(session.id);
  expect(outcome).toEqual({ kind: 'abandoned', why: 'exit 3; it was resumed 2 times' });
  expect(resumes).toBe(2);
  expect(await faultsOf(session.id)).toEqual(Array(3).fill({ kind: 'exited', exit: { status: 3 } }));
});

test('an agent that dies often in a short time is abandoned before its total limit', async () => {
  const { start } = newPerson();
  const policy = { resumes: { max: 10, windowMax: 1, windowMs: 600_000 } };
  const session = await start({ prompt: steps({ kill: 9 }), keepOpen: false, policy });
  expect((await ended(session.id)).outcome?.why).toBe(
    'signal 9 KILL (or exit 137); it was resumed once within a short time',
  );
});

test.each(some(['SIGKILL', 'SIGTERM'] as const, 2))(
  '%s of an agent in a turn is a crash: the same conversation continues',
  async (signal) => {
    const { start } = newPerson({ flushMs: 0 });
    const session = await start({ prompt: steps(slow, { text: 'finished all the same' }) });
    const pid = await eventually(isWorking(session.id), { what: 'a turn' });
    await eventually(async () => (await world.events(session.id)).includes('tool.called'));
    const { conversation, transcript } = await viewOf(session.id);
    // It reports the call before it writes it to the transcript; killed in between, it would repeat the call.
    await eventually(() => readFileSync(transcript ?? '', 'utf8').includes('"tool_use"'), { what: 'the call' });
    process.kill(pid, signal);
    const { met, reply } = await session.reply({ timeoutMs: 20_000 });
    expect([met, reply]).toEqual(['answered', 'finished all the same']);
    expect(await viewOf(session.id)).toMatchObject({ conversation, resumes: 1 });
  },
);

test('an agent that hangs is ended, its signs are reported, and it is resumed', async () => {
  const { start } = newPerson();
  const policy = { hang: { thinkMsMax: 1_000 }, resumes: { max: 0 } };
  const session = await start({ prompt: steps({ hang: 'stream' }), keepOpen: false, policy });
  expect((await ended(session.id)).outcome?.why).toMatch(/^no progress for [\d.]+s; it was resumed 0 times$/);
  const [fault] = (await faultsOf(session.id)) as { kind: string; signs: string[] }[];
  expect(fault).toMatchObject({ kind: 'stalled', signs: expect.arrayContaining(['no tool at work']) });
});

test('work that is not finished at its deadline is abandoned with the time it took', async () => {
  const { cli } = newPerson();
  const ran = await cli('run', '--agent', 'scripted', '--deadline', '1s', steps({ hang: 'stream' }));
  expect(ran).toMatchObject({ status: 8, stdout: '' });
  expect(ran.stderr).toMatch(/abandoned: not finished after [\d.]+s, excluding sleep/);
});

test('a live agent that never shows its input box is unready', async () => {
  const { start } = newPerson({ startMs: 60_000 });
  const policy = { startMsMax: 500, resumes: { max: 0 } };
  const session = await start({ drive: 'live', terminal: 'pty', policy });
  expect((await ended(session.id)).outcome?.why).toMatch(/^not ready after [\d.]+s; it was resumed 0 times$/);
});

test.each([
  { how: '/exit', typed: { paste: '/exit', submit: true } },
  { how: 'Ctrl-C twice', typed: { keys: ['C-c', 'C-c'] } },
])('$how is an end by a person, and is not undone', async ({ typed }) => {
  const { start } = newPerson();
  const session = await start({ drive: 'live', terminal: 'pty' });
  await session.waitFor('idle', { timeoutMs: 20_000 });
  await world.client.write({ session: session.id, ...typed });
  expect((await ended(session.id)).outcome).toEqual({ kind: 'stopped', by: 'a person at its terminal' });
});

test.each(some(['SIGKILL', 'SIGTERM', 'SIGHUP', 'SIGINT'] as const, 2))(
  '%s of a live agent is a crash',
  async (signal) => {
    const { start } = newPerson();
    const session = await start({ drive: 'live', terminal: 'pty' });
    await session.waitFor('idle', { timeoutMs: 20_000 });
    const { pid } = await viewOf(session.id);
    kill(pid, signal);
    await eventually(isBack(session.id, pid), { what: 'the next run', msMax: 20_000 });
    await world.client.stop({ session: session.id });
  },
);

function tmuxOf(id: string): { socket: string; name: string } {
  const [server = '', name = ''] = readFileSync(join(world.state, 'sessions', id, 'runs/1/tmux'), 'utf8').split(' ');
  return { socket: join(world.state, 'tmux', server), name };
}

const TERMINAL_DEATHS = [
  {
    what: 'tmux server is killed',
    terminal: 'tmux',
    end: (id: string) => {
      const asked = ['-S', tmuxOf(id).socket, 'display-message', '-p', '#{pid}'];
      kill(Number(execFileSync('tmux', asked, { encoding: 'utf8' })), 'SIGKILL');
    },
  },
  {
    what: 'tmux session is closed',
    terminal: 'tmux',
    end: (id: string) => {
      const { socket, name } = tmuxOf(id);
      execFileSync('tmux', ['-S', socket, 'kill-session', '-t', `=${name}`]);
    },
  },
  {
    what: 'pty holder is killed',
    terminal: 'pty',
    end: (id: string) => {
      const holder = readFileSync(join(world.state, 'sessions', id, 'runs/1/holder'), 'utf8');
      kill(Number.parseInt(holder, 10), 'SIGKILL');
    },
  },
] as const;

test.each(TERMINAL_DEATHS)(
  'T-TERM-1: an idle agent whose $what exits with 0, and is resumed: no person ended it',
  async ({ terminal, end }) => {
    const { start } = newPerson({ hangupStatus: 0 });
    const session = await start({ drive: 'live', terminal });
    await session.waitFor('idle', { timeoutMs: 20_000 });
    const { pid } = await viewOf(session.id);
    end(session.id);
    await eventually(isBack(session.id, pid), { what: 'the next run', msMax: 30_000 });
    expect(await faultsOf(session.id)).toEqual([{ kind: 'cut' }]);
    expect((await session.converse('and on', { timeoutMs: 30_000 })).reply).toBe('You said: and on');
    await world.client.stop({ session: session.id });
  },
);

test('T-ACTOR-1: a caller that stops a command cannot claim to be its time limit, or forge status 124', async () => {
  const running = world.cli(['exec', '--name', 'forged', '--', 'sleep', '600']);
  await eventually(async () => (await world.client.list({})).sessions.some(({ name }) => name === 'forged'), {
    what: 'a command',
  });
  for (const by of ['timeout', 'silence', 'rules', 'its owner'])
    await expect(world.client.stop({ session: 'forged', by })).rejects.toMatchObject({ code: 'input_invalid' });
  await world.client.stop({ session: 'forged', by: 'Timeout' });
  expect((await viewOf('forged')).outcome).toEqual({ kind: 'stopped', by: 'Timeout' });
  expect((await running).status).toBe(143);
});

test('a stop is reported with who did it, and nothing is resumed', async () => {
  const { start } = newPerson();
  const session = await start({ prompt: steps(slow) });
  await eventually(isWorking(session.id), { what: 'a turn' });
  await world.client.stop({ session: session.id, by: 'ada' });
  expect((await ended(session.id)).outcome).toEqual({ kind: 'stopped', by: 'ada' });
});
