import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { foreignAgent, programOf, writes } from './foreign.ts';
import { needing, type Stage, type Stories, type Story } from './stage.ts';
import { untilFile } from './story-text.ts';

/** Somebody resumes a conversation of ours by hand; gives what waits for the end of that. */
function resumeByHand(stage: Stage, conversation: string, prompt: string): Promise<unknown> {
  const [program, ...words] = programOf(stage);
  const argv = [...words, '--print', '--resume', conversation, '--permission-mode', 'bypassPermissions'];
  const env = { ...stage.env, OUTLAST_STATE: stage.world.state };
  const child = spawn(program, argv, { cwd: stage.workspace, env, stdio: ['pipe', 'ignore', 'ignore'] });
  child.stdin?.on('error', () => {});
  child.stdin?.end(prompt);
  return new Promise((resolve) => child.once('exit', resolve));
}

/** The prompts on the way from the last line of a transcript back to its first: a forked one has others besides. */
function thread(path: string): string[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const byId = new Map(lines.filter(({ uuid }) => uuid !== undefined).map((line) => [line.uuid, line]));
  const found: string[] = [];
  for (let at = lines.findLast(({ type }) => type === 'assistant'); at !== undefined; at = byId.get(at.parentUuid)) {
    if (at.type === 'user' && typeof at.message?.content === 'string') found.unshift(at.message.content);
  }
  return found;
}

function besideStory(drive: 'turns' | 'live'): Story {
  return async (open) => {
    const stage = await open({ manners: {} });
    const go = join(stage.root, 'go');
    const session = drive === 'live' ? await stage.live({ name: 'api' }) : await stage.start({ name: 'api' });
    expect((await session.converse('ours', { timeoutMs: 30_000 })).met).toBe('answered');
    const { conversation, transcript, run } = (await session.show()).session;
    const theirs = untilFile(go, 'theirs');
    const ended = resumeByHand(stage, conversation ?? '', theirs);
    await eventually(() => readFileSync(transcript ?? '', 'utf8').includes('"tool_use"'), { msMax: 30_000 });
    const { prompt } = await session.prompt('later');
    const waits = async () => (await session.show()).session.prompts.find(({ id }) => id === prompt)?.waiting;
    await eventually(async () => /^process \d+ has its conversation open$/.test((await waits()) ?? ''), {
      what: 'a prompt that says for whom it waits',
      msMax: 30_000,
    });
    expect((await stage.cli(['show', 'api'])).stdout).toMatch(
      /queued \(process \d+ has its conversation open\): later/,
    );
    writeFileSync(go, '');
    await ended;
    expect((await session.reply({ prompt, timeoutMs: 40_000 })).reply).toBe('You said: later');
    await stage.hears(['ours', theirs, 'later'], conversation);
    expect(thread(transcript ?? '')).toEqual(['ours', theirs, 'later']);
    expect((await session.show()).session.run).toBe(2);
    expect(run).toBe(1);
  };
}

/** One writer per conversation. */
export const ONE_WRITER: Stories = {
  'T-ONE-1: a prompt waits while somebody else has the conversation open, and goes on where they left it (turns)':
    besideStory('turns'),
  'T-ONE-1: a prompt waits while somebody else has the conversation open, and goes on where they left it (live)':
    besideStory('live'),

  'T-ONE-2: a live agent that somebody has gone on without reads that first, and then hears its prompt': needing(
    ['live'],
    async (open) => {
      const stage = await open({ manners: {} });
      const session = await stage.live();
      expect((await session.converse('ours', { timeoutMs: 30_000 })).met).toBe('answered');
      const { conversation, transcript } = (await session.show()).session;
      await resumeByHand(stage, conversation ?? '', 'theirs');
      expect((await session.converse('later', { timeoutMs: 40_000 })).reply).toBe('You said: later');
      await stage.hears(['ours', 'theirs', 'later'], conversation);
      expect(thread(transcript ?? '')).toEqual(['ours', 'theirs', 'later']);
      const faults = await stage.events(session.id, 'run.faulted');
      expect(faults.map(({ body }) => body.fault)).toEqual([
        { kind: 'cut', why: 'another process has gone on with its conversation' },
      ]);
      expect((await session.converse('and on', { timeoutMs: 30_000 })).reply).toBe('You said: and on');
      expect((await session.show()).session.run).toBe(2);
    },
  ),

  'T-ONE-3: an answered conversation is not taken over while a process has it open, and then without a word': needing(
    ['faults on command'],
    async (open) => {
      const stage = await open({ manners: { endMs: 120_000, stateFile: false }, isAlone: true });
      const agent = foreignAgent(stage, 'hello');
      await writes(agent, 'You said: hello');
      const taken = await stage.cli(['resume', '--conversation', agent.id]);
      expect([taken.status, taken.stderr]).toEqual([4, expect.stringMatching(/process \d+ has it open/)]);
      await agent.kill();
      stage.behave({});
      const ran = await stage.cli(['resume', '--conversation', agent.id]);
      expect(ran.status, ran.stderr).toBe(0);
      const [session] = (await stage.world.client.list()).sessions;
      expect(session).toMatchObject({ phase: 'idle', conversation: agent.id, prompts: [] });
      expect(session?.run ?? 0).toBe(0);
      await stage.hears(['hello'], agent.id);
    },
  ),
};
