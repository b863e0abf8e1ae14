import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Fields, fieldsOf, readJson } from './json.ts';

/**
 * The prompt with its story. `stories.json` of the configuration folder has stories by the first line of a prompt, so
 * that pictures and demonstrations show prompts as people write them. A prompt with a story of its own keeps it.
 */
export function withStory(config: string, prompt: string): string {
  const [first = ''] = prompt.trim().split('\n');
  const story = readStories(config)[first];
  return story === undefined ? prompt : `${prompt}\nSCRIPT${JSON.stringify(story)}SCRIPT`;
}

function readStories(config: string): Fields {
  try {
    return fieldsOf(readJson(readFileSync(join(config, 'stories.json'), 'utf8')));
  } catch {
    return {};
  }
}
