import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Session } from '../../src/client/index.ts';
import { isRunning } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import type { Stage, Stories } from './stage.ts';

type Drive = 'turns' | 'live';

/** A session with one answered prompt, which is in the transcript. */
async function startAnswered(
  stage: Stage,
  drive: Drive,
): Promise<{ session: Session; path: string; conversation: string }> {
  const session = await stage.startDriven(drive, { name: 'api' });
  expect((await session.converse('before', { timeoutMs: 60_000 })).met).toBe('answered');
  await stage.waitForEvent(session.id, 'usage.counted');
  const { conversation } = (await session.show()).session;
  const [path = ''] = stage.transcripts(conversation);
  return { session, path, conversation: conversation ?? '' };
}

/** Kills the process of a live agent, so that it has to be resumed. */
async function killLiveAgent(session: Session): Promise<void> {
  const { pid, drive } = (await session.show()).session;
  if (pid === null || drive !== 'live') return;
  process.kill(pid, 'SIGKILL');
  await eventually(() => !isRunning(pid), { what: 'the end of the agent' });
}

/** The session is held, and callers learn what is gone, where it was, and what to do. */
async function expectHeld(stage: Stage, session: Session, path: string): Promise<void> {
  await stage.waitForEvent(session.id, 'session.held');
  const { session: now } = await session.show();
  expect([now.phase, placeIn(now.held ?? '').test(path)], now.held ?? '').toEqual(['held', true]);
  expect(now.held).toMatch(/gone.*outlast resume\b.*outlast resume --start-fresh/);
  expect((await stage.cli(['list'])).stdout).toMatch(/held/);
  const report = (await stage.cli(['report', 'api'])).stdout;
  expect(placeIn(report).test(path), report).toBe(true);
}

/** The file that a message names; an agent that does not tell where it writes has a pattern with stars. */
function placeIn(text: string): RegExp {
  const [place = ''] = /\/\S+\.jsonl/.exec(text) ?? [];
  const escaped = place.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '[^/]*')}$`);
}

/** The transcript is removed, then restored: the session continues. */
function restoredStory(drive: Drive): (open: () => Promise<Stage>) => Promise<void> {
  return async (open) => {
    const stage = await open();
    const { session, path, conversation } = await startAnswered(stage, drive);
    const kept = `${path}.kept`;
    copyFileSync(path, kept);
    await killLiveAgent(session);
    rmSync(path);
    const { prompt } = await session.prompt('after');
    await expectHeld(stage, session, path);
    expect((await stage.cli(['resume', 'api'])).status).toBe(0);
    await stage.waitForEvent(session.id, 'session.held', 2);
    expect(stage.transcripts(conversation)).toEqual([]);
    renameSync(kept, path);
    expect((await stage.cli(['resume', 'api'])).status).toBe(0);
    expect((await session.reply({ prompt, timeoutMs: 100_000 })).reply).toBe('You said: after');
    expect((await session.show()).session.conversation).toBe(conversation);
    await stage.expectReceived(['before', 'after'], conversation);
  };
}

/** The transcript is empty: a new conversation starts only with `resume --start-fresh`. */
function startFreshStory(drive: Drive): (open: () => Promise<Stage>) => Promise<void> {
  return async (open) => {
    const stage = await open();
    const { session, path, conversation } = await startAnswered(stage, drive);
    await killLiveAgent(session);
    writeFileSync(path, '');
    const { prompt } = await session.prompt('after');
    await expectHeld(stage, session, path);
    expect((await stage.cli(['resume', 'api', '--start-fresh'])).status).toBe(0);
    expect((await session.reply({ prompt, timeoutMs: 100_000 })).reply).toBe('You said: after');
    const { session: now } = await session.show();
    expect(now.conversation).not.toBe(conversation);
    await stage.expectReceived(['after'], now.conversation);
    expect((await session.converse('once more', { timeoutMs: 100_000 })).reply).toBe('You said: once more');
    await stage.expectReceived(['after', 'once more'], now.conversation);
  };
}

/** Sessions whose transcript is gone. */
export const MISSING: Stories = {
  'a session whose transcript is gone is held until the file is back (turns)': restoredStory('turns'),
  'a session whose transcript is gone is held until the file is back (live)': restoredStory('live'),
  'a session whose transcript was emptied is held, and resume --start-fresh starts a new conversation (turns)':
    startFreshStory('turns'),
  'a session whose transcript was emptied is held, and resume --start-fresh starts a new conversation (live)':
    startFreshStory('live'),
};
