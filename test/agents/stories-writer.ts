import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { startForeignAgent, turnByHand, waitForTranscript } from './foreign.ts';
import { needing, type Play, type Stage, type Stories } from './stage.ts';

/** Some agents may load a conversation only in the minute after its first one. */
const RELOAD_MS_MAX = 100_000;

/** Resumes a conversation of Outlast without Outlast; the promise resolves when that process exits. */
function resumeByHand(stage: Stage, conversation: string, prompt: string): Promise<unknown> {
  const { child } = turnByHand(stage, { is: 'resume', id: conversation }, prompt);
  return new Promise((resolve) => child.once('exit', resolve));
}

/** Waits until the agent has written a text to its transcript, which follows its hooks. */
async function untilWritten(stage: Stage, conversation: string | null, text: string): Promise<void> {
  const isWritten = (): boolean =>
    stage.transcripts(conversation).some((path) => readFileSync(path, 'utf8').includes(text));
  await eventually(isWritten, { what: text, msMax: 30_000 });
}

/** Checks that the last reply follows these prompts, where each conversation has a file of its own. */
function expectThread(stage: Stage, conversation: string | null, prompts: readonly string[]): void {
  const [transcript = ''] = stage.transcripts(conversation);
  if (stage.has('transcript files')) expect(stage.agent.thread(transcript)).toEqual(prompts);
}

function secondWriterStory(drive: 'turns' | 'live'): Play {
  return async (open) => {
    const stage = await open({ faults: {} });
    const go = join(stage.root, 'go');
    const session = drive === 'live' ? await stage.startLive({ name: 'api' }) : await stage.start({ name: 'api' });
    expect((await session.converse('first', { timeoutMs: 30_000 })).met).toBe('answered');
    const { conversation, run } = (await session.show()).session;
    await untilWritten(stage, conversation, 'You said: first');
    const byHand = stage.untilFile(go, 'by hand');
    const ended = resumeByHand(stage, conversation ?? '', byHand);
    await untilWritten(stage, conversation, go);
    await untilWritten(stage, conversation, stage.agent.marks.called);
    const { prompt } = await session.prompt('later');
    const waits = async () => (await session.show()).session.prompts.find(({ id }) => id === prompt)?.waiting;
    await eventually(async () => /^process \d+ has its conversation open$/.test((await waits()) ?? ''), {
      what: 'a prompt that names the process it waits for',
      msMax: 30_000,
    });
    expect((await stage.cli(['show', 'api'])).stdout).toMatch(
      /queued \(process \d+ has its conversation open\): later/,
    );
    writeFileSync(go, '');
    await ended;
    expect((await session.reply({ prompt, timeoutMs: RELOAD_MS_MAX })).reply).toBe('You said: later');
    await stage.expectReceived(['first', byHand, 'later'], conversation);
    await untilWritten(stage, conversation, 'You said: later');
    expectThread(stage, conversation, ['first', byHand, 'later']);
    expect((await session.show()).session.run).toBe(2);
    expect(run).toBe(1);
  };
}

/** A conversation has only one writer at a time. */
export const ONE_WRITER: Stories = {
  'T-ONE-1: a prompt waits while another process has the conversation open, and continues from its last turn (turns)':
    needing(['known holders'], secondWriterStory('turns')),
  'T-ONE-1: a prompt waits while another process has the conversation open, and continues from its last turn (live)':
    needing(['second writers', 'known holders'], secondWriterStory('live')),

  'T-ONE-2: a live agent whose conversation another process continued is restarted on it before its next prompt':
    needing(['live', 'second writers'], async (open) => {
      const stage = await open({ faults: {} });
      const session = await stage.startLive();
      expect((await session.converse('first', { timeoutMs: 30_000 })).met).toBe('answered');
      const { conversation } = (await session.show()).session;
      await untilWritten(stage, conversation, 'You said: first');
      await resumeByHand(stage, conversation ?? '', 'by hand');
      expect((await session.converse('later', { timeoutMs: RELOAD_MS_MAX })).reply).toBe('You said: later');
      await stage.expectReceived(['first', 'by hand', 'later'], conversation);
      await untilWritten(stage, conversation, 'You said: later');
      expectThread(stage, conversation, ['first', 'by hand', 'later']);
      const faults = await stage.events(session.id, 'run.faulted');
      expect(faults.map(({ body }) => body.fault)).toEqual([
        { kind: 'cut', why: 'another process has continued its conversation' },
      ]);
      expect((await session.converse('and on', { timeoutMs: 30_000 })).reply).toBe('You said: and on');
      expect((await session.show()).session.run).toBe(2);
    }),

  'T-ONE-3: an answered conversation is not taken over while a process has it open, and afterwards without a prompt':
    needing(['faults on command'], async (open) => {
      const stage = await open({ faults: { endMs: 120_000, stateFile: false }, isAlone: true });
      const agent = await startForeignAgent(stage, 'hello');
      await waitForTranscript(agent, 'You said: hello');
      const taken = await stage.cli(['resume', '--conversation', agent.id]);
      expect([taken.status, taken.stderr]).toEqual([4, expect.stringMatching(/process \d+ has it open/)]);
      await agent.kill();
      stage.setFaults({});
      const ran = await stage.cli(['resume', '--conversation', agent.id]);
      expect(ran.status, ran.stderr).toBe(0);
      const [session] = (await stage.world.client.list()).sessions;
      expect(session).toMatchObject({ phase: 'idle', conversation: agent.id, prompts: [] });
      expect(session?.run ?? 0).toBe(0);
      await stage.expectReceived(['hello'], agent.id);
    }),
};
