import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Session } from '../../src/client/index.ts';
import { isRunning } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import type { Stage, Stories } from './stage.ts';

type Drive = 'turns' | 'live';

/** A session that has answered once, and whose agent has written that down. */
async function begun(stage: Stage, drive: Drive): Promise<{ session: Session; path: string; conversation: string }> {
  const session = await stage.begin(drive, { name: 'api' });
  expect((await session.converse('before', { timeoutMs: 30_000 })).met).toBe('answered');
  await stage.happens(session.id, 'usage.counted');
  const { conversation } = (await session.show()).session;
  const [path = ''] = stage.transcripts(conversation);
  return { session, path, conversation: conversation ?? '' };
}

/** Ends the process of a live agent, so that it has to be resumed. */
async function killed(session: Session): Promise<void> {
  const { pid, drive } = (await session.show()).session;
  if (pid === null || drive !== 'live') return;
  process.kill(pid, 'SIGKILL');
  await eventually(() => !isRunning(pid), { what: 'the end of the agent' });
}

/** Held, and everybody who asks is told what is gone, where it was, and what to do. */
async function isHeld(stage: Stage, session: Session, path: string): Promise<void> {
  await stage.happens(session.id, 'session.held');
  const { session: now } = await session.show();
  expect([now.phase, now.held]).toEqual(['held', expect.stringContaining(path)]);
  expect(now.held).toMatch(/gone.*outlast resume\b.*outlast resume --start-fresh/);
  expect((await stage.cli(['list'])).stdout).toMatch(/held/);
  expect((await stage.cli(['report', 'api'])).stdout).toContain(path);
}

/** The file is gone; it comes back, and so does the session. */
function backStory(drive: Drive): (open: () => Promise<Stage>) => Promise<void> {
  return async (open) => {
    const stage = await open();
    const { session, path, conversation } = await begun(stage, drive);
    const kept = `${path}.kept`;
    copyFileSync(path, kept);
    await killed(session);
    rmSync(path);
    const { prompt } = await session.prompt('after');
    await isHeld(stage, session, path);
    expect((await stage.cli(['resume', 'api'])).status).toBe(0);
    await stage.happens(session.id, 'session.held', 2);
    expect(stage.transcripts()).toEqual([]);
    renameSync(kept, path);
    expect((await stage.cli(['resume', 'api'])).status).toBe(0);
    expect((await session.reply({ prompt, timeoutMs: 40_000 })).reply).toBe('You said: after');
    expect((await session.show()).session.conversation).toBe(conversation);
    await stage.hears(['before', 'after'], conversation);
  };
}

/** The file is there and says nothing; another conversation is begun, but only when somebody says so. */
function anewStory(drive: Drive): (open: () => Promise<Stage>) => Promise<void> {
  return async (open) => {
    const stage = await open();
    const { session, path, conversation } = await begun(stage, drive);
    await killed(session);
    writeFileSync(path, '');
    const { prompt } = await session.prompt('after');
    await isHeld(stage, session, path);
    expect((await stage.cli(['resume', 'api', '--start-fresh'])).status).toBe(0);
    expect((await session.reply({ prompt, timeoutMs: 40_000 })).reply).toBe('You said: after');
    const { session: now } = await session.show();
    expect(now.conversation).not.toBe(conversation);
    await stage.hears(['after'], now.conversation);
    expect((await session.converse('once more', { timeoutMs: 40_000 })).reply).toBe('You said: once more');
    await stage.hears(['after', 'once more'], now.conversation);
  };
}

/** Conversations whose file is gone. */
export const MISSING: Stories = {
  'a conversation that is gone is held until it is back (turns)': backStory('turns'),
  'a conversation that is gone is held until it is back (live)': backStory('live'),
  'a conversation that was emptied is held, and another begins on a word (turns)': anewStory('turns'),
  'a conversation that was emptied is held, and another begins on a word (live)': anewStory('live'),
};
