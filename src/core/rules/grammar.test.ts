import { expect, test } from 'vitest';
import { type Action, unmapped } from './action.ts';
import { parseRules, spelledActions } from './grammar.ts';
import { judge } from './judge.ts';
import { ruleFor, ruleThatFits } from './rule-for.ts';
import type { Call, Effect, RuleTexts } from './rules.ts';

const places = { workspace: '/w', home: '/home/ann' };
const write = (path: string): Action => ({ is: 'write', path, change: null });
const shell = (command: string): Action => ({ is: 'shell', command });

function call(tool: string, ...actions: readonly Action[]): Call {
  return { tool, actions, ...places };
}

function verdict(texts: RuleTexts, of: Call): Effect {
  const { rules, faults } = parseRules(texts);
  expect(faults).toEqual([]);
  return judge(rules, of).verdict;
}

test.each<[rule: string, of: Call, allowed: boolean]>([
  ['Bash(npm test)', call('exec_command', shell('npm test')), true],
  ['Bash', call('exec_command', shell('npm test')), true],
  ['exec_command(npm test)', call('exec_command', shell('npm test')), true],
  ['Bash(npm test)', call('exec_command', shell('npm test; rm x')), false],
  ['Edit(src/**)', call('apply_patch', write('src/a')), true],
  ['Edit', call('apply_patch', write('src/a')), true],
  ['apply_patch', call('apply_patch', write('src/a')), true],
  ['Write(src/**)', call('apply_patch', write('src/a')), false],
  ['Read(src/**)', call('view', { is: 'read', path: 'src/a' }), true],
  ['WebFetch(domain:a.org)', call('browse', { is: 'fetch', url: 'https://a.org/' }), true],
  ['mcp__github', call('get', { is: 'mcp', server: 'github', tool: 'get', input: {} }), true],
  ['get', call('get', { is: 'mcp', server: 'github', tool: 'get', input: {} }), false],
  ['Agent', call('spawn', { is: 'agent', prompt: 'x' }), true],
])('%s has the same meaning for %j, independent of the name of the tool: %j', (rule, of, allowed) => {
  expect(verdict({ allow: [rule] }, of)).toBe(allowed ? 'allow' : 'ask');
});

test('a call with two actions is asked about if one is not allowed, and denied if one is denied', () => {
  const both = call('apply_patch', write('src/a'), write('/etc/passwd'));
  expect(verdict({ allow: ['Edit(src/**)'] }, both)).toBe('ask');
  expect(verdict({ allow: ['Edit(src/**)', 'Edit(/etc/**)'] }, both)).toBe('allow');
  expect(verdict({ allow: ['Edit'], deny: ['Edit(/etc/**)'] }, both)).toBe('deny');
  expect(verdict({ allow: ['Edit(src/**)'] }, call('batch', write('src/a'), shell('rm x')))).toBe('ask');
  const { rules } = parseRules({ allow: ['Edit(src/**)'] });
  expect(judge(rules, both).why).toBe('no rule allows it: apply_patch /etc/passwd');
});

test('no single rule is derived from a call with several actions', () => {
  expect(ruleFor('allow', call('apply_patch', write('a'), write('b')))).toBeNull();
  expect(ruleFor('allow', call('apply_patch', write('a')))?.text).toBe('Edit(//w/a)');
  expect(ruleThatFits('allow', 'Edit(**)', call('apply_patch', write('a'), write('b')))?.text).toBe('Edit(**)');
});

test('a call with more actions than can be judged is asked about', () => {
  const many = Array.from({ length: 1_001 }, (_, i) => write(`src/${i}`));
  expect(verdict({ allow: ['Edit(src/**)'] }, call('apply_patch', ...many.slice(1)))).toBe('allow');
  expect(verdict({ allow: ['*'] }, call('apply_patch', ...many))).toBe('ask');
});

test('a call without any known action is asked about', () => {
  expect(verdict({ allow: ['*'] }, call('apply_patch'))).toBe('ask');
});

test.each<[rule: string, tool: string, expected: Effect]>([
  ['Skill', 'Skill', 'allow'],
  ['Skil', 'Skill', 'ask'],
  ['*', 'Skill', 'allow'],
  ['Bash', 'Bash', 'ask'],
  ['Edit', 'Edit', 'ask'],
  ['mcp__a__b', 'mcp__a__b', 'ask'],
  ['mcp__a', 'mcp__a__b', 'ask'],
])('an allow of %s for an unknown tool %s: %s', (rule, tool, expected) => {
  expect(verdict({ allow: [rule] }, call(tool, ...unmapped(tool, { path: 'src/a', command: 'ls' })))).toBe(expected);
});

test.each(['Skill', 'Ski*', '*'])('a deny of %s holds for an unknown tool', (rule) => {
  expect(verdict({ allow: ['Skill'], deny: [rule] }, call('Skill', ...unmapped('Skill', {})))).toBe('deny');
});

test('a tool that uses a rule word for something else is not allowed by that word, but is denied by it', () => {
  const misnamed = call('Read', shell('rm x'));
  expect(verdict({ allow: ['Read'] }, misnamed)).toBe('ask');
  expect(verdict({ allow: ['Bash'], deny: ['Read'] }, misnamed)).toBe('deny');
});

test('a server whose name is ambiguous is never allowed by name', () => {
  const of = (server: string, tool: string): Call => call(tool, { is: 'mcp', server, tool, input: {} });
  expect(verdict({ allow: ['mcp__a'] }, of('a', 'b__c'))).toBe('allow');
  expect(verdict({ allow: ['mcp__a'] }, of('a__b', 'c'))).toBe('ask');
  expect(verdict({ allow: ['mcp__a__b__c'] }, of('a__b', 'c'))).toBe('ask');
  expect(verdict({ allow: ['*'], deny: ['mcp__a'] }, of('a__b', 'c'))).toBe('deny');
});

test('a rule with the own name of a shell tool stops a command that cannot be parsed', () => {
  const form = call('exec_command', shell('case x in y) z;; esac'));
  expect(verdict({ allow: ['Bash'] }, form)).toBe('allow');
  expect(verdict({ allow: ['Bash'], deny: ['exec_command(rm:*)'] }, form)).toBe('ask');
});

test.each<[word: string, input: unknown, actions: readonly Action[]]>([
  ['Bash', { command: 'ls' }, [shell('ls')]],
  ['Edit', { path: 'a' }, [write('a')]],
  // Only an adapter knows what happens to the file.
  ['Write', { file_path: 'a', content: 'x' }, [write('a')]],
  ['Grep', { pattern: 'x', glob: '/etc/*' }, [deep('.'), deep(null)]],
  ['WebFetch', { url: 7 }, [{ is: 'fetch', url: null }]],
  ['mcp__a__b', {}, [{ is: 'mcp', server: 'a', tool: 'b', input: {} }]],
  ['exec_command', { cmd: 'ls' }, [{ is: 'other', name: 'exec_command', input: { cmd: 'ls' } }]],
])('a call in the words of rules is read without an agent: %s %j', (word, input, actions) => {
  expect(spelledActions(word, input)).toEqual(actions);
});

function deep(path: string | null): Action {
  return { is: 'read', path, isDeep: true, pattern: 'x' };
}
