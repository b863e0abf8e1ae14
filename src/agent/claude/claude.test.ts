import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { turnText } from '../seam/turn-text.ts';
import { readHook } from './hooks.ts';
import { readScreen } from './screen.ts';
import { readStateFile } from './state-file.ts';
import { readStream } from './stream.ts';
import { conversationState, readLines } from './transcript.ts';
import { turns } from './turns.ts';

const CASES = join(import.meta.dirname, 'cases');

/** How each kind of case is read. Files are shortened from the real Claude Code, or made by hand in its shape. */
const KINDS: Readonly<Record<string, { readonly file: string; readonly read: (text: string) => unknown }>> = {
  hook: { file: 'payload.json', read: (text) => readHook(JSON.parse(text)) },
  screen: { file: 'screen.txt', read: (text) => readScreen(text.split('\n')) },
  'state-file': { file: 'state.txt', read: readStateFile },
  stream: { file: 'output.ndjson', read: readStream },
  transcript: { file: 'transcript.jsonl', read: transcriptCase },
};

function transcriptCase(text: string): unknown {
  const { entries, skipped } = readLines(text);
  const said = turns(entries);
  return { state: conversationState(entries), skipped, turns: said, text: said.map((turn) => turnText(turn)) };
}

test('every kind of case is known', () => {
  expect(readdirSync(CASES).sort()).toEqual(Object.keys(KINDS).sort());
});

for (const [kind, { file, read }] of Object.entries(KINDS)) {
  describe(`a ${kind} means what we think`, () => {
    for (const name of readdirSync(join(CASES, kind))) {
      test(name, () => {
        const folder = join(CASES, kind, name);
        const found = read(readFileSync(join(folder, file), 'utf8'));
        expect(found).toEqual(JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')));
      });
    }
  });
}
