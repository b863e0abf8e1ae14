import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { parseRules } from '../../src/core/rules/grammar.ts';
import { judge } from '../../src/core/rules/judge.ts';
import type { Rule } from '../../src/core/rules/rules.ts';
import { figures, times } from '../campaign.ts';
import { ruleTexts, texts } from './shell-texts.ts';
import { type Done, ShellWorld } from './shell-world.ts';

const CASES = Number(process.env.OUTLAST_RULE_CASES ?? times(700, 20_000));
const SEED = Number(process.env.OUTLAST_RULE_SEED ?? 5);

const SHELLS = ['/bin/sh', '/bin/bash', '/bin/zsh'].filter((shell) => existsSync(shell));
const world = new ShellWorld();

afterAll(() => world[Symbol.dispose]());

/** Wrappers that only start another program: the rules judge that program instead. */
const PASSED = ['nice', 'nohup', 'timeout', 'xargs', 'time'];

/** Whether a rule allows a call. Implemented from the guide, independently of the code under test. */
function isNamed(words: readonly string[], allowed: readonly string[]): boolean {
  const line = words.join(' ');
  const isBelow = (head: string): boolean => line === head || line.startsWith(`${head} `);
  return allowed.some((rule) => {
    const inside = /^Bash\((.*)\)$/.exec(rule)?.[1] ?? '';
    if (inside === 'git * x') return isBelow('git') && line.endsWith(' x');
    if (inside === "sh -c 'ls'") return line === 'sh -c ls' || line === 'ls';
    const head = inside.replace(/:\*$| \*$/, '');
    // A rule that contains the inner command also allows that command alone.
    if (head.startsWith('sudo ')) return isBelow(head) || isBelow(head.slice(5));
    return inside === head ? line === head : isBelow(head);
  });
}

function faultsOf({ started, made }: Done, allowed: readonly string[]): string[] {
  const strange = started.filter((words) => !PASSED.includes(words[0] ?? '') && !isNamed(words, allowed));
  const mayWrite = allowed.includes('Edit(out/**)');
  const files = made.filter((path) => !(mayWrite && path.startsWith(`${world.workspace}/out/`)));
  return [...strange.map((words) => `started ${words.join(' ')}`), ...files.map((path) => `made ${path}`)];
}

type Judge = (rules: readonly Rule[], command: string) => boolean;

const ours: Judge = (rules, command) => {
  const { workspace, home } = world;
  return judge(rules, { tool: 'sh', actions: [{ is: 'shell', command }], workspace, home }).verdict === 'allow';
};

/** Judges generated command lines, runs the allowed ones, and reports programs and files that no rule allows. */
async function campaign(isAllowed: Judge, cases: number, shells: readonly string[]) {
  const all = fc.sample(fc.tuple(ruleTexts, texts), { numRuns: cases, seed: SEED });
  const ran = new Map<string, Done>();
  const result = { allowed: 0, started: 0, faults: [] as string[] };
  for (const [allow, text] of all) {
    // An argument of a process cannot contain NUL.
    if (text.includes('\0') || !isAllowed(parseRules({ allow }).rules, text)) continue;
    result.allowed += 1;
    // Shells differ, so each one gets every command line. Short ones occur repeatedly, so results are cached.
    for (const shell of shells) {
      const key = `${shell} ${JSON.stringify(text)}`;
      const done = ran.get(key) ?? (await world.run(shell, text));
      if (!ran.has(key)) result.started += done.started.length;
      ran.set(key, done);
      for (const fault of faultsOf(done, allow)) result.faults.push(`${key}: ${fault}`);
    }
  }
  return result;
}

test('no real shell starts a program or creates a file that the rules do not allow', { timeout: 600_000 }, async () => {
  const result = await campaign(ours, CASES, SHELLS);
  expect(result.faults).toEqual([]);
  expect(result.allowed).toBeGreaterThan(CASES / 20);
  expect(result.started).toBeGreaterThan(result.allowed / 2);
  figures('rules', { seed: SEED, lines: CASES, allowedAndRun: result.allowed, programsStarted: result.started });
});

test('no command line makes the judge throw or take long', () => {
  const { rules } = parseRules({ allow: ['Bash(git status:*)'], deny: ['Bash(rm:*)', 'Read(.env)'] });
  const pieces = [
    '$(',
    '(',
    '{ ',
    '"',
    "'",
    '`',
    '<<E ',
    '# ',
    'if ',
    'for x in ',
    '! ',
    'nice ',
    'eval ',
    '\\',
    '\n',
    '${',
    '*',
  ];
  const long = pieces.map((piece) => piece.repeat(30_000 / piece.length));
  const strange = fc.sample(fc.string({ unit: 'binary', maxLength: 60 }), { numRuns: 3_000, seed: SEED });
  for (const text of [...long, ...strange]) {
    const startMs = performance.now();
    expect(ours(rules, text)).toBe(false);
    expect(performance.now() - startMs, text.slice(0, 20)).toBeLessThan(30_000);
  }
});

test('the campaign detects a judge that checks only the start of a command line', async () => {
  const naive: Judge = (_, command) => command.startsWith('git status');
  const result = await campaign(naive, times(1_000, 2_000), ['/bin/sh']);
  expect(result.faults.length).toBeGreaterThan(10);
});
