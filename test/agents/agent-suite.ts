import { describe, test } from 'vitest';
import { type GoldenSet, goldenCases } from '../../src/testing/agent-suite.ts';
import { isCampaign, leftForDeep } from '../campaign.ts';
import { FAMILIES, type FamilyName } from './families.ts';
import { planOf, type Told } from './plan.ts';
import { openStage, type Stage } from './stage.ts';
import { taleOf } from './tale.ts';
import type { AgentUnderTest } from './under-test/agent.ts';

/** What is left for the tale of a story that takes too long, and for closing its stage. */
const CLOSING_MS = 10_000;

/** A part of the suite: the golden cases, or a family of stories. */
export type Part = 'cases' | FamilyName;

export const PARTS = ['cases', ...(Object.keys(FAMILIES) as FamilyName[])] as const satisfies readonly Part[];

/**
 * Tests an agent: its golden cases, and the stories of each family that it has the capabilities for. What it lacks is
 * listed as skipped, with the reason. A test file may take some parts of the suite; together they take all
 * (test/tidy/agent-docs.test.ts). Without the agent nothing is tested, but for CI.
 */
export function agentSuite(agent: AgentUnderTest, ...parts: readonly Part[]): void {
  const all = parts.length === 0 ? PARTS : parts;
  if (all.includes('cases')) caseSuite(agent.title, agent.cases);
  const isLeftOut = !agent.isHere() && process.env.CI !== 'true';
  const families = all.filter((part) => part !== 'cases');
  if (families.length > 0) describe.skipIf(isLeftOut)(agent.title, () => tellAll(agent, families));
}

/** The golden cases of an agent: what it says, shows and writes down means what we think. */
export function caseSuite(title: string, set: GoldenSet): void {
  describe(`what ${title} says, shows and writes down means what we think`, () => {
    for (const { kind, name, run } of goldenCases(set)) test(`${kind}: ${name}`, run);
  });
}

/** Stories wait more than they work, so several are told at once. What is not told comes after them: it would wait. */
function tellAll(agent: AgentUnderTest, families: readonly FamilyName[]): void {
  const plans = families.map((family) => ({ family, ...planOf(agent, family) }));
  for (const { family, told } of plans)
    for (const story of told.filter(({ isQuick }) => isCampaign || isQuick))
      test.concurrent(`${family}: ${story.sentence}`, () => play(agent, story), story.msMax);
  for (const { family, told, skipped } of plans) {
    for (const { sentence, isQuick } of told) if (!isCampaign && !isQuick) leftForDeep(`${family}: ${sentence}`);
    for (const { sentence, lack } of skipped) {
      const what = sentence === null ? family : `${family}: ${sentence}`;
      test(`${what}: skipped, ${agent.title} has no ${lack.need}: ${lack.why}`, ({ skip }) => skip());
    }
  }
}

/** What a story opens is closed after it, however it ended. */
async function play(agent: AgentUnderTest, { sentence, play: tell, msMax }: Told): Promise<void> {
  const stages: Stage[] = [];
  try {
    const told = tell(async (options) => {
      const stage = await openStage(agent, options);
      stages.push(stage);
      return stage;
    });
    await Promise.race([told, tooLong(msMax - CLOSING_MS)]);
  } catch (error) {
    for (const stage of stages) process.stderr.write(`\n# ${sentence}\n${await taleOf(stage)}\n`);
    throw error;
  } finally {
    for (const stage of stages) await stage[Symbol.asyncDispose]();
  }
}

function tooLong(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    AbortSignal.timeout(ms).onabort = () => reject(new Error(`the story was not over after ${ms} ms`));
  });
}
