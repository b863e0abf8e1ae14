import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readerPromises } from '../../testing/reader-promises.ts';
import { echoRecord } from './record.ts';
import { echoTurns } from './turns-drive.ts';

const CASES = join(import.meta.dirname, 'cases');
const textsOf = (kind: string, file: string): string[] =>
  readdirSync(join(CASES, kind)).map((name) => readFileSync(join(CASES, kind, name, file), 'utf8'));
const transcripts = textsOf('transcript', 'transcript.jsonl');

describe.each([
  ['a transcript', readerPromises(echoRecord, transcripts)],
  ['a transcript for people', readerPromises(echoRecord.turns, transcripts)],
  ['a stream', readerPromises(echoTurns.stream, textsOf('stream', 'output.ndjson'))],
])('%s', (_name, promises) => {
  test.each(Object.entries(promises))('%s', (_sentence, holds) => holds());
});

test('a transcript is where echo reports it, else in its home; a missing one has a default path', () => {
  const files = { names: () => [], isThere: (path: string) => path.startsWith('/there/') };
  const found = (home: string, reported: string | null): unknown => {
    const { main, place } = echoRecord.sources(files, () => ({ ECHO_HOME: home }), { id: 'c1', reported });
    return [main, place()];
  };
  const path = '/there/conversations/c1.jsonl';
  expect(found('/there', null)).toEqual([{ is: 'file', path }, path]);
  expect(found('/gone', path)).toEqual([{ is: 'file', path }, path]);
  expect(found('/gone', null)).toEqual([null, '/gone/conversations/c1.jsonl']);
});
