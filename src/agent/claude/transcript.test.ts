import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { turnText } from '../seam/turn-text.ts';
import { isPlaceholder } from './read-transcript.ts';
import { conversationState, readLines } from './transcript.ts';
import { turns } from './turns.ts';

const CASES = join(import.meta.dirname, 'cases', 'transcript');

const cases = readdirSync(CASES).map((name) => readFileSync(join(CASES, name, 'transcript.jsonl'), 'utf8'));

function stateOf(text: string) {
  return conversationState(readLines(text).entries);
}

function readAll(text: string): void {
  const { entries } = readLines(text);
  for (const turn of turns(entries)) turnText(turn, true);
  conversationState(entries);
}

const record = (fields: object): string => `${JSON.stringify(fields)}\n`;
const prompt = (text: string): string => record({ type: 'user', message: { role: 'user', content: text } });
const reply = (text: string, stop: string | null, model = 'claude-sonnet-4-6'): string =>
  record({
    type: 'assistant',
    message: { id: `m-${text}`, model, content: [{ type: 'text', text }], stop_reason: stop },
  });

test('a transcript cut at any byte of its last records is judged by its complete lines', () => {
  for (const text of cases) {
    const bytes = Buffer.from(text);
    const whole = new Map<number, string>();
    for (let end = Math.max(0, bytes.length - 3000); end <= bytes.length; end++) {
      const feed = bytes.lastIndexOf(10, end - 1);
      const start = end === 0 ? 0 : feed + 1;
      const before = whole.get(start) ?? JSON.stringify(stateOf(bytes.subarray(0, start).toString('utf8')));
      whole.set(start, before);
      // Every byte of the small ones; a sample of the large ones, and the bytes next to each line feed.
      if (bytes.length < 8000 || end % 17 === 0 || end - start < 2 || bytes[end] === 10)
        expect(JSON.stringify(stateOf(bytes.subarray(0, end).toString('utf8')))).toBe(before);
    }
  }
});

test('a turn is complete from the line feed of its last record on, and not a byte sooner', () => {
  const text = prompt('hello') + reply('hi', 'end_turn');
  for (let end = 0; end < text.length; end++) expect(stateOf(text.slice(0, end)).is).not.toBe('complete');
  expect(stateOf(text).is).toBe('complete');
});

test('only four stop reasons of a real model complete a turn', () => {
  const stop = fc.oneof(fc.constantFrom('end_turn', 'stop_sequence', 'max_tokens', 'refusal', null), fc.string());
  const model = fc.constantFrom('claude-sonnet-4-6', '<synthetic>');
  fc.assert(
    fc.property(stop, model, (stopReason, name) => {
      const isFinal = ['end_turn', 'stop_sequence', 'max_tokens', 'refusal'].includes(stopReason ?? '');
      const { is } = stateOf(prompt('x') + reply('y', stopReason, name));
      expect(is === 'complete').toBe(isFinal && name !== '<synthetic>');
    }),
  );
});

test('no file content makes the parser throw', () => {
  const line = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constantFrom('\0\0', '{"type":"user"}', '{"type":"assistant"}', '}{"'),
  );
  fc.assert(fc.property(fc.array(line), (lines) => readAll(lines.join('\n'))));
  const fields = fc.record(
    {
      type: fc.constantFrom('user', 'assistant', 'system', 'attachment'),
      message: fc.oneof(fc.anything(), fc.record({ content: fc.oneof(fc.anything(), fc.array(fc.anything())) })),
      attachment: fc.anything(),
      subtype: fc.constantFrom('api_error', 'compact_boundary'),
      error: fc.anything(),
    },
    { requiredKeys: ['type'] },
  );
  fc.assert(fc.property(fc.array(fields), (all) => readAll(all.map((one) => `${JSON.stringify(one)}\n`).join(''))));
});

test('bookkeeping after the last message changes nothing, however much of it there is', () => {
  const noise = fc.constantFrom('last-prompt', 'atis-latch', 'cost-state', 'api-request', 'mode', 'not-yet-invented');
  fc.assert(
    fc.property(fc.constantFrom(...cases.filter((text) => text.endsWith('\n'))), fc.array(noise), (text, types) => {
      const tail = types.map((type) => record({ type, sessionId: 'x' })).join('');
      expect(stateOf(text + tail)).toEqual(stateOf(text));
    }),
  );
});

test('records glued together are parsed one by one, whatever their texts contain', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('}{', '}{"', '{"a":1}{"b":2}', '\\', '"', '\\"}{'));
  fc.assert(
    fc.property(text, text, (asked, answer) => {
      fc.pre(asked !== '' && !/^\s*[<[]/.test(asked) && answer !== '');
      const glued = `${(prompt(asked) + reply(answer, 'end_turn')).replaceAll('\n', '')}\n`;
      const { entries, skipped } = readLines(glued);
      expect(skipped).toBe(0);
      expect(conversationState(entries)).toMatchObject({ is: 'complete', lastPrompt: asked, reply: answer });
    }),
  );
});

test('lines of a megabyte and ten thousand nested brackets are parsed as usual', () => {
  const big = record({ type: 'api-request-shape', shape: 'x'.repeat(1_000_000) });
  const deep = `${'{"a":['.repeat(10_000)}\n`;
  const { entries, skipped } = readLines(big + deep + prompt('x') + reply('y', 'end_turn'));
  expect(skipped).toBe(1);
  expect(conversationState(entries).is).toBe('complete');
});

test('a reply that was cut off while it streamed is not complete, whatever it says', () => {
  const cut = reply('y', 'end_turn').replace('{', '{"isAbortedMidStream":true,');
  expect(stateOf(prompt('x') + cut).is).toBe('unknown');
});

test('after a new prompt the conversation is no longer complete', () => {
  const text = prompt('x') + reply('y', 'end_turn');
  expect(stateOf(text + prompt('z'))).toMatchObject({ is: 'interrupted', lastPrompt: 'z', reply: null });
});

test('a placeholder matches a text of as many lines, or one long line', () => {
  expect(isPlaceholder('[Pasted text #2 +7 lines]', 'a\n'.repeat(7).concat('b'))).toBe(true);
  expect(isPlaceholder('[Pasted text #2 +7 lines]', 'a\nb')).toBe(false);
  expect(isPlaceholder('[Pasted text #12]', 'x'.repeat(900))).toBe(true);
  expect(isPlaceholder('[Pasted text #12]', 'a\n'.repeat(7))).toBe(false);
  expect(isPlaceholder('[Pasted text #2 +7 lines] and more', 'a\n'.repeat(7).concat('b'))).toBe(false);
});
