import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { script as steps } from '../agents/story-text.ts';
import { eventually } from '../eventually.ts';
import { makeWorld } from '../world.ts';
import { newHome } from './homes.ts';

// The command line, a real daemon and the scripted agent: what a caller sees, and above all the exit status.

const world = await makeWorld();
afterAll(() => world[Symbol.asyncDispose]());

/** The command line of a person with their own home, and the faults of the scripted agent there. */
function newPerson(faults: object = {}) {
  const home = newHome(world, faults);
  const cli = (words: readonly string[], input?: string) =>
    world.cli(words, { cwd: home, env: { HOME: home }, ...(input === undefined ? {} : { input }) });
  return Object.assign(cli, { home, start: (...words: string[]) => cli(['start', '--agent', 'scripted', ...words]) });
}

const hang = steps({ hang: 'stream' });

test('run gives the reply on stdout and 0; a failed turn gives 8; a prompt from a pipe arrives as it is', async () => {
  const cli = newPerson();
  const run = (prompt: string) => cli(['run', '--agent', 'scripted', prompt]);
  expect(await run('hello')).toMatchObject({ status: 0, stdout: 'You said: hello\n' });
  expect(await run(steps({ status: 400 }))).toMatchObject({ status: 8, stdout: '' });
  const odd = 'tab\there; $(echo no) `x` "q" \'s\' 😀';
  expect((await cli(['run', '--agent', 'scripted', '-'], odd)).stdout).toBe(`You said: ${odd}\n`);
});

test('a run that times out gives 6 and keeps running; the command it names waits for the reply', async () => {
  const cli = newPerson();
  const ran = await cli(['run', '--agent', 'scripted', '--wait', '300ms', steps({ delayMs: 2_000, text: 'late' })]);
  expect(ran).toMatchObject({ status: 6, stdout: '' });
  const again = /Wait again: outlast (.*)/.exec(ran.stderr)?.[1]?.split(' ') ?? [];
  expect(await cli(again)).toMatchObject({ status: 0, stdout: 'late\n' });
});

test('a run that is stopped or interrupted is 4, never 0', async () => {
  const cli = newPerson();
  const stopped = cli(['run', '--agent', 'scripted', '--name', 'run-stop', hang]);
  await eventually(async () => (await cli(['show', 'run-stop'])).status === 0);
  await eventually(async () => (await cli(['stop', 'run-stop'])).status === 0);
  expect(await stopped).toMatchObject({ status: 4, stdout: '' });
  const interrupted = cli(['run', '--agent', 'scripted', '--name', 'run-interrupt', hang]);
  await eventually(async () => (await cli(['interrupt', 'run-interrupt'])).status === 0);
  expect(await interrupted).toMatchObject({ status: 4, stdout: '' });
});

test('a dialog is 7 for every waiting caller, and says what is needed', async () => {
  const cli = newPerson({ dialog: 'trust' });
  const started = await cli.start('--live', '--name', 'held', '--ready', '30s');
  expect(started).toMatchObject({ status: 7 });
  expect(started.stderr).toMatch(/needs a person: .*trust/);
  expect(await cli(['wait', 'held'])).toMatchObject({ status: 7 });
  expect(await cli(['wait', 'held', '--for', 'held'])).toMatchObject({ status: 0 });
  expect(await cli(['converse', 'held', 'x', '--wait', '20s'])).toMatchObject({ status: 7, stdout: '' });
  expect((await cli(['list'])).stdout).toMatch(/^held +held: /m);
});

test('an agent that is not ready in time gives 6 with its screen', async () => {
  const cli = newPerson({ startMs: 3_000 });
  const ran = await cli.start('--live', '--name', 'late', '--ready', '300ms');
  expect(ran).toMatchObject({ status: 6, stdout: expect.stringMatching(/^\w{20}\n$/) });
  expect(ran.stderr).toContain('its screen:\n----------');
  expect(await cli(['wait', 'late', '--for', 'idle', '--timeout', '30s'])).toMatchObject({ status: 0 });
});

test('two concurrent conversers each get the reply to their own prompt', async () => {
  const cli = newPerson();
  await cli.start('--name', 'both');
  const replies = await Promise.all(['one', 'two', 'three'].map((word) => cli(['converse', 'both', word])));
  expect(replies.map(({ stdout }) => stdout)).toEqual(['You said: one\n', 'You said: two\n', 'You said: three\n']);
});

test('a prompt behind others says so, can be dropped, and then has no reply to wait for', async () => {
  const cli = newPerson();
  await cli.start('--name', 'queue', hang);
  const queued = await cli(['prompt', 'queue', 'never']);
  expect(queued.stderr).toContain('Queued behind 1');
  const [id = ''] = queued.stdout.split(' ');
  expect((await cli(['prompt', 'queue', '--drop', id])).status).toBe(0);
  expect((await cli(['wait', 'queue', '--for', `reply:${id}`])).status).toBe(4);
  expect((await cli(['wait', 'queue', '--for', 'reply:nope'])).status).toBe(3);
  expect((await cli(['wait', 'queue', '--timeout', '100ms'])).status).toBe(6);
  await eventually(async () => (await cli(['interrupt', 'queue'])).status === 0);
  expect((await cli(['wait', 'queue', '--for', 'reply'])).status).toBe(4);
  expect(await cli(['wait', 'queue'])).toMatchObject({
    status: 0,
    stdout: 'queue: idle; its last turn was interrupted\n',
  });
});

test('a live agent accepts a prompt into its running turn, and says so', async () => {
  const cli = newPerson();
  await cli.start('--live', '--name', 'now', '--ready', '30s');
  const bash = { tool: 'Bash', input: { command: 'sleep 2' } };
  expect((await cli(['prompt', 'now', steps(bash, { text: 'slept' })])).stderr).toContain('now accepted the prompt.');
  expect((await cli(['prompt', 'now', '--now', 'and this'])).stderr).toContain('into the running turn');
  expect((await cli(['wait', 'now', '--timeout', '30s'])).status).toBe(0);
});

test('any or all of several sessions are waited for, and the worst of them is the status', async () => {
  const cli = newPerson();
  await cli.start('--name', 'quick', 'quick');
  await cli.start('--name', 'bad', steps({ status: 400 }));
  await cli.start('--name', 'never', hang);
  expect(await cli(['wait', 'never', 'quick', '--any', '--for', 'reply'])).toMatchObject({
    status: 0,
    stdout: '# quick\nYou said: quick\n\n',
  });
  expect((await cli(['wait', 'quick', 'bad', '--for', 'reply', '--timeout', '30s'])).status).toBe(8);
  expect((await cli(['wait', 'quick', 'never', '--for', 'reply', '--timeout', '100ms'])).status).toBe(6);
});

test('an ended session accepts no prompts, and resume continues the same conversation', async () => {
  const cli = newPerson();
  await cli(['converse', (await cli.start('--name', 'again')).stdout.trim(), 'first']);
  const before = JSON.parse((await cli(['show', 'again', '--json'])).stdout).session.conversation;
  await cli(['stop', 'again']);
  expect((await cli(['converse', 'again', 'x'])).status).toBe(4);
  expect((await cli(['wait', 'again', '--for', 'idle'])).status).toBe(4);
  expect((await cli(['resume', 'again', 'second'])).status).toBe(0);
  expect((await cli(['wait', 'again', '--for', 'reply'])).stdout).toBe('You said: second\n');
  const { session } = JSON.parse((await cli(['show', 'again', '--json'])).stdout);
  expect(session).toMatchObject({ conversation: before, phase: 'idle' });
  expect((await cli(['turn', 'again', '1'])).stdout).toContain('You said: first');
});

test('events are filtered by several types at once', async () => {
  const cli = newPerson();
  await cli.start('--name', 'types', steps({ tool: 'Bash', input: { command: 'TOKEN=abc true' } }, { text: 'done' }));
  await cli(['wait', 'types', '--for', 'reply']);
  const { stdout } = await cli(['events', 'types', '--type', 'tool.', '--type', 'prompt.answered']);
  expect(stdout).not.toContain('abc');
  const types = stdout.split('\n').map((line) => line.split(' ')[3]);
  expect(new Set(types)).toEqual(new Set(['tool.called', 'tool.ended', 'prompt.answered', undefined]));
});

test('a prompt waits while a person has control, and stop is refused without --force', async () => {
  const cli = newPerson();
  await cli.start('--name', 'shared');
  expect((await cli(['handoff', 'shared'])).stdout).toContain('outlast attach shared');
  expect((await cli(['prompt', 'shared', 'later'])).stderr).toContain('has control');
  expect((await cli(['stop', 'shared'])).status).toBe(4);
  expect((await cli(['handoff', 'shared', '--back'])).status).toBe(0);
  expect((await cli(['wait', 'shared', '--for', 'reply'])).stdout).toBe('You said: later\n');
  await cli(['handoff', 'shared']);
  expect((await cli(['stop', 'shared', '--force'])).status).toBe(0);
});

test('a run whose caller is killed keeps running, and its end is announced', async () => {
  const cli = newPerson();
  const { home } = cli;
  const bin = join(import.meta.dirname, '../../bin/outlast.cjs');
  const words = ['run', '--agent', 'scripted', '--name', 'orphaned', steps({ delayMs: 1_500, text: 'all alone' })];
  const caller = spawn(process.execPath, [bin, ...words], {
    cwd: home,
    env: { ...world.env, HOME: home },
    stdio: 'ignore',
  });
  const happened = (): Promise<string[]> => world.events('orphaned').catch((): string[] => []);
  await eventually(async () => (await happened()).includes('prompt.accepted'));
  caller.kill('SIGKILL');
  await eventually(async () => (await world.events('orphaned')).includes('session.backgrounded'));
  expect(await cli(['wait', 'orphaned', '--for', 'reply'])).toMatchObject({ status: 0, stdout: 'all alone\n' });
});

test('converse does not notice that the daemon is killed: one prompt, one reply', async () => {
  const cli = newPerson();
  const id = (await cli.start('--name', 'killed')).stdout.trim();
  const conversing = cli(['converse', 'killed', steps({ delayMs: 1_500, text: 'still here' }), '--wait', '60s']);
  await eventually(async () => (await world.events(id)).includes('prompt.accepted'), { what: 'the prompt is taken' });
  // The converse itself starts the next one.
  await world.kill();
  expect(await conversing).toMatchObject({ status: 0, stdout: 'still here\n' });
  expect((await world.events(id)).filter((type) => type === 'prompt.queued')).toHaveLength(1);
});
