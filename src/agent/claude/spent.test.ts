import { expect, test } from 'vitest';
import { readTranscript } from './read-transcript.ts';
import { spentSince as spentBy } from './spent.ts';
import { readStream } from './stream.ts';
import { priceOf, tokensOf, weightOf } from './tokens.ts';

const record = (fields: object): string => `${JSON.stringify(fields)}\n`;
const at = (ms: number): string => new Date(ms).toISOString();
const prompt = (text: string, ms = 1_000): string =>
  record({ type: 'user', timestamp: at(ms), message: { role: 'user', content: text } });
const message = (id: string, ms = 1_000, model = 'opus', input = 10, output = 5): string =>
  record({
    type: 'assistant',
    timestamp: at(ms),
    message: { id, model, content: [], usage: { input_tokens: input, output_tokens: output } },
  });
const cost = (usd: number): string => record({ type: 'cost-state', totalCostUSD: usd });
const messagesOf = (...lines: string[]) => readTranscript(lines.join('')).messages;
const kinds = (input: number, output: number) => ({ input, output, cacheRead: 0, cacheWrite: 0 });
const FIRST = { message: null, atMs: 0 };
type Given = Parameters<typeof spentBy>;
const spentSince = (main: Given[0]['main'], since: Given[1], reported: Given[2], side: Given[0]['side'] = []) =>
  spentBy({ main, side }, since, reported);

test('a message counts once, by its last record, and synthetic messages count nothing', () => {
  const all = messagesOf(
    prompt('a'),
    message('m1', 1, 'opus', 10, 1),
    message('m1'),
    message('x', 1, '<synthetic>', 0, 0),
    message('m2'),
  );
  expect(all.map(({ message, tokens }) => [message, tokens])).toEqual([
    ['m1', 15],
    ['m2', 15],
  ]);
  expect(spentSince(all, FIRST, null)).toEqual({
    tokens: 30,
    usd: null,
    byKind: kinds(20, 10),
    by: [{ model: 'opus', tokens: 30, usd: null, byKind: kinds(20, 10) }],
    upTo: 'm2',
  });
});

test('only messages after the last count are new', () => {
  const all = messagesOf(prompt('a'), message('m1'), prompt('b'), message('m2'), message('m3'));
  expect(spentSince(all, { message: 'm1', atMs: 9_999_999 }, null)).toMatchObject({ tokens: 30, upTo: 'm3' });
  expect(spentSince(all, { message: 'm3', atMs: 0 }, null)).toBeNull();
});

test('in a forked or another conversation, only messages after the count are ours', () => {
  const all = messagesOf(prompt('a', 500), message('theirs', 600), prompt('b', 2_000), message('ours', 2_100));
  expect(spentSince(all, { message: null, atMs: 1_000 }, null)).toMatchObject({ tokens: 15, upTo: 'ours' });
  expect(spentSince(all, { message: 'gone', atMs: 1_000 }, null)).toMatchObject({ tokens: 15 });
});

test('a process that continues the cost count of the conversation is charged for its own part', () => {
  const all = messagesOf(prompt('a'), message('m1'), cost(0.25), prompt('b'), message('m2'), cost(0.75));
  const since = { message: 'm1', atMs: 0 };
  expect(spentSince(all, since, { used: { tokens: 15, usd: 0.75 } })).toMatchObject({ tokens: 15, usd: 0.5 });
  // An older version starts from zero.
  expect(spentSince(all, since, { used: { tokens: 15, usd: 0.125 } })).toMatchObject({ usd: 0.125 });
});

test('the messages of a killed process are counted, at the price of the others', () => {
  // Killed after m1; the next process reports m2 and its cost.
  const all = messagesOf(prompt('a'), message('m1'), prompt('go on'), message('m2'));
  const used = { tokens: 15, usd: 0.35, prices: { opus: 0.01 } };
  const spent = spentSince(all, FIRST, { used });
  expect(spent?.tokens).toBe(30);
  expect(spent?.usd).toBeCloseTo(0.7);
  expect(spentSince(all, FIRST, { used: { tokens: 15, usd: 0.35 } })?.usd).toBeCloseTo(0.35);
});

test('usage is split by model, and tokens without a message count for the last model', () => {
  const all = messagesOf(prompt('a'), message('m1', 1, 'haiku'), message('m2', 1, 'opus'));
  const spent = spentSince(all, FIRST, { used: { tokens: 50, usd: 1 } });
  expect(spent).toMatchObject({ tokens: 50, usd: 1 });
  expect(spent?.by).toEqual([
    { model: 'haiku', tokens: 15, usd: 0.5, byKind: kinds(10, 5) },
    { model: 'opus', tokens: 35, usd: 0.5, byKind: kinds(10, 5) },
  ]);
});

test('tokens are told apart as the messages and the stream do', () => {
  const usage = {
    input_tokens: 3,
    output_tokens: 5,
    cache_creation_input_tokens: 8,
    cache_read_input_tokens: 40,
  };
  const cached = record({
    ...{ type: 'assistant', timestamp: at(1) },
    message: { id: 'm1', model: 'opus', content: [], usage },
  });
  const byKind = { input: 3, output: 5, cacheRead: 40, cacheWrite: 8 };
  expect(spentSince(messagesOf(prompt('a'), cached), FIRST, null)).toMatchObject({ tokens: 56, byKind });
  const { used } = readStream(record({ type: 'result', is_error: false, total_cost_usd: 1, usage }).repeat(2));
  expect(used).toMatchObject({ tokens: 112, byKind: { input: 6, output: 10, cacheRead: 80, cacheWrite: 16 } });
  // What the stream has and no message does was used by the last model.
  const spent = spentSince(messagesOf(prompt('a'), message('m1', 1, 'haiku', 3, 2), cached), FIRST, { used });
  expect(spent?.byKind).toEqual(used.byKind);
});

test('messages of sub-agents in their own files since the last count are counted, once', () => {
  const main = messagesOf(prompt('a'), message('m1'), message('s1', 1_500));
  const side = messagesOf(prompt('sub', 900), message('s0', 900), message('s1', 1_500), message('s2', 1_600, 'haiku'));
  const spent = spentSince(main, { message: null, atMs: 1_000 }, null, side);
  expect(spent).toMatchObject({ tokens: 45, upTo: 's1' });
  expect(spent?.by?.map(({ model, tokens }) => [model, tokens])).toEqual([
    ['opus', 30],
    ['haiku', 15],
  ]);
  expect(spentSince(main, { message: 's1', atMs: 2_000 }, null, side)).toBeNull();
});

test('a stream without a transcript is used as it is', () => {
  expect(spentSince([], FIRST, { used: { tokens: 7, usd: 0.5 } })).toEqual({
    tokens: 7,
    usd: 0.5,
    by: [{ model: null, tokens: 7, usd: 0.5 }],
    upTo: null,
  });
});

test('tokens are weighted by their cost, and a sum with its cost gives the price', () => {
  const usage = { input_tokens: 10, output_tokens: 10, cache_creation_input_tokens: 8, cache_read_input_tokens: 10 };
  expect([tokensOf(usage), weightOf(usage), tokensOf(null)]).toEqual([38, 71, 0]);
  const sum = { inputTokens: 20, outputTokens: 10, cacheReadInputTokens: 0, costUSD: 0.00028 };
  expect(priceOf(sum)).toBeCloseTo(0.000004, 9);
  expect([priceOf(null), priceOf({}), priceOf({ costUSD: 1 }), priceOf({ inputTokens: 1, costUSD: 0 })]).toEqual([
    null,
    null,
    null,
    null,
  ]);
  const result = { type: 'result', is_error: false, total_cost_usd: 0.00028, modelUsage: { opus: sum, odd: null } };
  expect(readStream(record(result)).used.prices).toEqual({ opus: priceOf(sum) });
});
