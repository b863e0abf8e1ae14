import { describe, expect, test } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { openStage } from '../agents/stage.ts';
import { script } from '../agents/story-text.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';
import { CODEX_0_169 } from '../agents/under-test/codex.ts';
import { OPENCODE_1_18 } from '../agents/under-test/opencode.ts';
import { isCampaign, leftForDeep } from '../campaign.ts';
import { liveCli } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';

// What people read while a real agent writes: the model sends the first half of its text, and holds the rest back.

const AGENTS = [
  { agent: CLAUDE_NEWEST, drive: 'turns', isHere: CLAUDE_NEWEST.isHere(), isQuick: true },
  { agent: CODEX_0_169, drive: 'live', isHere: agentIsHere('0.169.0', 'codex'), isQuick: true },
  { agent: OPENCODE_1_18, drive: 'live', isHere: agentIsHere('1.18.33', 'opencode'), isQuick: false },
] as const;
const WORDS = Array.from({ length: 24 }, (_, i) => `word${i}`);

describe.each(AGENTS)('$agent.name, $drive', ({ agent, drive, isHere, isQuick }) => {
  const sentence = 'logs show a text while it is written, once, and the calls before it';
  if (!isQuick && !isCampaign) return leftForDeep(sentence);
  if (!isHere && process.env.CI !== 'true') return leftForDeep(sentence);
  test(sentence, async () => {
    await using stage = await openStage(agent);
    const session = await stage.startDriven(drive);
    const text = WORDS.join(' ');
    await using following = liveCli(stage.world, ['logs', session.id, '--follow']);
    const { prompt } = await session.prompt(stage.script({ run: 'echo made > one' }, { say: 'done' }));
    await session.reply({ prompt, timeoutMs: 100_000 });
    await session.prompt(script({ text, pace: 20, held: 'half' }));
    const said = (): string => following.stdout.replaceAll(/^.*SCRIPT.*$/gm, '');
    await eventually(() => said().includes('word3 '), {
      what: `the first words in ${following.stdout}`,
      msMax: 100_000,
    });
    expect(said()).not.toContain('word20');
    stage.model?.goOn();
    await eventually(() => said().includes('word23'), {
      what: `the last words in ${following.stdout}`,
      msMax: 100_000,
    });
    await session.waitFor('idle', { timeoutMs: 100_000 });
    await session.stop();
    expect(await following.status(60_000)).toBe(0);
    expect(said().match(/word\d+/g)).toEqual(WORDS);
    const calls = said()
      .split('\n')
      .filter((line) => / - .*echo made > one/.test(line));
    // A call that takes a moment has a line when it begins, and another one when it has ended.
    expect(calls.filter((line) => / {2}ok\b/.test(line))).toHaveLength(1);
    expect(calls.length).toBeLessThanOrEqual(2);
    expect(said()).toMatch(/^\d\d:\d\d:\d\d = ended: stopped by/m);
  });
});
