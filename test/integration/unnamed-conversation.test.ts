import { existsSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Session, StartInput } from '../../src/client/index.ts';
import { eventually } from '../eventually.ts';
import { ServerStage } from '../fault/server-world.ts';

// An agent that chooses the id of its conversation, and is killed before it has reported that id.

const LATE = { drive: 'turns', env: { ECHO_NAMES: 'late' } } as const;
const DEADLINE = { msMax: 60_000 } as const;

const conversationsOf = (stage: ServerStage): string => join(stage.world.state, 'home/.outlast-echo/conversations');

/** Another session of echo in the same folder, with the same prompt. */
async function startSibling(stage: ServerStage, text: string, input: StartInput = {}): Promise<Session> {
  const env = { PATH: process.env.PATH ?? '', HOME: join(stage.world.state, 'home'), ...input.env };
  const start = { agent: 'echo', drive: 'turns', keepOpen: true, cwd: stage.workspace, ...input, env } as const;
  return stage.world.client.start({ ...start, prompt: text });
}

async function reasonOfHold(session: Session): Promise<string> {
  const held = async (): Promise<string | null> => (await session.show()).session.held;
  return eventually(async () => (await held()) ?? undefined, { ...DEADLINE, what: 'a held session' });
}

/** Waits until echo has received this number of prompts. */
async function waitForPrompts(stage: ServerStage, count: number): Promise<void> {
  await eventually(() => stage.receivedPrompts().length === count, { ...DEADLINE, what: `${count} received prompts` });
}

test.concurrent('the only conversation that matches is found, and its turn is continued', async () => {
  await using stage = await ServerStage.open('stdio', LATE);
  const text = 'run echo once >> ledger\ncrash';
  const { met, reply } = await stage.session.converse(text);
  expect([met, reply]).toEqual(['answered', expect.stringMatching(/^You were interrupted/)]);
  expect(stage.receivedPrompts()).toEqual([text, expect.stringMatching(/^You were interrupted/)]);
  expect(stage.uses()).toHaveLength(1);
  const opened = (await stage.events()).filter(({ event }) => event === 'conversation.opened');
  expect(opened[0]?.body).toMatchObject({ run: 1, source: 'found' });
  expect(readdirSync(conversationsOf(stage))).toEqual([`${opened[0]?.body.conversation}.jsonl`]);
});

test.concurrent('a prompt that reached no conversation is sent again', async () => {
  await using stage = await ServerStage.open('stdio', LATE);
  const dies = join(stage.world.state, 'dies');
  writeFileSync(dies, '');
  const session = await startSibling(stage, 'say hello', { env: { ...LATE.env, ECHO_DIES: dies } });
  expect(await session.reply({ timeoutMs: 60_000 })).toMatchObject({ met: 'answered', reply: 'hello' });
  expect([existsSync(dies), stage.receivedPrompts()]).toEqual([false, ['say hello']]);
});

test.concurrent('when two conversations match, neither is used, and nothing is sent again', async () => {
  await using stage = await ServerStage.open('stdio', LATE);
  const text = 'wait go\ncrash';
  await stage.session.prompt(text);
  const other = await startSibling(stage, text, { env: LATE.env });
  await waitForPrompts(stage, 2);
  writeFileSync(stage.file('go'), '');
  for (const session of [stage.session, other]) {
    expect(await reasonOfHold(session)).toMatch(
      /2 conversations match its folder, its time and its prompt: .*--start-fresh/,
    );
  }
  expect(stage.receivedPrompts()).toEqual([text, text]);
  // A person may send the prompt to a new conversation.
  await stage.session.resume({ startFresh: true });
  await waitForPrompts(stage, 3);
});

test.concurrent('a conversation that belongs to another session does not match', async () => {
  await using stage = await ServerStage.open('stdio', LATE);
  const text = 'wait go\nsay done';
  await stage.session.prompt(text);
  const other = await startSibling(stage, text);
  await waitForPrompts(stage, 2);
  await stage.sendSignal('command', 'SIGKILL');
  const { body } = await stage.untilEvent('conversation.opened');
  expect(body).toMatchObject({ source: 'found' });
  expect(body.conversation).not.toBe((await other.show()).session.conversation);
  writeFileSync(stage.file('go'), '');
  expect(await other.reply({ timeoutMs: 60_000 })).toMatchObject({ met: 'answered', reply: 'done' });
});

test.concurrent('unreadable conversations hold the session, and it continues when they can be read again', async () => {
  await using stage = await ServerStage.open('stdio', LATE);
  await stage.session.prompt('wait go');
  await waitForPrompts(stage, 1);
  const folder = conversationsOf(stage);
  renameSync(folder, `${folder}.away`);
  // A link to itself cannot be read, not even by root.
  symlinkSync(folder, folder);
  await stage.sendSignal('command', 'SIGKILL');
  expect(await reasonOfHold(stage.session)).toMatch(/conversations cannot be read now/);
  expect(stage.receivedPrompts()).toHaveLength(1);
  rmSync(folder);
  renameSync(`${folder}.away`, folder);
  await waitForPrompts(stage, 2);
  expect(stage.receivedPrompts()[1]).toMatch(/^You were interrupted/);
});
