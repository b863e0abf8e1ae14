import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LLM_ENTRY, shownIn, started, worldWith } from '../any-cli/world.ts';
import { eventually } from '../eventually.ts';
import { randomPng } from '../png.ts';
import type { World } from '../world.ts';

const AGENT = ['--agent', 'mine'] as const;

test.concurrent('an agent of the config answers, and remembers its conversation', async () => {
  await using world = await worldWith({ mine: LLM_ENTRY }, { models: { mine: { big: 'model-7' } } });
  const id = await started(world, [...AGENT, '--model', 'big', 'hello there']);
  expect((await world.cli(['converse', id, 'and more'])).stdout.trim()).toBe('2 prompts; model model-7: and more');
  expect((await world.cli(['converse', id, 'again'])).stdout.trim()).toBe('3 prompts; model model-7: again');
});

test.concurrent('images are files that its command line names; an agent without a place for them says so', async () => {
  const { image: _, ...blind } = LLM_ENTRY as typeof LLM_ENTRY & { readonly image: unknown };
  await using world = await worldWith({ mine: LLM_ENTRY, blind });
  const [one, other] = [randomPng(), randomPng()];
  writeFileSync(join(world.state, 'one.png'), one);
  writeFileSync(join(world.state, 'other.png'), other);
  const images = ['--image', join(world.state, 'one.png'), '--image', join(world.state, 'other.png')];
  const id = await started(world, [...AGENT, 'hello there']);
  expect((await world.cli(['converse', id, ...images, 'look'])).stdout.trim()).toBe(
    `2 prompts; model none; images of ${one.length} and ${other.length} bytes: look`,
  );
  expect((await world.cli(['converse', id, 'again'])).stdout.trim()).toBe('3 prompts; model none: again');
  const refused = await world.cli(['run', '--agent', 'blind', ...images, 'look']);
  expect(refused.status).not.toBe(0);
  expect(refused.stderr).toContain('blind takes no images in turns');
});

test.concurrent('without --agent it is used if it is the only agent on the PATH, and run says so', async () => {
  await using world = await worldWith({ mine: LLM_ENTRY });
  const ran = await world.cli(['run', 'hello'], { env: { PATH: world.state } });
  expect([ran.status, ran.stdout.trim()]).toEqual([0, '1 prompts; model none: hello']);
  expect(ran.stderr).toContain('using mine, the only agent on your PATH');
});

test.concurrent('its program is found, and told from the tested ones', async () => {
  await using world = await worldWith({ mine: LLM_ENTRY });
  const { stdout } = await world.cli(['agents', 'mine']);
  expect(stdout).toContain('0.27.1, not tested');
  expect(stdout).toContain('gate           asks before every tool call: no, it does not ask');
  expect((await world.cli(['doctor'])).stdout).toContain('mine');
});

test.concurrent('a turn that is killed is continued in the same conversation, also by the next daemon', async () => {
  await using world = await worldWith({ mine: LLM_ENTRY });
  const gate = join(world.state, 'go');
  const id = await started(world, [...AGENT, `silent ${gate}`]);
  const { pid } = await eventually(() => runPid(world, id), { what: 'a process', msMax: 20_000 });
  await world.kill();
  process.kill(pid, 'SIGKILL');
  writeFileSync(gate, '');
  await world.start();
  await shownIn(world, id, 'idle');
  const { stdout } = await world.cli(['show', id, '--json']);
  expect(JSON.parse(stdout).reply).toMatch(/^2 prompts; model none: You were interrupted/);
});

test.concurrent('a program without a screen cannot be attached to, and its session is left alone', async () => {
  await using world = await worldWith({ mine: LLM_ENTRY });
  const id = await started(world, [...AGENT, 'one']);
  expect(JSON.parse(await shownIn(world, id, 'idle')).attach).toBeNull();
  const { status, stderr } = await world.cli(['attach', id, '--print']);
  expect(status).not.toBe(0);
  expect(stderr).toContain('has no screen: its agent has no "live" in the config');
  expect(await world.events(id)).not.toContain('visit.wanted');
});

test.concurrent('a new daemon goes on with the conversation', async () => {
  await using world = await worldWith({ mine: LLM_ENTRY });
  const id = await started(world, [...AGENT, 'one']);
  await shownIn(world, id, 'idle');
  await world.restart();
  expect((await world.cli(['converse', id, 'two'])).stdout.trim()).toBe('2 prompts; model none: two');
});

describe('a failure', () => {
  test.concurrent.each([
    ['a limit', 'fail rate limit reached', 'limited'],
    ['a login', 'fail no key found for openai', 'held'],
  ])('%s is understood by its expression', async (_, prompt, phase) => {
    await using world = await worldWith({ mine: LLM_ENTRY });
    const id = await started(world, [...AGENT, prompt]);
    await shownIn(world, id, phase);
  });

  test.concurrent('any other one is the error of the turn', async () => {
    await using world = await worldWith({ mine: LLM_ENTRY });
    const ran = await world.cli(['run', ...AGENT, 'fail something odd']);
    expect(ran.status).not.toBe(0);
    expect(ran.stdout + ran.stderr).toContain('Error: something odd');
  });
});

/** Wrong entries, each with what is said about it. */
const WRONG: Readonly<Record<string, readonly [entry: unknown, why: string]>> = {
  'unknown-key': [{ turn: ['x'], turns: [] }, 'unknown key "agents.unknown-key.turns"; known here: turn, resume'],
  'no-turn': [{ resume: ['x'] }, 'key "agents.no-turn.turn": must be a list of the program and its arguments'],
  'bad-regex': [
    { turn: ['x'], end: { regex: '(a' } },
    'key "agents.bad-regex.end.regex": is not a usable regular expression',
  ],
  'slow-regex': [{ turn: ['x'], failed: { regex: '(a)\\1' } }, 'which can take for ever'],
  'two-ways': [{ turn: ['x'], reply: { json: 'a', regex: 'b' } }, 'needs one of "json" and "regex"'],
  placeholder: [{ turn: ['x', '{promt}'] }, 'there is no {promt} here; available: {prompt_file}'],
  'no-image': [{ turn: ['x'], image: ['-a'] }, 'key "agents.no-image.image": needs {image} in a word'],
  'no-object': ['x', 'key "agents.no-object"'],
  'both-kinds': [{ acp: ['x'], turn: ['x'] }, 'unknown key "agents.both-kinds.turn"; known here: acp, env'],
  Upper: [LLM_ENTRY, 'key "agents.Upper": its name must be a-z, 0-9 and -'],
};

test.concurrent('a wrong entry is named, and affects nothing else', async () => {
  const wrong = Object.fromEntries(Object.entries(WRONG).map(([name, [entry]]) => [name, entry]));
  await using world = await worldWith({ mine: LLM_ENTRY, ...wrong });
  const listed = (await world.cli(['agents'])).stdout;
  for (const [name, [, why]] of Object.entries(WRONG)) {
    const ran = await world.cli(['start', '--agent', name, 'hello']);
    expect(ran.status).not.toBe(0);
    expect(ran.stderr).toContain(why);
    expect(ran.stderr).toContain(join(world.state, 'config.json'));
    expect(listed).toMatch(new RegExp(`^${name} +config error`, 'm'));
  }
  expect((await world.cli(['run', ...AGENT, 'hello'])).stdout).toContain('1 prompts; model none: hello');
});

test.concurrent('the name of a built-in agent is refused, and the built-in agent stays', async () => {
  await using world = await worldWith({ claude: LLM_ENTRY });
  const { stdout } = await world.cli(['agents', 'claude (config)']);
  expect(stdout).toContain('key "agents.claude": is the name of a built-in agent; take another one');
  expect((await world.cli(['agents', 'claude'])).stdout).toContain('hooks');
});

test.concurrent('an agent that vanished from the config holds its sessions until it is back', async () => {
  await using world = await worldWith({ mine: LLM_ENTRY });
  const gate = join(world.state, 'go');
  const file = join(world.state, 'config.json');
  const idle = await started(world, [...AGENT, 'one']);
  await shownIn(world, idle, 'idle');
  const busy = await started(world, [...AGENT, `wait ${gate}`]);
  await eventually(() => runPid(world, busy), { what: 'a process', msMax: 20_000 });
  const before = readFileSync(file, 'utf8');
  writeFileSync(file, '{}');
  await world.restart();
  for (const id of [idle, busy])
    expect(await shownIn(world, id, 'held')).toContain('the agent \\"mine\\" is no longer in the config');
  expect((await world.cli(['prompt', idle, 'two'])).stderr).toContain('there is no agent "mine"');
  // Its process ends while nothing can read it.
  writeFileSync(gate, '');
  writeFileSync(file, before);
  await world.restart();
  const replies = async (id: string): Promise<string> => JSON.parse(await shownIn(world, id, 'idle')).reply;
  await shownIn(world, idle, 'idle');
  expect((await world.cli(['converse', idle, 'two'])).stdout).toContain('2 prompts');
  expect(await replies(busy)).toMatch(/^begun with 1\n1 prompts/);
});

test.concurrent('a session of an agent that vanished can be stopped', async () => {
  await using world = await worldWith({ mine: LLM_ENTRY });
  const id = await started(world, [...AGENT, `silent ${join(world.state, 'never')}`]);
  const { pid } = await eventually(() => runPid(world, id), { what: 'a process', msMax: 20_000 });
  writeFileSync(join(world.state, 'config.json'), '{}');
  await world.restart();
  await shownIn(world, id, 'held');
  expect((await world.cli(['stop', id])).status).toBe(0);
  await shownIn(world, id, 'ended');
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});

/** The process of the turn that a session is at; null: there is none yet. */
async function runPid(world: World, id: string): Promise<{ pid: number } | null> {
  const { stdout } = await world.cli(['show', id, '--json']);
  const { processes, session } = JSON.parse(stdout) as {
    processes: { pid: number }[];
    session: { phase: string };
  };
  const [first] = processes;
  return session.phase === 'working' && first !== undefined ? first : null;
}
