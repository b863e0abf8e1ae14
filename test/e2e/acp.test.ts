import { expect, test } from 'vitest';
import { ACP, worldWith } from '../any-cli/world.ts';
import { eventually } from '../eventually.ts';

const LINE = ['--agent', 'acp', '--', ...ACP];

test.concurrent('a program behind `--` is driven by the protocol, and remembers its conversation', async () => {
  await using world = await worldWith({});
  expect((await world.cli(['run', 'say outlast-one', ...LINE])).stdout).toBe('outlast-one\n');
  const started = await world.cli(['start', '--name', 'mine', 'the word is outlast-two', ...LINE]);
  expect([started.status, started.stderr]).toEqual([0, expect.stringContaining('Started')]);
  expect((await world.cli(['converse', 'mine', 'Which word did I name?'])).stdout).toBe('outlast-two\n');
});

test.concurrent('after a kill the conversation is loaded by a new process of the same command line', async () => {
  await using world = await worldWith({});
  await world.cli(['start', '--name', 'mine', 'the word is outlast-kept', ...LINE]);
  await world.cli(['wait', 'mine', '--for', 'idle']);
  const pid = Number(JSON.parse((await world.cli(['show', 'mine', '--json'])).stdout).session.pid);
  process.kill(pid, 'SIGKILL');
  await eventually(async () => JSON.parse((await world.cli(['show', 'mine', '--json'])).stdout).session.run === 2);
  expect((await world.cli(['converse', 'mine', 'Which word did I name?'])).stdout).toBe('outlast-kept\n');
});

test.concurrent('no program, a missing one, --now and a gate are refused with the reason', async () => {
  await using world = await worldWith({});
  const refused = async (...words: string[]): Promise<string> => {
    const { status, stderr } = await world.cli(words);
    expect(status).not.toBe(0);
    return stderr;
  };
  expect(await refused('start', '--agent', 'acp', 'hello')).toContain('--agent acp -- PROGRAM');
  expect(await refused('start', '--agent', 'acp', '--', 'no-such-agent', 'acp')).toContain('there is no no-such-agent');
  expect(await refused('start', '--gate', ...LINE)).toContain('not known to ask before every call');
  await world.cli(['start', '--name', 'mine', ...LINE]);
  expect(await refused('prompt', 'mine', '--now', 'x')).toContain('takes no prompt during a turn');
});
