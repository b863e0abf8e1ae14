import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { revealed } from '../../present/harmless.ts';
import type { Command } from '../base/command.ts';
import { parseWords } from '../base/parse.ts';
import { Print, type Sink } from '../base/print.ts';
import { approvalLines } from '../views/approval-view.ts';
import { GATE_OPTIONS, gateInput } from './gate-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'outlast-gate-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const command = {
  name: 'run',
  usage: '',
  words: { min: 0, max: 9, are: '' },
  options: GATE_OPTIONS,
} as unknown as Command;

function read(...words: string[]) {
  const parsed = parseWords(command, words);
  return { words: parsed.words, ...gateInput('run', parsed.values as never, { policy: { onLimit: 'wait' } }) };
}

test.each([
  [['--watch', 'fix it'], ['fix it'], 'watch', undefined],
  [['--watch', '60s', 'fix it'], ['fix it'], 'watch', 60_000],
  [['--watch=90s', 'fix it'], ['fix it'], 'watch', 90_000],
  [['fix it', '--watch'], ['fix it'], 'watch', undefined],
  [['--watch', '--', '60s'], ['60s'], 'watch', undefined],
  [['--gate', '--ask-timeout', 'none', 'x'], ['x'], 'gate', 0],
  [['--gate', '--ask-timeout', '2h', 'x'], ['x'], 'gate', 7_200_000],
  [['--no-gate', 'x'], ['x'], 'off', undefined],
  [['x'], ['x'], undefined, undefined],
])('%j is understood', (line, words, mode, ms) => {
  const given = read(...line);
  expect([given.words, given.gate?.mode, given.policy?.approvalMsMax]).toEqual([words, mode, ms]);
  expect(given.policy?.onLimit).toBe('wait');
});

test('rules come from the command line and from a file, there also under `permissions`', () => {
  const file = join(folder, 'rules.json');
  writeFileSync(file, '{"permissions":{"allow":["Bash(a)"],"deny":["Read(b)"]}}');
  expect(read('--gate', '--allow', 'Bash(c)', '--allow', 'Bash(d)', '--ask', 'Edit', '--rules', file).gate).toEqual({
    mode: 'gate',
    allow: ['Bash(a)', 'Bash(c)', 'Bash(d)'],
    ask: ['Edit'],
    deny: ['Read(b)'],
  });
});

const sink: Sink = { isTty: false, columns: 80, write: async () => {} };
const print = new Print(sink, sink, {});
const approval = {
  ...{ id: 'k7mpq2xw', session: 's1', name: 'api', workspace: '/w', run: 1, call: null, hash: 'h', subagent: 'a9' },
  ...{ tool: 'Bash', why: 'no rule allows it', diff: null, rule: null, askedAtMs: 0 },
  ...{ mode: 'gate' as const, leftMs: 65_000, input: { command: 'one\ntwo', n: 1 } },
};

test('an approval is shown with the whole input of the tool', () => {
  expect(approvalLines(approval, print)).toEqual([
    'k7mpq2xw  Bash  api  auto-denied in 1m 5s',
    '  folder      /w',
    '  sub-agent   a9',
    '  asked       no rule allows it',
    '  command     one',
    '              two',
    '  n           1',
  ]);
  const late = { ...approval, mode: 'watch' as const, leftMs: null };
  expect(approvalLines(late, print)[0]).toContain('waits without a timeout');
});

test('a diff replaces only the fields that it shows', () => {
  const diffFields = ['old_string', 'new_string'];
  const input = { file_path: '/w/a', old_string: 'x', new_string: 'y', extra: 'z' };
  const lines = approvalLines(
    { ...approval, tool: 'Edit', input, diff: '--- a\n+++ a\n-x\n+y', diffFields },
    print,
  ).join('\n');
  expect(lines).toContain('  file_path   /w/a\n  extra       z\n  --- a\n  +++ a\n  -x\n  +y');
  expect(lines).not.toContain('old_string');
  expect(approvalLines({ ...approval, tool: 'Edit', input, diff: '', diffFields }, print).join('\n')).toContain(
    'old_string  x',
  );
});

test('invisible characters and direction marks are made visible', () => {
  expect(revealed('a\u202eb\u200bc\ufeff\u{e0041}')).toBe('a\\u202eb\\u200bc\\ufeff\\ue0041');
  expect(revealed('a\u3164b\u115f\u180e\u034f\u2800')).toBe('a\\u3164b\\u115f\\u180e\\u034f\\u2800');
  expect(revealed('rm\ufe0f a\u{e0120}\ufff9')).toBe('rm\\ufe0f a\\ue0120\\ufff9');
  for (const plain of ['Grüße, 世界 👍', '❤️ 1️⃣ ☎︎', '한국어', 'नमस्ते']) expect(revealed(plain)).toBe(plain);
});
