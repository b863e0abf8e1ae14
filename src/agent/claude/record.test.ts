import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LineReader, readWhole } from '../seam/lines.ts';
import { keysOf } from './prompt-text.ts';
import { isSameText, readTranscript } from './read-transcript.ts';
import { claudeRecord } from './record.ts';
import { streamReader } from './stream.ts';
import { turnReader } from './turns.ts';

const CASES = join(import.meta.dirname, 'cases');
const textsOf = (kind: string, file: string): string[] =>
  readdirSync(join(CASES, kind)).map((name) => readFileSync(join(CASES, kind, name, file), 'utf8'));
const transcripts = textsOf('transcript', 'transcript.jsonl');
const streams = textsOf('stream', 'output.ndjson');

/** Contexts from hooks: the recorded transcripts do not have enough of them. */
const CONTEXTS = ['one', 'two'].map((text) =>
  JSON.stringify({ type: 'attachment', attachment: { type: 'hook_additional_context', content: [text] } }),
);

/** Lines of many files in random order, with some that no agent writes. */
function linesOf(texts: readonly string[]): fc.Arbitrary<string[]> {
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.length < 20_000);
  const odd = fc.constantFrom('', '\0\0', '{"type":"user"', '}{', '\uFEFF{}', '{"type":"attachment"}', ...CONTEXTS);
  const line = fc.oneof({ arbitrary: fc.constantFrom(...lines), weight: 9 }, { arbitrary: odd, weight: 1 });
  const whole = fc.constantFrom(...texts).map((text) => text.split('\n'));
  return fc.oneof(fc.array(line, { maxLength: 60 }), whole);
}

function readInPieces<S, V>(reader: LineReader<S, V>, lines: readonly string[], sizes: readonly number[]): V {
  let known = reader.empty;
  for (let at = 0, i = 0; at < lines.length; i += 1) {
    const count = Math.max(1, sizes[i % sizes.length] ?? 1);
    const piece = lines.slice(at, at + count).map((line) => `${line}\n`);
    known = reader.read(known, piece.join(''));
    at += count;
  }
  return reader.view(known);
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 });
const shown = (view: unknown): string => JSON.stringify(view);

describe('T-LONG-1: read in any pieces, the same lines give the same view', () => {
  test.each([
    ['a transcript', claudeRecord, transcripts],
    ['a stream', streamReader, streams],
    ['a transcript for people', turnReader, transcripts],
  ] as const)('%s', (_name, reader: LineReader<unknown, unknown>, texts) => {
    fc.assert(
      fc.property(linesOf(texts), sizes, (lines, all) => {
        const whole = readWhole(reader, lines.map((line) => `${line}\n`).join(''));
        expect(shown(readInPieces(reader, lines, all))).toBe(shown(whole));
      }),
      { numRuns: 300 },
    );
  });

  test('an earlier state stays valid: a state is never changed', () => {
    fc.assert(
      fc.property(linesOf(transcripts), linesOf(transcripts), (first, more) => {
        const known = claudeRecord.read(claudeRecord.empty, first.map((line) => `${line}\n`).join(''));
        const before = shown(claudeRecord.view(known));
        claudeRecord.read(known, more.map((line) => `${line}\n`).join(''));
        claudeRecord.settle(known, { message: null, atMs: 0 });
        expect(shown(claudeRecord.view(known))).toBe(before);
      }),
    );
  });
});

const record = (fields: object): string => `${JSON.stringify(fields)}\n`;
const at = (i: number): string => new Date(1_000_000 + i * 1_000).toISOString();
const turn = (i: number, reply = `reply ${i}`): string =>
  record({ type: 'user', timestamp: at(i), promptId: `p${i}`, message: { role: 'user', content: `prompt ${i}` } }) +
  record({
    type: 'attachment',
    attachment: { type: 'hook_additional_context', hookEvent: 'PostToolUse', content: [`update ${i}`] },
  }) +
  record({
    type: 'assistant',
    timestamp: at(i),
    message: {
      id: `m${i}`,
      model: 'm',
      content: [{ type: 'text', text: reply }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1 },
    },
  });

/** What is kept after this many turns, all of which were counted. */
function after(turns: number, reply?: string) {
  let known = claudeRecord.empty;
  for (let i = 0; i < turns; i += 50) {
    const piece = Array.from({ length: Math.min(50, turns - i) }, (_, j) => turn(i + j, reply));
    known = claudeRecord.read(known, piece.join(''));
    known = claudeRecord.settle(known, { message: `m${i + piece.length - 1}`, atMs: 0 });
  }
  return claudeRecord.view(known);
}

test('T-LONG-2: the kept state of a conversation is bounded, however many turns it has', () => {
  const [long, longer] = [after(1_500), after(3_000)];
  for (const { prompts, messages, contexts } of [long, longer]) {
    expect([prompts.length, contexts.length]).toEqual([1_001, 64]);
    expect(messages.length).toBeLessThanOrEqual(200);
  }
  expect([long.isCut, longer.isCut, after(10).isCut]).toEqual([true, true, false]);
  expect(longer.prompts.at(-1)).toMatchObject({ turnId: 'p2999', turn: 'closed', reply: 'reply 2999' });
  // Long replies are dropped sooner, but never those of the last turns.
  const bulky = after(20, 'x'.repeat(1024 * 1024));
  expect(bulky.prompts.map(({ turnId }) => turnId)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19].map((i) => `p${i}`));
});

test('T-LONG-2: a turn without end keeps only what decides its state', () => {
  const call = (i: number): string =>
    record({
      type: 'assistant',
      message: { id: `m${i}`, content: [{ type: 'tool_use', id: `t${i}`, name: 'Bash', input: 'x'.repeat(999) }] },
    }) +
    record({
      type: 'user',
      message: { content: [{ type: 'tool_result', tool_use_id: `t${i}`, content: 'x'.repeat(9_999) }] },
    });
  let known = claudeRecord.read(claudeRecord.empty, turn(0).split('\n')[0]?.concat('\n') ?? '');
  for (let i = 0; i < 200; i += 1) known = claudeRecord.read(known, call(i));
  known = claudeRecord.read(known, turn(1).split('\n')[2]?.concat('\n') ?? '');
  expect(claudeRecord.view(known).prompts).toMatchObject([{ turnId: 'p0', turn: 'closed', reply: 'reply 1' }]);
});

test('a message that is completed after it was counted is not counted again', () => {
  const whole = turn(0) + turn(1);
  const known = claudeRecord.settle(claudeRecord.read(claudeRecord.empty, whole), { message: 'm1', atMs: 0 });
  const view = claudeRecord.view(claudeRecord.read(known, turn(1).split('\n')[2]?.concat('\n') ?? ''));
  expect(view.messages.map(({ message }) => message)).toEqual(['m0', 'm1']);
});

test('two texts share a key if and only if they are the same text', () => {
  const piece = fc.constantFrom(
    'a',
    'b',
    ' ',
    '\t',
    '\n',
    '\r\n',
    '\x1b[31m',
    '\x1b[',
    '\u200b',
    'é',
    'e\u0301',
    '\x07',
  );
  const text = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(''));
  const long = text.map((part) => `${'long '.repeat(40)}${part}`);
  fc.assert(
    fc.property(fc.oneof(fc.tuple(text, text), fc.tuple(long, long)), ([one, other]) => {
      const keys = keysOf(other);
      expect(keysOf(one).some((key) => keys.includes(key))).toBe(isSameText(one, other));
    }),
    { numRuns: 2_000 },
  );
});

test('the prompts of a transcript are found by their keys', () => {
  const { prompts } = readTranscript(turn(1) + turn(2));
  expect(prompts.map(({ keys }) => keys)).toEqual([keysOf('prompt 1'), keysOf('prompt 2')]);
});
