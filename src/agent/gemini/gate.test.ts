import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { geminiGate } from './gate.ts';

test('the record has the calls that were made, and those that were not', () => {
  const text = readFileSync(join(import.meta.dirname, 'cases/chat/killed-after-tool/chat.jsonl'), 'utf8');
  const call = 'run_shell_command__call_d292aa2146c1';
  expect(geminiGate.seenCalls(text)).toMatchObject([{ call, tool: 'run_shell_command', made: true }]);
  const denied = text.replaceAll('"status":"success"', '"status":"cancelled"');
  expect(geminiGate.seenCalls(denied)).toMatchObject([{ call, made: false }]);
  expect(geminiGate.seenCalls('no JSON\n{"id":"a","type":"gemini","content":"x"}\n')).toEqual([]);
});

test('the probe makes its calls one after the other, and two where its defaults ask about none', () => {
  const { answer } = geminiGate.probe([
    { command: 'touch a', about: 'denied' },
    { command: 'pwd', about: 'reads' },
  ]);
  const made = [{ functionCall: { name: 'run_shell_command' } }];
  const body = (calls: number): string =>
    JSON.stringify({ tools: [{}], contents: Array.from({ length: calls }, () => ({ parts: made })) });
  const said = [0, 1, 2, 3].map((calls) => answer?.(body(calls)) ?? '');
  expect(said[0]).toContain('"name":"run_shell_command","args":{"command":"touch a"');
  expect(said[1]).toContain('"name":"list_directory","args":{"dir_path":"."}');
  expect(said[2]).toContain('"command":"pwd"');
  expect(said[3]).toContain('"text":"done"');
  expect(answer?.(JSON.stringify({ contents: [] }))).toBeNull();
});
