import { test } from 'vitest';
import { isCampaign, leftForDeep } from '../campaign.ts';
import { openStage, type Player, type Stage, type Stories, type Story } from './stage.ts';
import { taleOf } from './tale.ts';

/** What is left for the tale of a story that takes too long, and for closing its stage. */
const CLOSING_MS = 10_000;

export interface TellOptions {
  readonly msMax?: number;
  /** The stories of every run; the others are for campaigns. Without it: one of each pair of drives. */
  readonly quick?: readonly string[];
}

/**
 * A test for each story, with this agent. What a story opens is closed after it, however it ended. Stories wait more
 * than they work, so several are told at once.
 */
export function tell(stories: Stories, player: Player, options: TellOptions = {}): void {
  const { msMax = 60_000, quick = oneDriveOf(stories) } = options;
  const unknown = quick.filter((sentence) => stories[sentence] === undefined);
  if (unknown.length > 0) throw new Error(`there is no story "${unknown.join('", "')}"`);
  const isTold = (sentence: string): boolean => isCampaign || quick.includes(sentence);
  for (const [sentence, story] of Object.entries(stories)) {
    if (isTold(sentence)) test.concurrent(sentence, () => play(sentence, story, player, msMax), msMax);
  }
  // After the others: a test that is not concurrent is waited for by all that come behind it.
  for (const sentence of Object.keys(stories)) if (!isTold(sentence)) leftForDeep(sentence);
}

async function play(sentence: string, story: Story, player: Player, msMax: number): Promise<void> {
  const stages: Stage[] = [];
  try {
    const told = story(async (options) => {
      const stage = await openStage(player, options);
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

/** All stories; but of one that is told in turns and live only one of the two, alternately. */
export function oneDriveOf(stories: Stories): string[] {
  const sentences = Object.keys(stories);
  const twinOf = (sentence: string): string => sentence.replace(/\(turns\)$/, '(live)');
  const pairs = sentences.filter((sentence) => sentence !== twinOf(sentence) && sentences.includes(twinOf(sentence)));
  const left = new Set(pairs.map((sentence, i) => (i % 2 === 0 ? sentence : twinOf(sentence))));
  return sentences.filter((sentence) => !left.has(sentence));
}

/** Of all the stories, those with these sentences. */
export function chosen(stories: Stories, ...sentences: readonly string[]): Stories {
  return Object.fromEntries(Object.entries(stories).filter(([sentence]) => sentences.includes(sentence)));
}
