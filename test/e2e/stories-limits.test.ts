import { afterAll, expect, test } from 'vitest';
import { script as steps } from '../agents/story-text.ts';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';
import { newHome } from './homes.ts';

// Failures that are not crashes: limits, logins, budgets. The command line, a real daemon and the scripted agent.

const world = await makeWorld({ config: { policy: { backoff: { msMin: 0 }, resumes: { max: 7 } } } });
afterAll(() => world[Symbol.asyncDispose]());

/** Each has its own home, and so its own account. */
function newPerson(faults: object = {}) {
  const home = newHome(world, faults);
  const cli = (...words: string[]) => world.cli(words, { cwd: home, env: { HOME: home } });
  const at = (word: string) => (more: readonly string[]) => cli(word, '--agent', 'scripted', ...more);
  return Object.assign(cli, {
    start: (...words: string[]) => at('start')(words),
    run: (...words: string[]) => at('run')(words),
  });
}

/** A usage limit that resets in this many seconds, hit once; then the answer. */
function limit(seconds: number, text = 'after the limit'): string {
  const name = 'anthropic-ratelimit-unified';
  const reset = Math.floor(Date.now() / 1000) + seconds;
  const headers = { [`${name}-status`]: 'rejected', [`${name}-reset`]: String(reset) };
  return steps({ status: 429, times: 1, headers }, { text });
}

const held = (cli: ReturnType<typeof newPerson>, name: string) =>
  eventually(async () => JSON.parse((await cli('show', name, '--json')).stdout).session.hold, { what: `${name} held` });

test('a limited session waits, shows the reset time, and a resume retries what failed', async () => {
  const cli = newPerson();
  const ran = await cli.run('--name', 'limited', '--wait', '20s', limit(7_170));
  expect(ran).toMatchObject({ status: 7, stdout: '' });
  expect(ran.stderr).toMatch(/limited is limited for 1h 59m \(until .*\); it continues automatically/);
  expect((await cli('list')).stdout).toMatch(/^limited +limited for 1h 59m \(until /m);
  expect((await cli('show', 'limited')).stdout).toMatch(/^state +limited for 1h 59m \(until [\dT:-]+Z\)$/m);
  expect(await cli('wait', 'limited')).toMatchObject({ status: 7 });
  expect(await cli('resume', 'limited')).toMatchObject({ status: 0 });
  expect(await cli('wait', 'limited', '--for', 'reply', '--timeout', '20s')).toMatchObject({
    status: 0,
    stdout: 'after the limit\n',
  });
  expect((await world.events('limited')).filter((type) => type.includes('limited'))).toEqual([
    'session.limited',
    'session.unlimited',
  ]);
});

test('a plain run waits through a limit, says so once, and prints the reply afterwards', async () => {
  const cli = newPerson();
  const running = cli.run('--name', 'patient', limit(7_200));
  await eventually(async () => (await cli('wait', 'patient')).status === 7, { what: 'the limit', msMax: 20_000 });
  await cli('resume', 'patient');
  const ran = await running;
  expect(ran).toMatchObject({ status: 0, stdout: 'after the limit\n' });
  expect(ran.stderr.match(/; waiting\n/g)).toHaveLength(1);
});

test('a limit of one session stops the next one of the account before it tries, but resume tries anyway', async () => {
  const cli = newPerson();
  await cli.run('--name', 'first-one', '--wait', '20s', limit(7_200));
  await cli.start('--name', 'next-one', 'hello');
  await eventually(async () => (await cli('wait', 'next-one')).status === 7, { what: 'the limit', msMax: 20_000 });
  expect(await world.events('next-one')).not.toContain('run.starting');
  await cli('resume', 'next-one');
  const waited = await cli('wait', 'next-one', '--for', 'reply', '--timeout', '20s');
  expect(waited).toMatchObject({ status: 0, stdout: 'You said: hello\n' });
});

test('limits shows what an agent reported, by account, also after its session has ended', async () => {
  const [cli, other] = [newPerson(), newPerson()];
  await cli.run('--name', 'reporter', '--wait', '20s', limit(7_170));
  const of = async (name: string) => {
    const { limits } = JSON.parse((await cli('limits', '--json')).stdout);
    return limits.filter((each: { name: string }) => each.name === name);
  };
  const [seen, ...more] = await of('reporter');
  expect(more).toEqual([]);
  expect(seen).toMatchObject({ agent: 'scripted', window: 'five_hour', usedPercent: 100 });
  expect(seen.home).toMatch(/\.outlast-scripted$/);
  const { stdout } = await cli('limits');
  expect(stdout).toMatch(/^AGENT +ACCOUNT +LIMIT +USED +RESETS +SEEN +BY/);
  expect(stdout).toMatch(/^scripted +~\/\.outlast-scripted +five_hour +100% +in 1h 59m +[\d.]+m?s ago +reporter$/m);
  await cli('stop', 'reporter');
  await other.run('--name', 'elsewhere', '--wait', '20s', limit(7_170));
  expect([await of('reporter'), await of('elsewhere')]).toMatchObject([[seen], [{ window: 'five_hour' }]]);
  expect((await of('elsewhere'))[0].account).not.toBe(seen.account);
});

test('--on-limit stop fails the turn, ask holds until a resume', async () => {
  const cli = newPerson();
  const stopped = await cli.run('--on-limit', 'stop', limit(7_200));
  expect(stopped).toMatchObject({ status: 8 });
  expect(stopped.stderr).toContain("You've hit your 5-hour limit");
  const asking = await cli.run('--on-limit', 'ask', '--name', 'asking', limit(7_200, 'asked'));
  expect(asking).toMatchObject({ status: 7 });
  expect(asking.stderr).toContain('Continue: outlast resume asking');
  expect(await held(cli, 'asking')).toEqual({ kind: 'limit', helps: 'resume' });
  await cli('resume', 'asking');
  expect((await cli('wait', 'asking', '--for', 'reply', '--timeout', '20s')).stdout).toBe('asked\n');
});

test('an overload is retried automatically', async () => {
  const cli = newPerson();
  const ran = await cli.run('--name', 'busy', steps({ status: 529, times: 2 }, { text: 'got through' }));
  expect(ran).toMatchObject({ status: 0, stdout: 'got through\n' });
  expect((await world.events('busy')).filter((type) => type === 'prompt.delayed')).toHaveLength(2);
});

test.each([
  ['login', { status: 401 }],
  ['billing', { status: 400, body: 'Your credit balance is too low' }],
] as const)('%s is held until a resume', async (kind, trouble) => {
  const cli = newPerson();
  const ran = await cli.run('--name', `held-${kind}`, steps({ ...trouble, times: 1 }, { text: 'fine again' }));
  expect(ran).toMatchObject({ status: 7, stdout: '' });
  expect(await held(cli, `held-${kind}`)).toEqual({ kind, helps: 'resume' });
  await cli('resume', `held-${kind}`);
  const waited = await cli('wait', `held-${kind}`, '--for', 'reply', '--timeout', '20s');
  expect(waited).toMatchObject({ status: 0, stdout: 'fine again\n' });
});

test('a login that failed holds the next session of the account before it tries', async () => {
  const cli = newPerson();
  await cli.run('--name', 'logged-out', steps({ status: 401 }));
  await cli.start('--name', 'behind-it', 'hello');
  expect(await held(cli, 'behind-it')).toEqual({ kind: 'login', helps: 'resume' });
  expect(await world.events('behind-it')).not.toContain('run.starting');
  await cli('resume', 'behind-it');
  expect((await cli('wait', 'behind-it', '--for', 'reply', '--timeout', '20s')).stdout).toBe('You said: hello\n');
});

test('a used-up budget holds before the next prompt, and counts from zero after a resume', async () => {
  const cli = newPerson();
  await cli.start('--name', 'frugal', '--budget-turns', '1', 'one');
  await cli('wait', 'frugal', '--for', 'reply');
  const second = await cli('converse', 'frugal', 'two');
  expect(second).toMatchObject({ status: 7, stdout: '' });
  expect(second.stderr).toContain('the budget of 1 turn is used up');
  await cli('resume', 'frugal');
  expect((await cli('wait', 'frugal', '--for', 'reply', '--timeout', '20s')).stdout).toBe('You said: two\n');
  expect(await cli('converse', 'frugal', 'three')).toMatchObject({ status: 7 });
  const { session, policy } = JSON.parse((await cli('show', 'frugal', '--json')).stdout);
  expect(session.usage).toMatchObject({ turns: 2, tokens: expect.any(Number) });
  expect(policy.budget).toEqual({ turns: 1, tokens: null, usd: null });
});

test('the policy is the caller’s, else the config’s, and is frozen when the session is created', async () => {
  const cli = newPerson();
  await cli.start('--name', 'frozen', '--hang-after', '20m', '--memory', '4g');
  const { policy } = JSON.parse((await cli('show', 'frozen', '--json')).stdout);
  expect(policy).toMatchObject({
    deadlineMsMax: null,
    memoryBytesMax: 4 * 1024 ** 3,
    resumes: { max: 7, windowMax: 5 },
    backoff: { msMin: 0, msMax: 300_000 },
    hang: { thinkMsMax: 1_200_000, toolMsMax: 3_600_000 },
  });
  for await (const { event, body } of world.client.events({ session: 'frozen' })) {
    if (event === 'session.created')
      expect(body.spec).toMatchObject({ policy: { thinkMsMax: 1_200_000, resumesMax: 7 } });
  }
});

test('an invalid number is refused before anything is started', async () => {
  const cli = newPerson();
  const ran = await cli.start('--name', 'never', '--hang-after', '1ms');
  expect(ran).toMatchObject({ status: 2, stdout: '' });
  expect(ran.stderr).toContain('policy.hang.thinkMsMax');
  expect(await cli('show', 'never')).toMatchObject({ status: 3 });
});

test('resume does not answer a dialog: it says that a person must', async () => {
  const cli = newPerson({ dialog: 'trust' });
  await cli.start('--live', '--pty', '--name', 'dialog', '--ready', '20s');
  const resumed = await cli('resume', 'dialog', '--trust');
  expect(resumed).toMatchObject({ status: 4 });
  expect(resumed.stderr).toContain('answer it: outlast attach dialog');
});
