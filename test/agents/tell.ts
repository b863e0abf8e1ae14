import { test } from 'vitest';
import { openStage, type Player, type Stage, type Stories } from './stage.ts';
import { taleOf } from './tale.ts';

/** What is left for the tale of a story that takes too long, and for closing its stage. */
const CLOSING_MS = 10_000;

/**
 * A test for each story, with this agent. What a story opens is closed after it, however it ended. Stories wait more
 * than they work, so several are told at once; real agents are too heavy for that.
 */
export function tell(stories: Stories, player: Player, msMax = 60_000): void {
  for (const [sentence, story] of Object.entries(stories)) {
    const one = player === 'scripted' ? test.concurrent : test;
    one(
      sentence,
      async () => {
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
      },
      msMax,
    );
  }
}

function tooLong(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    AbortSignal.timeout(ms).onabort = () => reject(new Error(`the story was not over after ${ms} ms`));
  });
}

/** Of all the stories, those with these sentences. */
export function chosen(stories: Stories, ...sentences: readonly string[]): Stories {
  return Object.fromEntries(
    sentences.map((sentence) => {
      const story = stories[sentence];
      if (story === undefined) throw new Error(`there is no story "${sentence}"`);
      return [sentence, story];
    }),
  );
}
