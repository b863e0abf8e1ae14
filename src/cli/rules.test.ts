import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { realClock } from '../client/clock.ts';
import { Print, type Sink } from './base/print.ts';
import { run } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'outlast-rules-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function testRules(...words: string[]) {
  const printed = { out: '', err: '' };
  const sink = (name: 'out' | 'err'): Sink => ({
    isTty: false,
    columns: 80,
    write: async (bytes) => {
      printed[name] += typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString();
    },
  });
  const env = { HOME: join(folder, 'home'), OUTLAST_STATE: '/nonexistent/state' };
  const status = await run(['rules', 'test', ...words], {
    env,
    clock: realClock(),
    print: new Print(sink('out'), sink('err'), env),
  });
  return { status, ...printed };
}

test('every part of a command line is explained', async () => {
  const call = ['Bash', '{"command":"git status; make\\t\\u001b[2K"}'];
  const { status, out } = await testRules(...call, '--allow', 'Bash(git status:*)', '--deny', 'Bash(make:*)');
  expect(status).toBe(0);
  expect(out).toContain('deny: deny Bash(make:*)');
  expect(out).not.toContain('\x1b');
  const fine = await testRules('Bash', '{"command":"git status; make"}', '--allow', 'Bash(git status:*)');
  expect(fine.out).toBe(
    'ask: no rule allows it: make\n' +
      '  allow  git status  (allow Bash(git status:*))\n' +
      '  ask    make  (no rule allows it)\n',
  );
});

test('programs get the whole judgement', async () => {
  const { out } = await testRules('Bash', '{"command":"ls"}', '--allow', 'Bash(ls:*)', '--json');
  const rule = { effect: 'allow', text: 'Bash(ls:*)', tool: 'Bash', pattern: 'ls:*' };
  const part = { verdict: 'allow', rule, why: 'allow Bash(ls:*)' };
  expect(JSON.parse(out)).toEqual({ ...part, parts: [{ text: 'ls', ...part }] });
});

test.each([
  ['plain', { allow: ['Edit(src/**)'] }],
  ['like a settings file', { permissions: { allow: ['Edit(src/**)'] }, other: 1 }],
])('rules come from a file, %s', async (_, content) => {
  const file = join(folder, 'rules.json');
  writeFileSync(file, JSON.stringify(content));
  const { out } = await testRules('Edit', '{"file_path":"src/a"}', '--rules', file, '--workspace', folder);
  expect(out).toMatch(/^allow: allow Edit\(src\/\*\*\)\n/);
});

test('a link that leads out of what is allowed is asked about', async () => {
  const workspace = join(folder, 'work');
  mkdirSync(join(workspace, 'src'), { recursive: true });
  symlinkSync('/etc', join(workspace, 'src', 'out'));
  symlinkSync(workspace, join(folder, 'link'));
  const edit = (path: string, at: string) =>
    testRules('Edit', JSON.stringify({ file_path: path }), '--allow', 'Edit(src/**)', '--workspace', at);
  expect((await edit('src/new/a', workspace)).out).toMatch(/^allow/);
  expect((await edit('src/new/a', join(folder, 'link'))).out).toMatch(/^allow/);
  expect((await edit('src/out/passwd', workspace)).out).toMatch(/^ask: no rule allows it: Edit \/etc\/passwd\n/);
});

test.each([
  [['Bash', '{'], 'the input of the tool is not JSON'],
  [['Bash', '{}', '--allow', 'Bash()'], 'the allow rule "Bash()" has empty parentheses'],
  [['Bash', '{}', '--rules', '/nonexistent/file'], 'cannot read /nonexistent/file'],
  [['Bash', '{}', '--rules', join(folder, 'list.json')], 'is not a JSON object'],
  [['Bash', '{}', '--rules', join(folder, 'word.json')], '"allow" in'],
])('%j is refused with a message', async (words, message) => {
  writeFileSync(join(folder, 'list.json'), '[]');
  writeFileSync(join(folder, 'word.json'), '{"allow": "Bash"}');
  const { status, out, err } = await testRules(...words);
  expect([status, out]).toEqual([2, '']);
  expect(err).toContain(message);
});
