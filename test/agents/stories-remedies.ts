import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { type ModelRequest, openModelProxy, type Refusal } from './model-proxy.ts';
import type { Stage, Stories, Story } from './stage.ts';
import { script } from './story-text.ts';
import { bad } from './under-test/claude-refusals.ts';

type Drive = 'turns' | 'live';

const WAIT_MS = 60_000;
const AT_ONCE = { config: { policy: { backoff: { msMin: 0 } } } };
const CHARS_MAX = 60_000;

/** An API with a maximum request size, which it ignores for the request that compacts. */
function tooLong({ messages }: ModelRequest): Refusal | null {
  const isCompacting = messages.slice(-3_000).includes('an <analysis> block followed by a <summary> block');
  if (isCompacting || messages.length < CHARS_MAX) return null;
  return bad('prompt is too long: 210000 tokens > 200000 maximum');
}

/** Switches off auto-compact of newer versions, which would leave nothing to compact for Outlast. */
function disableAutoCompact(stage: Stage): void {
  const path = join(stage.config, '.claude.json');
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), autoCompactEnabled: false }));
}

function tooLongStory(drive: Drive): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    disableAutoCompact(stage);
    await using proxy = await openModelProxy(stage);
    const { env } = proxy;
    const session = drive === 'live' ? await stage.startLive({ env }) : await stage.start({ env });
    // A short conversation cannot be compacted.
    for (const text of [`much ${'x'.repeat(CHARS_MAX)}`, 'and more']) {
      const { met } = await session.converse(text, { timeoutMs: WAIT_MS });
      expect(met).toBe('answered');
    }
    proxy.refusalFor = tooLong;
    const { conversation } = (await session.show()).session;
    const { prompt } = await session.prompt(script({ text: 'short again' }));
    const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
    expect([replied.met, replied.reply]).toEqual(['answered', 'short again']);
    const events = await stage.eventNames(
      session.id,
      'remedy.begun',
      'remedy.ended',
      'conversation.compacted',
      'session.held',
    );
    expect(events).toEqual(['remedy.begun', 'conversation.compacted', 'remedy.ended']);
    expect((await session.show()).session.conversation).toBe(conversation);
    // The transcript has it a little later than the agent.
    await eventually(() => stage.received(conversation).at(-1)?.includes('continue where you left off') ?? false);
  };
}

function poisonedStory(drive: Drive): Story {
  return async (open) => {
    const stage = await open(AT_ONCE);
    await using proxy = await openModelProxy(stage);
    const { env } = proxy;
    const session = drive === 'live' ? await stage.startLive({ env }) : await stage.start({ env });
    expect((await session.converse('hello', { timeoutMs: WAIT_MS })).reply).toBe('You said: hello');
    const { conversation: old } = (await session.show()).session;
    const poisoned = bad(
      'messages.1: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01',
    );
    proxy.refusalFor = ({ conversation }) => (conversation === old ? poisoned : null);
    const { prompt } = await session.prompt(script({ text: 'clean again' }));
    const replied = await session.reply({ prompt, timeoutMs: WAIT_MS });
    expect([replied.met, replied.reply]).toEqual(['answered', 'clean again']);
    expect(await stage.eventNames(session.id, 'remedy.begun', 'session.held')).toEqual(['remedy.begun']);
    const { conversation } = (await session.show()).session;
    expect([conversation === old, conversation === null]).toEqual([false, false]);
    const size = readFileSync(stage.transcripts(old)[0] ?? '').length;
    const next = await session.converse('more', { timeoutMs: WAIT_MS });
    expect([next.reply, (await session.show()).session.conversation]).toEqual(['You said: more', conversation]);
    expect(readFileSync(stage.transcripts(old)[0] ?? '')).toHaveLength(size);
    expect(stage.received(conversation)).toContain('hello');
  };
}

/** The API no longer accepts the conversation itself. */
export const REMEDIES: Stories = {
  'a conversation that is too long is compacted, and the prompt is continued (turns)': tooLongStory('turns'),
  'a conversation that is too long is compacted, and the prompt is continued (live)': tooLongStory('live'),
  "a poisoned conversation continues in a copy, which becomes the session's conversation (turns)":
    poisonedStory('turns'),
  "a poisoned conversation continues in a copy, which becomes the session's conversation (live)": poisonedStory('live'),
};
