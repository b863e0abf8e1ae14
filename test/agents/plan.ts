import type { Capability } from '../../src/agent/seam/capabilities.ts';
import { FAMILIES, type Family, type FamilyName } from './families.ts';
import type { Play, Stories, Story } from './stage.ts';
import type { AgentUnderTest } from './under-test/agent.ts';
import { capabilityFor, firstLack, isCapability, type Lack, type Need } from './under-test/needs.ts';

/** A story that an agent plays. */
export interface Told {
  readonly sentence: string;
  readonly play: Play;
  readonly needs: readonly Need[];
  /** It is told in every run. Otherwise only in campaigns. */
  readonly isQuick: boolean;
  readonly msMax: number;
}

/** What an agent makes of a family. */
export interface Plan {
  readonly told: readonly Told[];
  /** What it cannot play, and why. `sentence`: null for the whole family. */
  readonly skipped: readonly { readonly sentence: string | null; readonly lack: Lack }[];
}

/** Which stories of a family an agent plays. It follows from what the agent has. */
export function planOf(agent: AgentUnderTest, name: FamilyName): Plan {
  const family: Family = FAMILIES[name];
  const lack = firstLack(agent, family.needs);
  if (lack !== null) return { told: [], skipped: [{ sentence: null, lack }] };
  const all = Object.entries(family.stories).map(([sentence, story]) => {
    const needs = needsOf(family, sentence, story);
    return { sentence, needs, play: playOf(story), lack: firstLack(agent, needs) };
  });
  const skipped = all.flatMap(({ sentence, lack: missing }) => (missing === null ? [] : [{ sentence, lack: missing }]));
  const playable = all.filter((each) => each.lack === null);
  const isQuick = quickOf(agent, family, Object.fromEntries(playable.map(({ sentence, play }) => [sentence, play])));
  const msMax = Math.max(agent.storyMsMax, family.storyMsMax ?? 0);
  const told = playable.map(({ sentence, play, needs }) => {
    return { sentence, play, needs, isQuick: isQuick(sentence), msMax };
  });
  return { told, skipped };
}

/** What the stories prove that an agent plays of a family. */
export function provenBy(agent: AgentUnderTest, name: FamilyName): readonly Capability[] {
  const needs = planOf(agent, name).told.flatMap((told) => told.needs);
  return [...new Set(needs.filter(isCapability).map((need) => capabilityFor(agent, need)))];
}

function needsOf({ needs, also }: Family, sentence: string, story: Story): readonly Need[] {
  const drive = /\((turns|live)\)$/.exec(sentence)?.[1] as 'turns' | 'live' | undefined;
  const own = typeof story === 'function' ? [] : story.needs;
  return [...needs, ...(drive === undefined ? [] : [drive]), ...own, ...(also?.(sentence) ?? [])];
}

function playOf(story: Story): Play {
  return typeof story === 'function' ? story : story.play;
}

function quickOf(agent: AgentUnderTest, family: Family, stories: Stories): (sentence: string) => boolean {
  if (agent.quick !== undefined) return (sentence) => agent.quick?.includes(sentence) ?? false;
  const quick = family.quick === undefined ? oneDriveOf(stories) : family.quick(Object.keys(stories));
  return (sentence) => quick.includes(sentence);
}

/** All stories; but of one that is told in turns and live only one of the two, alternately. */
function oneDriveOf(stories: Stories): string[] {
  const sentences = Object.keys(stories);
  const twinOf = (sentence: string): string => sentence.replace(/\(turns\)$/, '(live)');
  const pairs = sentences.filter((sentence) => sentence !== twinOf(sentence) && sentences.includes(twinOf(sentence)));
  const left = new Set(pairs.map((sentence, i) => (i % 2 === 0 ? sentence : twinOf(sentence))));
  return sentences.filter((sentence) => !left.has(sentence));
}
