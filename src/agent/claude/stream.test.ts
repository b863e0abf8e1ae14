import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHook } from './hooks.ts';
import { readStateFile } from './state-file.ts';
import { readStream } from './stream.ts';

const CASES = join(import.meta.dirname, 'cases', 'stream');

const record = (fields: object): string => `${JSON.stringify(fields)}\n`;
const result = (fields: object): string => record({ type: 'result', subtype: 'success', ...fields });

test('output with an incomplete last line is judged by its complete lines', () => {
  for (const name of readdirSync(CASES)) {
    const text = readFileSync(join(CASES, name, 'output.ndjson'), 'utf8');
    const lastFeed = text.lastIndexOf('\n', text.length - 2);
    if (lastFeed < 0) continue;
    const { skipped: _, ...whole } = readStream(text.slice(0, lastFeed + 1));
    for (let end = lastFeed + 1; end < text.length; end += 31)
      expect(readStream(text.slice(0, end))).toMatchObject(whole);
  }
});

test('a result without an explicit success is a failure', () => {
  expect(readStream(result({ terminal_reason: 'completed' })).outcome).toBe('failed');
  expect(readStream(result({ terminal_reason: 'completed', is_error: false })).outcome).toBe('complete');
  expect(readStream(result({ terminal_reason: 'hook_stopped', is_error: false })).outcome).toBe('failed');
});

test('a message of a sub-agent is neither the reply nor the error of the turn', () => {
  const aside = record({ type: 'assistant', parent_tool_use_id: 'toolu_1', error: 'rate_limit', message: {} });
  const failed = result({ is_error: true, terminal_reason: 'api_error', result: 'API Error: 500' });
  expect(readStream(aside + failed).outcome).toBe('failed');
  expect(readStream(failed + aside).outcome).toBe('failed');
});

test('nothing makes the parsers of streams, hooks and state files throw', () => {
  const event = fc.constantFrom('Stop', 'PreToolUse', 'PostToolBatch', 'SubagentStop', 'SessionStart');
  fc.assert(fc.property(fc.array(fc.oneof(fc.json(), fc.string())), (lines) => void readStream(lines.join('\n'))));
  fc.assert(fc.property(fc.oneof(fc.json(), fc.string()), (text) => void readStateFile(text)));
  fc.assert(
    fc.property(event, fc.dictionary(fc.string(), fc.anything()), (name, fields) => {
      expect(readHook({ ...fields, hook_event_name: name })).not.toBeNull();
    }),
  );
});
