import { randomUUID } from 'node:crypto';
import { describe, test } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { NEWEST_CLAUDE } from '../agents/under-test/claude.ts';
import { isCampaign, leftForDeep } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { ANSWERS } from '../scripted/gate-answers.ts';
import { type AgentBench, askedOf, playScene } from '../scripted/gate-bench.ts';
import { CALLS } from '../scripted/gate-calls.ts';
import { LIVE, type LiveBench } from '../scripted/gate-live.ts';
import { type ClaudeWorld, claudeWorld } from './claude-world.ts';
import { type LiveClaude, liveClaude } from './live-claude.ts';

function standIn(world: ClaudeWorld, isOld: boolean): AgentBench {
  let id = '';
  return {
    isOld,
    workspace: world.workspace,
    run: (prompt, settings, mode, isResumed = false) => {
      id = isResumed ? id : randomUUID();
      return world.turn(prompt, { is: isResumed ? 'resume' : 'new', id }, { settings, mode });
    },
  };
}

function liveStandIn(world: ClaudeWorld): LiveBench {
  let live: Promise<LiveClaude> | null = null;
  const it = async (): Promise<LiveClaude> => (await live) ?? Promise.reject(new Error('open was not called'));
  return {
    workspace: world.workspace,
    open: async (settings, mode) => {
      live = liveClaude(world, { is: 'new', id: randomUUID() }, { settings, mode });
      await (await it()).until('ready');
    },
    prompt: async (text) => {
      // As a command: no hook reports that it was received. 2.1.197 loses an Enter that comes too early.
      await (await it()).submitCommand(text);
      const isReceived = (msMax: number) => eventually(() => askedOf(world).length > 0, { msMax, what: 'a hook call' });
      await isReceived(3_000).catch(async () => (await it()).press('enter'));
      await isReceived(20_000);
    },
    key: async (name) => (await it()).press(name),
    shows: async (is) => (await it()).until(is),
  };
}

/** A quick run has half the answers and an eighth of the calls with the newest version, one answer with the older. */
const isQuick = (version: string, at: number): boolean => version === NEWEST_CLAUDE && at % 8 === 0;

/** Agents that are not installed are skipped, except in CI. */
const VERSIONS = [NEWEST_CLAUDE, '2.1.197'].filter((version) => agentIsHere(version) || process.env.CI === 'true');

describe.each(VERSIONS)('Claude Code %s handles the answers of hooks as the scripted agent does', (version) => {
  const old = version === '2.1.197';
  const scenes = Object.entries(ANSWERS).map(
    ([sentence, scene]) => [sentence, (world: ClaudeWorld) => playScene(standIn(world, old), scene)] as const,
  );
  const calls = Object.entries(CALLS).map(
    ([sentence, tell]) => [sentence, (world: ClaudeWorld) => tell(standIn(world, old))] as const,
  );
  const live = Object.entries(LIVE).map(
    ([sentence, tell]) => [sentence, (world: ClaudeWorld) => tell(liveStandIn(world))] as const,
  );
  const answers = old ? scenes.slice(0, 1) : scenes.filter((_, at) => at % 2 === 0);
  const quick = [...answers, ...[...calls, ...live].filter((_, at) => isQuick(version, at))];
  for (const each of [...scenes, ...calls, ...live]) {
    const [sentence, run] = each;
    if (!isCampaign && !quick.includes(each)) leftForDeep(sentence);
    else
      test(sentence, async () => {
        await using world = await claudeWorld({ version });
        await run(world);
      });
  }
});
