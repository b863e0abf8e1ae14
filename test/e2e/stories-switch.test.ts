import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { script as steps } from '../agents/story-text.ts';
import { eventually } from '../eventually.ts';
import { randomPng } from '../png.ts';
import { makeWorld } from '../world.ts';
import { newHome } from './homes.ts';

// Another agent carries a session on. The command line, a real daemon, the scripted agent and echo.

const world = await makeWorld({ config: { policy: { backoff: { msMin: 0 } } } });
afterAll(() => world[Symbol.asyncDispose]());

function newPerson() {
  const home = newHome(world, {});
  const cli = (...words: string[]) => world.cli(words, { cwd: home, env: { HOME: home } });
  const show = async (name: string) => JSON.parse((await cli('show', name, '--json')).stdout).session;
  const turn = async (name: string, number: number) =>
    JSON.parse((await cli('turn', name, String(number), '--json')).stdout);
  return Object.assign(cli, { show, turn });
}

/** A usage limit that resets in this many seconds, met once. */
function limited(seconds: number): object {
  const name = 'anthropic-ratelimit-unified';
  const reset = Math.floor(Date.now() / 1000) + seconds;
  return { status: 429, times: 1, headers: { [`${name}-status`]: 'rejected', [`${name}-reset`]: String(reset) } };
}

const SCRIPTED = ['--agent', 'scripted'];
const ofSwitch = (types: readonly string[]) => types.filter((type) => /switch|limited/.test(type));

test('a session that meets its limit is carried on by another agent, and is one story', async () => {
  const cli = newPerson();
  const asked = steps(limited(7_200), { text: 'never' });
  const ran = await cli(
    ...['run', ...SCRIPTED, '--name', 'moved', '--on-limit', 'switch:scripted,echo', '--wait', '20s', asked],
  );
  expect(ran).toMatchObject({ status: 0 });
  expect(ran.stdout).toContain('[Outlast wrote this hand-over; no person typed it.]');
  expect(ran.stdout).toContain('from scripted, which hit its usage limit');
  expect(ran.stdout.trimEnd().endsWith(`This was asked, and is not finished:\n\n${asked}`)).toBe(true);
  expect(ofSwitch(await world.events('moved'))).toEqual(['session.limited', 'session.switching', 'session.switched']);
  expect(await cli.show('moved')).toMatchObject({
    agent: 'echo',
    phase: 'ended',
    earlierAgents: [{ agent: 'scripted' }],
  });
  expect((await cli('show', 'moved')).stdout).toMatch(/^agent +echo, a process per turn; before: scripted$/m);
  expect(await cli.turn('moved', 1)).toMatchObject({ count: 2, turn: { agent: 'scripted', prompt: asked } });
  expect(await cli.turn('moved', 2)).toMatchObject({ count: 2, turn: { agent: 'echo' } });
  expect(await world.client.turn({ session: 'moved', prompt: 'first' })).toMatchObject({ number: 2 });
  expect((await cli('report', 'moved')).stdout).toContain('echo takes over from scripted');
});

test('without another agent that can take over, it waits for its limit and says why', async () => {
  const cli = newPerson();
  const ran = await cli(
    ...['run', ...SCRIPTED, '--name', 'stays', '--on-limit', 'switch:nobody', '--wait', '20s'],
    steps(limited(7_200), { text: 'never' }),
  );
  expect(ran).toMatchObject({ status: 7 });
  expect(await world.events('stays')).toContain('session.unswitched');
  expect((await cli('report', 'stays')).stdout).toContain('no other agent can take over: nobody: there is no agent');
});

test('a prompt with an image waits for the limit if the other agent takes none', async () => {
  const cli = newPerson();
  const shot = join(newHome(world, {}), 'shot.png');
  writeFileSync(shot, randomPng());
  const ran = await cli(
    ...['run', ...SCRIPTED, '--name', 'seeing', '--on-limit', 'switch:echo', '--wait', '20s', '--image', shot],
    steps(limited(7_200), { text: 'never' }),
  );
  expect(ran).toMatchObject({ status: 7 });
  expect((await cli('report', 'seeing')).stdout).toContain('echo takes no images in turns');
  expect((await cli('resume', 'seeing', '--agent', 'echo')).stderr).toContain('echo takes no images in turns');
});

test('resume --agent carries on an ended session, and back in its first conversation', async () => {
  const cli = newPerson();
  await cli('run', ...SCRIPTED, '--name', 'handed', 'first words');
  const { conversation } = await cli.show('handed');
  expect(await cli('resume', 'handed', '--agent', 'echo', 'second words')).toMatchObject({ status: 0 });
  const second = await cli('wait', 'handed', '--for', 'reply', '--timeout', '20s');
  expect(second.stdout).toContain('You said: first words');
  expect(second.stdout.trimEnd().endsWith('This is asked now:\n\nsecond words')).toBe(true);
  expect(await cli('resume', 'handed', '--agent', 'scripted', 'third words')).toMatchObject({ status: 0 });
  await cli('wait', 'handed', '--for', 'reply', '--timeout', '20s');
  expect(await cli.show('handed')).toMatchObject({ agent: 'scripted', conversation });
  const agents = await Promise.all([1, 2, 3].map(async (number) => (await cli.turn('handed', number)).turn.agent));
  expect(agents).toEqual(['scripted', 'echo', 'scripted']);
  // The hand-over back has what happened in between, and not what that conversation has itself.
  const { prompt, handover } = (await cli.turn('handed', 3)).turn;
  expect(prompt).toBe('third words');
  expect(handover).toContain('second words');
  expect(handover.endsWith('This is asked now:')).toBe(true);
  expect(handover.match(/## A turn of \w+/g)).toEqual(expect.arrayContaining(['## A turn of echo']));
  expect(handover.split('\n## A turn of ')).toHaveLength(3);
  // People and editors see what was asked; the hand-over only if they want all of it.
  const shown = (await cli('turn', 'handed', '2')).stdout;
  expect(shown).toMatch(/^\*\*Prompt\*\*\n\n\*Before it Outlast wrote a hand-over of \d+ lines\.\*\n\nsecond words\n/);
  expect((await cli('turn', 'handed', '2', '--full')).stdout).toContain('from scripted, which cannot continue');
  const report = (await cli('report', 'handed')).stdout;
  expect(report).toMatch(/## Last turn\n\n> \*\*Prompt\*\*\n>\n> \*Before it .*\*\n>\n> third words\n/);
  const begun: unknown[] = [];
  for await (const line of world.client.turns({ session: 'handed' }))
    if (line.text !== undefined) begun.push([line.text, line.prompt !== null, line.continued]);
  expect(begun).toEqual(['first words', 'second words', 'third words'].map((text) => [text, true, false]));
});

// The limit is long enough for a slow machine: one that is over when it is met counts as another.
test('when the limit is over, the first agent takes over again', async () => {
  const cli = newPerson();
  await cli(
    ...['start', ...SCRIPTED, '--name', 'returns', '--on-limit', 'switch:echo', '--switch-back'],
    steps(limited(8), { text: 'never' }),
  );
  await eventually(async () => (await cli.show('returns')).agent === 'echo', { what: 'echo', msMax: 20_000 });
  await eventually(async () => (await cli.show('returns')).agent === 'scripted', {
    what: 'the way back',
    msMax: 20_000,
  });
  expect(ofSwitch(await world.events('returns'))).toEqual([
    'session.limited',
    'session.switching',
    'session.switched',
    'session.switching',
    'session.switched',
  ]);
});

test('a live agent is ended before another one takes over', async () => {
  const cli = newPerson();
  await cli('start', '--agent', 'echo', '--live', '--name', 'alive', 'first');
  await cli('wait', 'alive', '--for', 'reply', '--timeout', '20s');
  const { pid } = await cli.show('alive');
  expect(await cli('resume', 'alive', '--agent', 'scripted', 'second')).toMatchObject({ status: 0 });
  const reply = await cli('wait', 'alive', '--for', 'reply', '--timeout', '20s');
  expect(reply.stdout).toContain('You said:');
  expect((await cli.turn('alive', 2)).turn.prompt).toContain('second');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  expect(await cli.show('alive')).toMatchObject({ agent: 'scripted', drive: 'live' });
});

test('a session that works, or the wrong agent, is refused', async () => {
  const cli = newPerson();
  await cli('start', ...SCRIPTED, '--name', 'works', steps({ hang: 'stream' }));
  await eventually(async () => (await cli.show('works')).phase === 'working', { what: 'work' });
  const refused = await cli('resume', 'works', '--agent', 'echo');
  expect(refused).toMatchObject({ status: 4 });
  expect(refused.stderr).toContain('works');
  await cli('stop', 'works');
  expect((await cli('resume', 'works', '--agent', 'nobody')).stderr).toContain('there is no agent "nobody"');
  expect((await cli('resume', 'works', '--model', 'x')).stderr).toContain('need --agent NAME');
});

test('the next session of an account does not meet a limit that another one left', async () => {
  const cli = newPerson();
  const limits = async (name: string) => ofSwitch(await world.events(name));
  const policy = ['--on-limit', 'switch:echo'];
  await cli(
    'run',
    ...SCRIPTED,
    '--name',
    'leaver',
    ...policy,
    '--wait',
    '20s',
    steps(limited(7_200), { text: 'never' }),
  );
  expect(await cli.show('leaver')).toMatchObject({ agent: 'echo', phase: 'ended' });
  // Neither the end of that session nor of the daemon changes it.
  await world.restart();
  const ran = await cli('run', ...SCRIPTED, '--name', 'follower', ...policy, '--wait', '20s', 'hello');
  expect(ran.stdout.trimEnd().endsWith('hello')).toBe(true);
  expect(await cli.show('follower')).toMatchObject({ agent: 'echo', run: 1 });
  expect(await limits('follower')).toEqual(['session.limited', 'session.switching', 'session.switched']);
  await cli('start', ...SCRIPTED, '--name', 'patient', 'hello');
  await eventually(async () => (await cli('wait', 'patient')).status === 7, { what: 'the limit', msMax: 20_000 });
  expect(await world.events('patient')).not.toContain('run.starting');
  // A person tries anyway. The reply shows that the limit is over for all.
  await cli('resume', 'patient');
  expect((await cli('wait', 'patient', '--for', 'reply', '--timeout', '20s')).stdout).toBe('You said: hello\n');
  const after = await cli('run', ...SCRIPTED, '--name', 'free-again', '--wait', '20s', 'hello');
  expect(after).toMatchObject({ status: 0, stdout: 'You said: hello\n' });
  expect(await limits('free-again')).toEqual([]);
});
