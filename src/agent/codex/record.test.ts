import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readerPromises } from '../../testing/reader-promises.ts';
import { readWhole } from '../seam/lines.ts';
import type { RecordFiles } from '../seam/record.ts';
import { codexRecord } from './record.ts';
import { codexSources } from './sources.ts';
import { codexStream } from './stream.ts';
import { limitEnd, troubleOf } from './trouble.ts';
import { codexTurnReader } from './turns.ts';

const CASES = join(import.meta.dirname, 'cases');
const textsOf = (kind: string, file: string): string[] =>
  readdirSync(join(CASES, kind)).map((name) => readFileSync(join(CASES, kind, name, file), 'utf8'));
const rollouts = textsOf('rollout', 'rollout.jsonl');

describe.each([
  ['a rollout', readerPromises(codexRecord, rollouts)],
  ['a rollout for people', readerPromises(codexTurnReader, rollouts)],
  ['a stream', readerPromises(codexStream, textsOf('stream', 'output.ndjson'))],
])('%s', (_name, promises) => {
  test.each(Object.entries(promises))('%s', (_sentence, holds) => holds());
});

const line = (type: string, payload: object): string => `${JSON.stringify({ type, payload })}\n`;

test('the kept state of a conversation is bounded, however many turns it has', () => {
  const turn = (i: number): string =>
    line('event_msg', { type: 'task_started', turn_id: `t${i}` }) +
    line('response_item', { type: 'message', role: 'user', content: [{ text: `prompt ${i}` }] }) +
    line('token_usage_record', { response_id: `r${i}`, usage: { total_tokens: 1 } }) +
    line('event_msg', { type: 'task_complete', last_agent_message: 'x'.repeat(99) });
  let known = codexRecord.empty;
  for (let i = 0; i < 3_000; i += 1) {
    known = codexRecord.read(known, turn(i));
    if (i % 50 === 0) known = codexRecord.settle(known, { message: `r${i}`, atMs: 0 });
  }
  const { prompts, messages, isCut } = codexRecord.view(known);
  expect([prompts.length, isCut, prompts.at(-1)?.turnId]).toEqual([1_001, true, 't2999']);
  expect(messages.length).toBeLessThan(250);
});

const ID = '01a1e163-c178-7e13-a731-135cc1106efb';

function filesOf(...paths: readonly string[]): RecordFiles {
  const below = (folder: string): string[] =>
    paths.flatMap((path) => (path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/', 1) : []));
  return { names: (folder) => [...new Set(below(folder))], isThere: (path) => paths.includes(path) };
}

test.each([
  ['on the day of its id', `/h/.codex/sessions/2026/11/15/rollout-2026-11-15T22-46-13-${ID}.jsonl`, ID],
  ['on the day after, elsewhere', `/h/.codex/sessions/2026/11/16/rollout-2026-11-16T08-46-13-${ID}.jsonl`, ID],
  ['on any day, without a time in its id', '/h/.codex/sessions/2025/01/02/rollout-x-plain.jsonl', 'plain'],
])('a rollout is found %s', (_, path, id) => {
  const { main } = codexSources(filesOf(path), () => ({ HOME: '/h' }), { id, reported: null });
  expect(main).toEqual({ is: 'file', path });
});

test('a missing rollout has a default path', () => {
  const { main, place } = codexSources(filesOf(), () => ({ CODEX_HOME: '/c/' }), { id: ID, reported: null });
  expect([main, place()]).toEqual([null, `/c/sessions/*/*/*/rollout-*-${ID}.jsonl`]);
});

test('the end of a limit is in the local time of the host', () => {
  const now = new Date(2026, 10, 15, 22, 50).getTime();
  const endOf = (when: string): number | null => limitEnd(`You’ve hit your usage limit. … try again at ${when}.`, now);
  expect(endOf('11:49 PM')).toBe(new Date(2026, 10, 15, 23, 49).getTime());
  expect(endOf('12:10 AM')).toBe(new Date(2026, 10, 16, 0, 10).getTime());
  expect(endOf('Nov 22nd, 2026 12:18 AM')).toBe(new Date(2026, 10, 22, 0, 18).getTime());
  expect(endOf('some time')).toBeNull();
});

test('the text of a refused request may contain any word', () => {
  const failure = { info: 'other', httpStatus: null, resetsAtMs: null };
  expect(troubleOf({ ...failure, text: '{"error":{"message":"connection 503"}}' }, 0)).toEqual({ kind: 'other' });
  expect(troubleOf({ ...failure, text: 'stream disconnected before completion' }, 0)).toEqual({ kind: 'overloaded' });
  expect(troubleOf({ ...failure, text: 'Missing environment variable: `A_KEY`.' }, 0)).toEqual({ kind: 'login' });
});

test('the limits of the account are those of the last report', () => {
  const limits = (used: number | null) =>
    line('event_msg', {
      type: 'token_count',
      rate_limits: { primary: used === null ? null : { used_percent: used, window_minutes: 300, resets_at: 7 } },
    });
  const window = { name: 'five_hour', usedPercent: 41, resetsAtMs: 7_000 };
  expect(readWhole(codexRecord, limits(40) + limits(41)).windows).toEqual([window]);
  expect(readWhole(codexRecord, limits(40) + limits(null)).windows).toBeUndefined();
});
