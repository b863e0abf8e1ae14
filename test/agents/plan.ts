import type { Capability } from '../../src/agent/seam/capabilities.ts';
import { FAMILIES, type Family, type FamilyName } from './families.ts';
import type { Play, Stories, Story } from './stage.ts';
import type { AgentUnderTest } from './under-test/agent.ts';
import { capabilityFor, firstLack, isCapability, type Lack, type Need } from './under-test/needs.ts';

/** A story that an agent runs. */
export interface PlannedStory {
  readonly sentence: string;
  readonly play: Play;
  readonly needs: readonly Need[];
  /** It runs in every test run, not only in campaigns. */
  readonly isQuick: boolean;
  readonly msMax: number;
}

/** Which stories of a family an agent runs, and which not. */
export interface Plan {
  readonly stories: readonly PlannedStory[];
  /** What it cannot run, and why. `sentence`: null for the whole family. */
  readonly skipped: readonly { readonly sentence: string | null; readonly lack: Lack }[];
}

/** Chooses the stories of a family that an agent has the capabilities for. */
export function planOf(agent: AgentUnderTest, name: FamilyName): Plan {
  const family: Family = FAMILIES[name];
  const lack = firstLack(agent, family.needs);
  if (lack !== null) return { stories: [], skipped: [{ sentence: null, lack }] };
  const all = Object.entries(family.stories).map(([sentence, story]) => {
    const needs = needsOf(family, sentence, story);
    return { sentence, needs, play: playOf(story), lack: firstLack(agent, needs) };
  });
  const skipped = all.flatMap(({ sentence, lack: missing }) => (missing === null ? [] : [{ sentence, lack: missing }]));
  const playable = all.filter((each) => each.lack === null);
  const isQuick = quickOf(agent, family, Object.fromEntries(playable.map(({ sentence, play }) => [sentence, play])));
  const msMax = Math.max(agent.storyMsMax, family.storyMsMax ?? 0);
  const planned = playable.map(({ sentence, play, needs }) => {
    return { sentence, play, needs, isQuick: isQuick(sentence), msMax };
  });
  return { stories: planned, skipped };
}

/** The capabilities of an agent that a family proves. */
export function provenBy(agent: AgentUnderTest, name: FamilyName): readonly Capability[] {
  const needs = planOf(agent, name).stories.flatMap((story) => story.needs);
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

/** All stories, except that of each pair (turns) and (live) only one runs, alternately. */
function oneDriveOf(stories: Stories): string[] {
  const sentences = Object.keys(stories);
  const twinOf = (sentence: string): string => sentence.replace(/\(turns\)$/, '(live)');
  const pairs = sentences.filter((sentence) => sentence !== twinOf(sentence) && sentences.includes(twinOf(sentence)));
  const left = new Set(pairs.map((sentence, i) => (i % 2 === 0 ? sentence : twinOf(sentence))));
  return sentences.filter((sentence) => !left.has(sentence));
}
