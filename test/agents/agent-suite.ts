import { describe, test } from 'vitest';
import { type GoldenSet, goldenCases } from '../../src/testing/agent-suite.ts';
import { isCampaign, leftForDeep } from '../campaign.ts';
import { describeStage } from './describe-stage.ts';
import { FAMILIES, type FamilyName } from './families.ts';
import { type PlannedStory, planOf } from './plan.ts';
import { openStage, type Stage } from './stage.ts';
import type { AgentUnderTest } from './under-test/agent.ts';

/** Time reserved after a story's timeout for describing and closing its stage. */
const CLOSING_MS = 10_000;

/** A part of the suite: the golden cases, or a family of stories. */
export type Part = 'cases' | FamilyName;

export const PARTS = ['cases', ...(Object.keys(FAMILIES) as FamilyName[])] as const satisfies readonly Part[];

/**
 * Tests an agent: its golden cases, and the stories of each family that it has the capabilities for. What it lacks is
 * listed as skipped, with the reason. A test file may run some parts of the suite; together they run all
 * (test/tidy/agent-docs.test.ts). Where the agent is not installed its stories are skipped, except in CI.
 */
export function agentSuite(agent: AgentUnderTest, ...parts: readonly Part[]): void {
  const all = parts.length === 0 ? PARTS : parts;
  if (all.includes('cases')) caseSuite(agent.title, agent.cases);
  const isLeftOut = !agent.isHere() && process.env.CI !== 'true';
  const families = all.filter((part) => part !== 'cases');
  if (families.length > 0) describe.skipIf(isLeftOut)(agent.title, () => addStories(agent, families));
}

/** The golden cases of an agent: its stream, screen and transcript are parsed as expected. */
export function caseSuite(title: string, set: GoldenSet): void {
  describe(`the stream, screen and transcript of ${title} are parsed as expected`, () => {
    for (const { kind, name, run } of goldenCases(set)) test(`${kind}: ${name}`, run);
  });
}

/** Stories mostly wait, so they run concurrently. Skipped ones are listed last: listed first they would wait too. */
function addStories(agent: AgentUnderTest, families: readonly FamilyName[]): void {
  const plans = families.map((family) => ({ family, ...planOf(agent, family) }));
  for (const { family, stories } of plans)
    for (const story of stories.filter(({ isQuick }) => isCampaign || isQuick))
      test.concurrent(`${family}: ${story.sentence}`, () => runPlanned(agent, story), story.msMax);
  for (const { family, stories, skipped } of plans) {
    for (const { sentence, isQuick } of stories) if (!isCampaign && !isQuick) leftForDeep(`${family}: ${sentence}`);
    for (const { sentence, lack } of skipped) {
      const what = sentence === null ? family : `${family}: ${sentence}`;
      test(`${what}: skipped, ${agent.title} has no ${lack.need}: ${lack.why}`, ({ skip }) => skip());
    }
  }
}

/** Runs one story and closes the stages that it opened, even if it fails. */
async function runPlanned(agent: AgentUnderTest, { sentence, play: runStory, msMax }: PlannedStory): Promise<void> {
  const stages: Stage[] = [];
  try {
    const done = runStory(async (options) => {
      const stage = await openStage(agent, options);
      stages.push(stage);
      return stage;
    });
    await Promise.race([done, rejectAfter(msMax - CLOSING_MS)]);
  } catch (error) {
    for (const stage of stages) process.stderr.write(`\n# ${sentence}\n${await describeStage(stage)}\n`);
    throw error;
  } finally {
    for (const stage of stages) await stage[Symbol.asyncDispose]();
  }
}

function rejectAfter(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    AbortSignal.timeout(ms).onabort = () => reject(new Error(`the story did not finish within ${ms} ms`));
  });
}
