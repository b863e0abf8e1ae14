import { expect, test } from 'vitest';
import { parseRule, parseRules, spelledActions } from './grammar.ts';
import { judge } from './judge.ts';
import type { Effect, RuleTexts } from './rules.ts';

const places = { workspace: '/home/ann/app', home: '/home/ann' };

function verdict(texts: RuleTexts, tool: string, input: unknown, real?: string): Effect {
  const { rules } = parseRules(texts);
  const actions = spelledActions(tool, input);
  return judge(rules, { tool, actions, ...places, ...(real === undefined ? {} : { real: { 'src/a': real } }) }).verdict;
}

test.each<[rule: string, tool: string, path: unknown, allowed: boolean]>([
  ['Edit(src/**)', 'Edit', '/home/ann/app/src/a.ts', true],
  ['Edit(src/**)', 'Edit', 'src/deep/er/a.ts', true],
  ['Edit(./src/**)', 'Edit', 'src/a.ts', true],
  ['Edit(src/**)', 'Write', 'src/a.ts', true],
  ['Edit(src/**)', 'MultiEdit', 'src/./a.ts', true],
  ['Edit(src/**)', 'Edit', 'src', false],
  ['Edit(src/**)', 'Edit', 'src/../.ssh/x', false],
  ['Edit(src/**)', 'Edit', '/home/ann/app/src/../../.ssh/x', false],
  ['Edit(src/**)', 'Edit', 'srcx/a', false],
  ['Edit(src/**)', 'Edit', 'SRC/a', false],
  ['Edit(src/**)', 'Edit', '/src/a', false],
  ['Edit(src/**)', 'Edit', 'src/a\0b', false],
  ['Edit(src/**)', 'Edit', 'src\\..\\x', false],
  ['Edit(src/**)', 'Edit', '~ann/app/src/a', false],
  ['Edit(src/**)', 'Edit', '', false],
  ['Edit(src/**)', 'Edit', undefined, false],
  ['Edit(src/**)', 'Edit', 7, false],
  ['Edit(src/**)', 'Read', 'src/a', false],
  ['Edit(src/*.ts)', 'Edit', 'src/a.ts', true],
  ['Edit(src/*.ts)', 'Edit', 'src/a/b.ts', false],
  ['Edit(*.ts)', 'Edit', 'deep/a.ts', true],
  ['Edit(*.ts)', 'Edit', '/etc/a.ts', false],
  ['Edit(src)', 'Edit', 'src/a', false],
  ['Write(/abs/**)', 'Write', '/abs/a', true],
  ['Write(//abs/**)', 'Write', '/abs/a', true],
  ['Write(/abs/**)', 'Edit', '/abs/a', false],
  ['Read(~/notes/**)', 'Read', '/home/ann/notes/a', true],
  ['Read(~/notes/**)', 'Read', '~/notes/a', true],
  ['Read(src/**)', 'Grep', 'src', true],
  ['Read(src/*)', 'Grep', 'src', false],
  ['Read', 'Read', '/etc/passwd', true],
  ['Read', 'Grep', 'src', false],
])('an allow of %s for %s on %j: %j', (rule, tool, path, allowed) => {
  const field = tool === 'Grep' ? 'path' : 'file_path';
  expect(verdict({ allow: [rule] }, tool, { [field]: path })).toBe(allowed ? 'allow' : 'ask');
});

test.each<[rule: string, tool: string, path: string, expected: Effect]>([
  ['Read(~/.ssh/**)', 'Read', '/home/ann/.ssh/id', 'deny'],
  ['Read(~/.ssh/**)', 'Read', '/home/ann/.SSH/id', 'deny'],
  ['Read(~/.ssh/**)', 'Read', 'src/../../.ssh/id', 'deny'],
  ['Read(~/.ssh)', 'Read', '~/.ssh/id', 'deny'],
  ['Read(.env)', 'Read', 'deep/.env', 'deny'],
  ['Read(.env)', 'Read', '/etc/.env', 'deny'],
  ['Read(/secrets/**)', 'Read', 'secrets/a', 'deny'],
  ['Read(*.[ch])', 'Read', 'a.c', 'deny'],
  ['Write(src/**)', 'Edit', 'src/a', 'deny'],
  ['Read(~/.ssh/**)', 'Write', '~/.ssh/authorized_keys', 'deny'],
  ['Edit', 'Write', 'a', 'deny'],
  ['Write', 'Edit', 'a', 'allow'],
  ['Edit(src/**)', 'Read', 'src/a', 'allow'],
  ['Read(.env)', 'Grep', 'src', 'ask'],
  ['Read(~/.ssh/**)', 'Grep', 'src', 'allow'],
  ['Read(~/.ssh/**)', 'Grep', '~', 'ask'],
  ['Read(.env)', 'Read', 'a.ts', 'allow'],
  ['Read(.env)', 'Read', '~bob/x', 'ask'],
])('with everything allowed, a deny of %s for %s on %j: %s', (rule, tool, path, expected) => {
  const field = tool === 'Grep' ? 'path' : 'file_path';
  expect(verdict({ allow: ['*'], deny: [rule] }, tool, { [field]: path })).toBe(expected);
});

test('a Glob pattern does not reach outside its folder', () => {
  const look = (pattern: string): Effect => verdict({ allow: ['Read(**)'] }, 'Glob', { pattern });
  expect(look('**/*.ts')).toBe('allow');
  expect([look('../*'), look('/etc/*'), look('~/*'), look('a/../../b')]).toEqual(['ask', 'ask', 'ask', 'ask']);
});

test('the target of a link must be allowed too, and may be denied', () => {
  const rules = { allow: ['Edit(src/**)'], deny: ['Edit(~/.ssh/**)'] };
  expect(verdict(rules, 'Edit', { file_path: 'src/a' }, '/home/ann/app/src/a')).toBe('allow');
  expect(verdict(rules, 'Edit', { file_path: 'src/a' }, '/etc/a')).toBe('ask');
  expect(verdict(rules, 'Edit', { file_path: 'src/a' }, '/home/ann/.ssh/a')).toBe('deny');
});

test.each<[rule: string, url: unknown, allowed: boolean]>([
  ['domain:example.com', 'https://example.com/a?b', true],
  ['domain:example.com', 'http://EXAMPLE.com.', true],
  ['domain:example.com', 'https://docs.example.com/', true],
  ['domain:*.example.com', 'https://docs.example.com/', true],
  ['domain:example.com', 'https://example.com:443/', true],
  ['domain:example.com', 'https://example.com:8443/', false],
  ['domain:example.com:8443', 'https://example.com:8443/', true],
  ['domain:example.com', 'https://badexample.com/', false],
  ['domain:example.com', 'https://example.com.evil.org/', false],
  ['domain:example.com', 'https://example.com@evil.org/', false],
  ['domain:example.com', 'https://evil.org@example.com/', false],
  ['domain:example.com', 'https://@example.com/', false],
  ['domain:example.com', 'https://evil.org#@example.com/', false],
  ['domain:example.com', 'https://evil.org\\@example.com/', false],
  ['domain:example.com', 'https://ex\nample.com/', false],
  ['domain:example.com', 'https://ехample.com/', false],
  ['domain:example.com', 'file://example.com/etc', false],
  ['domain:example.com', 'example.com', false],
  ['domain:example.com', 7, false],
  ['domain:bücher.de', 'https://xn--bcher-kva.de/', true],
  ['domain:0.0.1', 'https://127.0.0.1/', false],
  ['domain:127.0.0.1', 'https://2130706433/', true],
  ['example.com', 'https://example.com/', false],
])('WebFetch(%s) allows %j: %j', (rule, url, allowed) => {
  expect(verdict({ allow: [`WebFetch(${rule})`] }, 'WebFetch', { url })).toBe(allowed ? 'allow' : 'ask');
});

test('a denied host is denied on every port, and an ambiguous one is asked about', () => {
  const rules = { allow: ['WebFetch'], deny: ['WebFetch(domain:evil.org)'] };
  expect(verdict(rules, 'WebFetch', { url: 'http://a.evil.org:99/' })).toBe('deny');
  expect(verdict(rules, 'WebFetch', { url: 'http://x@evil.org/' })).toBe('ask');
  expect(verdict(rules, 'WebFetch', { url: 'http://good.org/' })).toBe('allow');
  expect(verdict({ allow: ['*'], deny: ['WebFetch(evil.org)'] }, 'WebFetch', { url: 'http://good.org/' })).toBe('ask');
});

test.each<[rule: string, tool: string, allowed: boolean]>([
  ['mcp__github', 'mcp__github__get', true],
  ['mcp__github', 'mcp__githubx__get', false],
  ['mcp__github', 'mcp__github', true],
  ['mcp__github__get', 'mcp__github__get', true],
  ['mcp__github__get', 'mcp__github__getx', false],
  ['mcp__github__*', 'mcp__github__set', true],
  ['mcp__github__get_*', 'mcp__github__get_x', true],
  ['mcp__github__get_*', 'mcp__github__set_x', false],
  ['WebSearch', 'WebSearch', true],
  ['WebSearch', 'websearch', false],
  ['Skill(x)', 'Skill', false],
  ['*', 'Anything', true],
])('an allow of %s for %s: %j', (rule, tool, allowed) => {
  expect(verdict({ allow: [rule] }, tool, {})).toBe(allowed ? 'allow' : 'ask');
});

test('a pattern with unknown syntax is asked about, not ignored', () => {
  expect(verdict({ allow: ['Skill'], deny: ['Skill(x)'] }, 'Skill', {})).toBe('ask');
});

test.each([
  ['allow', '', 'is not of the form'],
  ['allow', 'Bash(', 'is not of the form'],
  ['allow', 'Bash()', 'has empty parentheses'],
  ['allow', 'Bash(a\rb)', 'contains a control character'],
  ['allow', 'mcp__x__y(z)', 'has parentheses'],
  ['allow', 'mcp__*', 'allows too much'],
  ['allow', 'B*', 'allows too much'],
  ['deny', 'B*(x)', 'has parentheses'],
  ['deny', `Bash(${'x'.repeat(5000)})`, 'is longer than'],
] as const)('%s %j is not a rule: it %s', (effect, text, why) => {
  const parsed = parseRule(effect, text);
  expect(parsed.ok ? '' : parsed.why).toContain(why);
});
