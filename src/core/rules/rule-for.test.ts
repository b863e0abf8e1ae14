import { expect, test } from 'vitest';
import { spelledActions } from './grammar.ts';
import { judge } from './judge.ts';
import { ruleFor, ruleThatFits } from './rule-for.ts';
import type { Call } from './rules.ts';

function call(tool: string, input: unknown, more: Partial<Call> = {}): Call {
  return { tool, actions: spelledActions(tool, input), workspace: '/w', home: '/home/ann', ...more };
}

const bash = (command: string): Call => call('Bash', { command });

test.each([
  [bash('npm test'), 'Bash(npm test)'],
  [bash('git add a.ts && git commit -m "x"'), 'Bash(git add a.ts && git commit -m "x")'],
  [bash('case x in y) rm z;; esac'), 'Bash(case x in y) rm z;; esac)'],
  [call('Edit', { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' }), 'Edit(//w/src/a.ts)'],
  [call('Write', { file_path: '/tmp/x y' }), 'Write(//tmp/x y)'],
  [call('Read', { file_path: '~/notes' }), 'Read(//home/ann/notes)'],
  [call('Grep', { pattern: 'x' }), 'Grep(//w/**)'],
  [call('WebFetch', { url: 'https://Example.com:8443/a?b' }), 'WebFetch(domain:example.com:8443)'],
  [call('mcp__github__get_issue', { n: 1 }), 'mcp__github__get_issue'],
])('the narrowest rule for %j is %s', (given, text) => {
  const rule = ruleFor('allow', given);
  expect(rule?.text).toBe(text);
  expect(judge(rule === null ? [] : [rule], given).verdict).toBe('allow');
});

test.each([
  ['a star would allow more than this call', bash('ls *')],
  ['it asks to leave the sandbox', call('Bash', { command: 'ls', dangerouslyDisableSandbox: true })],
  ['a path with a star', call('Write', { file_path: '/w/a*' })],
  ['a link to another place', call('Edit', { file_path: '/w/a' }, { real: { '/w/a': '/etc/passwd' } })],
  ['a host that cannot be determined', call('WebFetch', { url: 'https://a@b/' })],
  ['no command at all', call('Bash', {})],
  ['a command longer than a rule may be', bash(`echo ${'x'.repeat(5_000)}`)],
])('there is no narrow rule: %s', (_, given) => {
  expect(ruleFor('allow', given)).toBeNull();
});

test('a rule derived from an allowed call does not allow similar calls', () => {
  const neighbours = (given: Call, ...others: Call[]): string[] => {
    const rule = ruleFor('allow', given);
    return others.map((other) => judge(rule === null ? [] : [rule], other).verdict);
  };
  expect(neighbours(bash('npm test'), bash('npm test -- x'), bash('npm'), bash('npm test; rm x'))).toEqual([
    'ask',
    'ask',
    'ask',
  ]);
  expect(neighbours(bash('a && b'), bash('a'), bash('b'), bash('a && b && c'))).toEqual(['ask', 'ask', 'ask']);
  const edit = call('Edit', { file_path: '/w/a.ts' });
  expect(neighbours(edit, call('Edit', { file_path: '/w/b/a.ts' }), call('Bash', { command: 'rm /w/a.ts' }))).toEqual([
    'ask',
    'ask',
  ]);
});

test('a denial becomes a deny rule, where one can be written', () => {
  expect(ruleFor('deny', bash('rm -rf build'))?.text).toBe('Bash(rm -rf build)');
  expect(
    judge(
      [ruleFor('deny', bash('rm -rf build'))].flatMap((r) => r ?? []),
      bash('/bin/rm -rf build'),
    ).verdict,
  ).toBe('deny');
});

test('a rule that the caller provides must match the call', () => {
  expect(ruleThatFits('allow', 'Bash(npm:*)', bash('npm test'))?.text).toBe('Bash(npm:*)');
  expect(ruleThatFits('allow', 'Bash(yarn:*)', bash('npm test'))).toBeNull();
  expect(ruleThatFits('allow', 'Bash()', bash('npm test'))).toBeNull();
});
