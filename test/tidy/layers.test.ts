import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROUTES } from '../../src/api/routes.ts';
import { filesBelow, sources } from './tree.ts';

const CLI_BASE = [
  ...['base/errors', 'base/system-errors', 'base/clock', 'base/shell-word', 'base/controls'],
  ...['base/grapheme-width', 'base/closest'],
];

const PAGE_BASE = [
  'base/errors',
  'base/clock',
  'base/controls',
  'base/grapheme-width',
  'base/diff',
  'page/live/live',
  'page/live/types',
];

/** What each folder may import besides its own files. A name with a slash allows one file. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  base: [],
  core: ['base/assert', 'base/ids'],
  journal: ['base', 'core'],
  terminal: ['base', 'core'],
  agent: ['base', 'core'],
  supervisor: ['base', 'core', 'journal', 'terminal', 'agent'],
  api: ['core', 'base/errors'],
  client: ['base', 'api', 'core'],
  present: ['api', 'base/controls'],
  compat: ['api', 'core', 'base/errors'],
  cli: ['client', 'api', 'present', 'compat', ...CLI_BASE],
  mcp: ['client', 'api', 'present', 'compat', 'base/errors', 'base/system-errors', 'base/clock'],
  acp: ['client', 'api', 'present', 'core/rules/action', 'base/errors', 'base/clock'],
  web: [
    'client',
    'api',
    'base/errors',
    'base/clock',
    'base/files',
    'base/limits',
    'base/log',
    'base/others',
    'base/signals',
    'base/system-errors',
  ],
  page: ['api', 'client/browser', 'client/client', 'present', ...PAGE_BASE],
  'page/live': ['api', 'client', 'base/errors', 'base/clock'],
  daemon: ['base', 'core', 'journal', 'terminal', 'agent', 'supervisor', 'api', 'present', 'compat'],
  testing: ['base', 'core', 'journal', 'terminal', 'agent', 'api'],
  // Separate programs, in the folder of the adapter that they belong to.
  'agent/claude/stand-in': ['base'],
  'agent/claude/permission-server': [],
  'agent/echo/program': ['base', 'core', 'agent/echo/protocol'],
};

/** Programs below src/agent: they may do I/O, the adapters may not. */
const PROGRAMS = ['agent/claude/stand-in', 'agent/claude/permission-server', 'agent/echo/program'];
/** Other folders below a layer with their own row. */
const PARTS = ['page/live'];
const PURE = /^src\/(?:core|agent(?!\/(?:claude\/(?:stand-in|permission-server)|echo\/program)\/))\//;
const BROWSER_SAFE = /^src\/(api|present|page)\//;

interface Import {
  readonly line: number;
  readonly from: string;
  readonly isType: boolean;
  /** A dynamic import. */
  readonly isLazy: boolean;
}

function importsOf(text: string): Import[] {
  return text.split('\n').flatMap((line, i) => {
    const match =
      /^(?:import|export)\b.*\bfrom '([^']+)'|^import '([^']+)'|^} from '([^']+)'|\bimport\('([^']+)'\)/.exec(line);
    const from = match?.slice(1).find(Boolean);
    return from === undefined
      ? []
      : [{ line: i + 1, from, isType: /^(?:import|export) type/.test(line), isLazy: match?.[4] !== undefined }];
  });
}

function folderOf(path: string): string {
  const program = [...PROGRAMS, ...PARTS].find((folder) => path.startsWith(`src/${folder}/`));
  return program ?? path.split('/')[1] ?? '';
}

test('imports follow the layers', () => {
  const wrong = sources().flatMap(({ path, text }) =>
    importsOf(text)
      .filter(({ from }) => from.startsWith('.'))
      .flatMap(({ from, line }) => {
        const target = join(dirname(path), from).replace(/\.ts$/, '');
        const [here, there] = [folderOf(path), folderOf(target)];
        const allowed = MAY_IMPORT[here] ?? [];
        const inside = target.replace(/^src\//, '');
        const fine = here === there || allowed.includes(there) || allowed.includes(inside);
        return fine ? [] : [`${here} may not import ${inside} (${path}:${line})`];
      }),
  );
  expect(wrong).toEqual([]);
});

test('every folder of src has a layer', () => {
  const folders = new Set(filesBelow('src', '.ts', '.tsx').map(({ path }) => folderOf(path)));
  expect([...folders].sort()).toEqual(Object.keys(MAY_IMPORT).sort());
});

test('the core and the adapters do no I/O, and the contract runs in a browser', () => {
  const wrong = sources().flatMap(({ path, text }) =>
    importsOf(text)
      .filter(({ from, isType }) => !isType && from.startsWith('node:') && (PURE.test(path) || BROWSER_SAFE.test(path)))
      .map(({ from, line }) => `${path}:${line} imports ${from}`),
  );
  expect(wrong).toEqual([]);
});

test('the core uses no clock and no random numbers', () => {
  const wrong = sources().filter(
    ({ path, text }) => /^src\/core\//.test(path) && /Date\.now|new Date|Math\.random|setTimeout/.test(text),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('the core does not interpret exit statuses: terminals name signals, adapters judge exits', () => {
  const wrong = sources().filter(
    ({ path, text }) => /^src\/core\//.test(path) && /exit\.status|\b1(?:29|37|43)\b/.test(text),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('only src/base/clock.ts reads the clock', () => {
  const wrong = sources().filter(
    ({ path, text }) =>
      path !== 'src/base/clock.ts' && /Date\.now\(|\bsetTimeout\(|\bsetInterval\(|performance\.now/.test(text),
  );
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('the name of a session is chosen in one place, and its outcome is worded in one', () => {
  const naming = ['src/core/name.ts', 'src/present/state.ts'];
  const named = sources().filter(
    ({ path, text }) => !naming.includes(path) && /\bname \?\? (?:\w+\??\.)*(?:id|session)\b(?! \?\?)/.test(text),
  );
  // There it names a branch.
  expect(named.map(({ path }) => path)).toEqual(['src/daemon/worktrees/worktrees.ts']);
  const worded = sources().filter(({ text }) => /'silent for too long'|\(or exit \$/.test(text));
  expect(worded.map(({ path }) => path)).toEqual(['src/present/outcome.ts']);
});

test('only the config and the command line read the environment', () => {
  const AGENTS = ['src/agent/claude/stand-in/main.ts', 'src/agent/echo/program/main.ts'];
  const MAINS = ['src/daemon/machine/entry.ts', ...AGENTS];
  const ours = /^src\/(daemon\/config\/config\.ts|cli\/|client\/(connect|state|start-daemon)\.ts|testing\/)/;
  const isAllowed = (path: string): boolean => ours.test(path) || MAINS.includes(path);
  const wrong = sources().filter(({ path, text }) => !isAllowed(path) && /process\.env\b/.test(text));
  expect(wrong.map(({ path }) => path)).toEqual([]);
});

test('the command line and the SDK load no schemas', () => {
  const wrong = sources().flatMap(({ path, text }) =>
    /^src\/(cli|client)\//.test(path)
      ? importsOf(text)
          .filter(({ from, isType }) => !isType && /zod|api\/(contract|shapes)/.test(from))
          .map(({ from, line }) => `${path}:${line} loads ${from}`)
      : [],
  );
  expect(wrong).toEqual([]);
});

test('there are no import cycles', () => {
  const graph = new Map(
    sources().map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(({ from, isType, isLazy }) => from.startsWith('.') && !isType && !isLazy)
        .map(({ from }) => join(dirname(path), from)),
    ]),
  );
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push([...trail.slice(trail.indexOf(path)), path].join(' > '));
      return;
    }
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    graph.set(path, []);
  };
  for (const path of [...graph.keys()]) visit(path, []);
  expect(cycles).toEqual([]);
});

test('a look imports no code that writes to the journal, ingests reports or acts', () => {
  const texts = new Map(sources().map(({ path, text }) => [path, text]));
  const reached = new Set(['src/supervisor/look.ts']);
  for (const path of reached) {
    for (const { from, isType } of importsOf(texts.get(path) ?? ''))
      if (from.startsWith('.') && !isType) reached.add(join(dirname(path), from));
  }
  const writers =
    /^src\/(?:journal\/|supervisor\/(?:session-writer|ingest|spool|questions|answers|act|supervisor)\.ts)/;
  expect([...reached].filter((path) => writers.test(path))).toEqual([]);
  expect(reached).toContain('src/supervisor/look-screen.ts');
});

test('src/daemon/calls has one file for each operation, and nothing else', () => {
  const files = sources().flatMap(({ path }) => /^src\/daemon\/calls\/(.+)\.ts$/.exec(path)?.[1] ?? []);
  const operations = Object.keys(ROUTES).map((name) => name.replace('.', '-'));
  expect(files.sort()).toEqual(operations.sort());
});

test('no two folders import each other', () => {
  const edges = new Set(
    sources().flatMap(({ path, text }) =>
      importsOf(text)
        .filter(({ from }) => from.startsWith('.'))
        .map(({ from }) => `${dirname(path)} ${dirname(join(dirname(path), from))}`),
    ),
  );
  const mutual = [...edges].filter((edge) => {
    const [here = '', there = ''] = edge.split(' ');
    return here < there && edges.has(`${there} ${here}`);
  });
  expect(mutual).toEqual([]);
});
