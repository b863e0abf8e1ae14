import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CODES } from '../../src/base/errors.ts';
import { COMMON } from '../../src/cli/base/command.ts';
import { HIDDEN, TABLE } from '../../src/cli/table.ts';
import { type Literal, literals, literalsOf } from './literals.ts';
import { ROOT, sources } from './tree.ts';

// What people read: help, messages, hints, notices.

const ALL = literals();

/** Programs that speak by themselves: their texts are not ours to people. */
const ELSEWHERE = /^src\/(?:agent\/claude\/stand-in|testing)\//;

test('texts are found in code, without comments and regular expressions', () => {
  const source = "const a = /it's/; // no 'text'\nsay('one', `two $".concat(
    "{b ? 'three' : `f$",
    "{c}`} five`); /* 'no' */ x = \"it's\";",
  );
  const texts = literalsOf('a.ts', source).map(({ at, text }) => `${at} ${text}`);
  expect(texts).toEqual(['a.ts:2 one', 'a.ts:2 three', 'a.ts:2 f{}', 'a.ts:2 two {} five', "a.ts:2 it's"]);
  expect(ALL.length).toBeGreaterThan(5_000);
});

/** Phrases that native readers stumbled over, by what to say instead. */
const PHRASES: Readonly<Record<string, RegExp>> = {
  'available: …, use one of: …, choose one of …': /\bthere are: |; it has \{\}, \{\}|; there are \{\}/,
  'is not one of': /\bis none of\b/,
  'is not a …': /\b(?<!there )(?:is|are) no (?:JSON|list|value|duration|number|whole number|date|time|size|valid)\b/,
  'continues automatically': /\b(?:goes|go|continues|resumes) (?:on )?by itself\b/,
  'continues, keeps using': /\b(?:goes|go) on with (?:what|the config)\b|^goes on\b/,
  'anyway, in both cases, even in': /\ball the same\b/,
  'hit a limit': /\bmet (?:its|a|an|the|their) (?:usage )?limit\b/,
  'Outlast does not recognize': /\bthat we do not know\b|\bdraws? it again\b/,
  'cannot be combined with': /\bdoes not go with\b/,
  'even if': /^Also if\b/,
  'for an agent, …': /\. Of an agent\b/,
  'no reason given': /\bnobody said\b|\bnobody trusted\b/,
  'add --option, pass --option': /\bsay --\w/,
  'leave out --option': /: no --\w/,
  'restart: `outlast daemon restart`': /daemon stop`; the next command/,
  'See: COMMAND': /\bLook: outlast|\bLook what\b/,
  'a bug in Outlast': /^our bug\b/,
  'is listening, is running': /\bno daemon (?:listens|runs)\b/i,
  'what is due now': /\bcomes to something\b|\bcounts against nobody\b|\bMoving in\b|\bwhat calls runs\b/,
  'show, print': /^Tell (?:how|what)\b/,
  'last activity, time limit, maximum': /\blast sign\b|\bat most so\b|\bso much awake\b/,
  'stopped by you, prompt queued for': /\bapi took it\b|\bleft, then no\b/,
  'asks first': /\bafter a question\b/,
  'not reported': /^not said$/,
};

test('no text has a phrase that readers stumbled over', () => {
  const found = ALL.filter(({ at }) => !ELSEWHERE.test(at)).flatMap(({ at, text }) =>
    Object.entries(PHRASES).flatMap(([instead, phrase]) =>
      phrase.test(text) ? [`${at}: "${text.slice(0, 80)}": say ${instead}`] : [],
    ),
  );
  expect(found).toEqual([]);
});

/** The command lines of ours that a text names: whole, or in backticks, or after a colon. */
function commandLines({ text }: Literal): string[] {
  const quoted = [...text.matchAll(/`(outlast [^`]+)`/g)].map(([, line]) => line ?? '');
  const after = [...text.matchAll(/(?:: |^ *| or +|\$ )(outlast [a-z][^`;,)(\n]*)/g)].map(([, line]) => line ?? '');
  return [...quoted, ...after].map((line) => line.replace(/\.(?:$| [A-Z].*)/, ''));
}

/** The line itself is prose, or begins a block that the installed service or a shell reads. */
const PROSE = /^outlast (?:COMMAND|mcp: |acp: |shuts|\{\}|failed|is |could|cannot|has |--|v?\d)/;

async function mistakeIn(line: string): Promise<string | null> {
  const [, first = '', second = ''] = line.split(/\s+/);
  const rows = { ...TABLE, ...HIDDEN };
  const group = Object.keys(rows).some((name) => name.startsWith(`${first} `));
  const name = Object.hasOwn(rows, `${first} ${second}`) ? `${first} ${second}` : first;
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row === undefined) return group && /^(?:COMMAND|--help|\{\}|)$/.test(second) ? null : 'no such command';
  const { options } = await row.load();
  const own = line.split(/ -- | \| | && |"/)[0] ?? '';
  const unknown = [...own.matchAll(/(?<=\s)--([a-z][a-z-]*)/g)]
    .map(([, option]) => option ?? '')
    .filter((option) => !Object.hasOwn({ ...options, ...COMMON }, option));
  return unknown.length === 0 ? null : `no option --${unknown.join(', --')}`;
}

test('every command line that a text names is one that exists, with its options', async () => {
  const named = ALL.filter(({ at }) => !ELSEWHERE.test(at)).flatMap((literal) =>
    commandLines(literal)
      .filter((line) => !PROSE.test(line))
      .map((line) => ({ at: literal.at, line })),
  );
  expect(named.length).toBeGreaterThan(300);
  const mistakes = await Promise.all(named.map(async ({ at, line }) => ({ at, line, why: await mistakeIn(line) })));
  expect(mistakes.flatMap(({ at, line, why }) => (why === null ? [] : [`${at}: ${line}: ${why}`]))).toEqual([]);
  expect(await mistakeIn('outlast frobnicate S')).toBe('no such command');
  expect(await mistakeIn('outlast daemon frobnicate')).toBe('no such command');
  expect(await mistakeIn('outlast run --frobnicate "x"')).toBe('no option --frobnicate');
});

/** An errno, or a failed system call as Node words it, put into a text. */
const RAW = [
  /\$\{(?:errnoOf\(\w+\)|[\w.]*\berrno|\w+ instanceof Error && 'code' in [^}]*)(?: \|\| [^}]*)?\}/,
  /\b(?:rejects?|refuse|wrongCall)\(.*\$\{(?:error|cause)\}/,
];

/** Lines that need the errno itself. */
const OWN_ERRNO: Readonly<Record<string, string>> = {
  'src/base/system-errors.ts': 'puts the words before it',
  'src/daemon/machine/notify.ts': 'a line of the log',
};

test('no errno stands alone: system errors are told in words', () => {
  const found = sourceLines().filter(
    ({ path, line }) => !Object.hasOwn(OWN_ERRNO, path) && RAW.some((raw) => raw.test(line)),
  );
  expect(found.map(({ path, line }) => `${path}: ${line.trim()}: use causeText`)).toEqual([]);
  const bare = ALL.filter(
    ({ text }) => / /.test(text) && /(?<!\()\bE(?:ACCES|NOENT|PERM|EXIST|ROFS|NOSPC)\b/.test(text),
  );
  expect(bare.map(({ at, text }) => `${at}: ${text}`)).toEqual([]);
});

function sourceLines(): { path: string; line: string }[] {
  return sources().flatMap(({ path, text }) => text.split('\n').map((line) => ({ path, line })));
}

/** The words with which a hint may begin: what somebody does. */
const ACTIONS =
  'Ask Check Choose Commit Correct End Give Install Make Pass Read Remove Run Set Start Stop Try Type Use Wait'.split(
    ' ',
  );

test('every error code has what to do, beginning with an action, in docs/errors.md as in its hint', () => {
  const parts = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').split(/^### /m).slice(1);
  const documented = parts.map((part) => {
    const [, todo = ''] = /\*\*What to do:\*\* ([\s\S]*?)\n(?:\n|$)/.exec(part) ?? [];
    return [part.split('\n')[0] ?? '', todo.replaceAll('\n', ' ')] as const;
  });
  expect(documented.map(([code]) => code).toSorted()).toEqual(Object.keys(CODES).toSorted());
  const lazy = documented.filter(([, todo]) => !ACTIONS.includes(todo.split(/,? /)[0] ?? ''));
  expect(lazy).toEqual([]);
  const hints = Object.entries(CODES).filter(([, { hint }]) => hint !== '');
  const different = hints.filter(([code, { hint }]) => new Map(documented).get(code) !== hint);
  expect(different.map(([code]) => code)).toEqual([]);
});
