import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Gauged } from '../../core/event-body.ts';
import type { Fact } from '../../core/fact.ts';
import { ToolListener } from '../seam/message-tools.ts';

const CASES = join(import.meta.dirname, 'cases', 'stream');

const line = (fields: object): string => JSON.stringify(fields);
const at = (second: number): string => new Date(second * 1000).toISOString();
const call = (id: string, parent: string | null = null, second = 0): string =>
  line({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }] },
    parent_tool_use_id: parent,
    timestamp: at(second),
  });
const result = (id: string, more: object = {}, parent: string | null = null, second = 0): string =>
  line({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'out', ...more }] },
    parent_tool_use_id: parent,
    timestamp: at(second),
  });
const text = (parent: string | null = null): string =>
  line({ type: 'assistant', message: { content: [{ type: 'text', text: 'so' }] }, parent_tool_use_id: parent });
const FAILED = { is_error: true, content: [{ type: 'text', text: 'Exit code 137' }] };

function facts(...lines: readonly string[]): (Fact | Gauged)[] {
  const listener = new ToolListener(3);
  return lines.flatMap((one) => listener.hear(one)).flatMap((n) => (n.type === 'hook.noted' ? [n.fact] : []));
}

test('a call is reported when it is printed, and its end with the duration', () => {
  expect(facts(call('t1', null, 10), result('t1', {}, null, 12))).toEqual([
    { type: 'tool.called', run: 3, call: 't1', tool: 'Bash', input: '{"command":"ls"}', subagent: null },
    { type: 'tool.ended', run: 3, call: 't1', tool: 'Bash', error: null, tookMs: 2_000 },
  ]);
});

test('a tool has failed if the agent continues after it; if the agent is being ended, its result is unknown', () => {
  const cut = facts(call('t1'), result('t1', FAILED));
  expect(cut.map(({ type }) => type)).toEqual(['tool.called']);
  const seen = facts(call('t1'), result('t1', FAILED), text());
  expect(seen.at(-1)).toMatchObject({ type: 'tool.ended', call: 't1', error: 'Exit code 137' });
  const over = facts(call('t1'), result('t1', FAILED), line({ type: 'result' }));
  expect(over.at(-1)).toMatchObject({ type: 'tool.ended', call: 't1', error: 'Exit code 137' });
});

test('calls of a sub-agent are reported as its own, and its messages confirm no failure of other tools', () => {
  const started = line({ type: 'system', subtype: 'task_started', task_id: 'a1', tool_use_id: 't1' });
  const reported = facts(call('t1'), started, call('t2', 't1'), result('t2', FAILED, 't1'), text(), text('t1'));
  expect(reported).toMatchObject([
    { type: 'tool.called', call: 't1', subagent: null },
    { type: 'tool.called', call: 't2', subagent: 'a1' },
    { type: 'tool.ended', call: 't2' },
  ]);
  const early = facts(call('t1'), started, call('t2', 't1'), result('t2', FAILED, 't1'), text());
  expect(early.map(({ type }) => type)).toEqual(['tool.called', 'tool.called']);
});

test('every call of the real streams ends once, under the name it was called by', () => {
  let calls = 0;
  for (const name of readdirSync(CASES)) {
    const reported = facts(...readFileSync(join(CASES, name, 'output.ndjson'), 'utf8').split('\n'));
    const called = reported.flatMap((f) => (f.type === 'tool.called' ? [[f.call, f.tool]] : []));
    const ended = reported.flatMap((f) => (f.type === 'tool.ended' ? [[f.call, f.tool]] : []));
    calls += called.length;
    expect(new Set(called.map(([id]) => id)).size, name).toBe(called.length);
    for (const end of ended) expect(called, name).toContainEqual(end);
    expect(new Set(ended.map(([id]) => id)).size, name).toBe(ended.length);
  }
  expect(calls).toBeGreaterThan(5);
});

test('nothing makes the listener throw', () => {
  const some = fc.oneof(fc.json(), fc.string(), fc.constantFrom(call('t1'), result('t1', FAILED), '{"tool_use'));
  fc.assert(fc.property(fc.array(some), (lines) => void facts(...lines)));
});
