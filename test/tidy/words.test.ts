import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filesBelow, ROOT, sources } from './tree.ts';

/** Words that we do not use for our things. docs/glossary.md has the right ones. */
const WRONG =
  'task worker job attempt incarnation shim provider orchestrator controller brain observation consent'.split(' ');

/** Names that others chose. */
const EXCUSED = [
  /AbortController/g,
  /jetbrains/gi,
  /cgroup\.controllers/g,
  /maxWorkers|--max-workers/g,
  /worker-src|service[ -]?worker/gi,
  /worker_threads|\bWorker\b|workerData/g,
  /no job control/g,
  // Of OpenTelemetry and Prometheus.
  /gen_ai\.provider\.name|MeterProvider/g,
  /\bjob(?:_name: |=")outlast/g,
  /TasksMax/g,
];
const EXEMPT = new RegExp(
  [
    '^docs/glossary\\.md',
    '^docs/guides/(migrate[\\w-]*|session-folder)\\.md',
    '^test/tidy/words\\.test\\.ts',
    '^test/sim/mutations\\.ts',
    '^src/agent/',
    '^src/testing/agents/',
    '^src/compat/',
    '^src/core/rules/grammar\\.ts',
  ].join('|'),
);

function wrongWords(text: string): string[] {
  const bare = EXCUSED.reduce((rest, excuse) => rest.replace(excuse, ''), text);
  const words = bare
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[a-z]+/g);
  return WRONG.filter((wrong) => words?.some((word) => word === wrong || word === `${wrong}s`));
}

test('one word for each thing', () => {
  const all = [
    ...filesBelow('src', '.ts', '.sh', '.conf'),
    ...filesBelow('docs', '.md'),
    ...filesBelow('scripts', '.ts', '.mjs'),
  ];
  const top = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map((path) => ({
    path,
    text: readFileSync(join(ROOT, path), 'utf8'),
  }));
  const found = [...all, ...top]
    .filter(({ path }) => !EXEMPT.test(path))
    .flatMap(({ path, text }) => wrongWords(text).map((word) => `${path}: ${word}`));
  expect(found).toEqual([]);
});

test('no name is as generic as Manager or Helper', () => {
  const empty = /\b(?:class|interface|function|type|const)\s+\w*(?:Manager|Helper|Util|Utils|Service|Impl)\b/;
  const found = sources().filter(({ text }) => empty.test(text));
  expect(found.map(({ path }) => path)).toEqual([]);
});

test('there are no TODOs, skipped tests or focused tests', () => {
  const found = [...filesBelow('src', '.ts', '.sh'), ...filesBelow('test', '.ts')].filter(
    ({ path, text }) =>
      !path.startsWith('test/tidy') && /FIXME|TODO(?! #\d)|XXX|test\.skip|test\.only|describe\.only/.test(text),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
});

test('tests wait for what they expect; they never sleep', () => {
  const found = [...filesBelow('test', '.ts'), ...filesBelow('src', '.test.ts')].flatMap(({ path, text }) =>
    /^test\/(eventually|tidy)/.test(path) || !/\.test\.ts$/.test(path)
      ? []
      : /setTimeout\(|timers\/promises|await .*\bsleep\(/.test(text)
        ? [path]
        : [],
  );
  expect(found).toEqual([]);
});

test('no file contains a path of one machine or a registry host', () => {
  const all = ['src', 'test', 'scripts', 'docs', 'bench'].flatMap((folder) =>
    filesBelow(folder, '.ts', '.md', '.sh', '.mjs', '.json'),
  );
  const found = all.filter(
    ({ path, text }) => path !== 'test/tidy/words.test.ts' && /(^|[^\w./-])\/(work|farm)\/|registry\.npmjs/.test(text),
  );
  expect(found.map(({ path }) => path)).toEqual([]);
});

test('a doc comment can be read alone: none starts with "The same"', () => {
  const found = sources().flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, i) => (/\/\*\* The same\b/.test(line) ? [`${path}:${i + 1}`] : [])),
  );
  expect(found).toEqual([]);
});

/** Retired names and phrases, by what replaces them: words of docs/glossary.md, or plain English. */
const RETIRED: Readonly<Record<string, RegExp>> = {
  'Snapshot, TranscriptReader, CallerProcess, SessionWriter': /\b(?:Sight|Eyes|Surroundings|Book|Talk)\b/,
  'HookReport, hookSignals, ChildUpdate': /\b(?:HookNews|newsFolder|Waked|UNWAKED)\b/,
  'GateBypassDetector, hook probe, gate probe, permission server': /\b(?:Detective|canary|tryGate|TrialCall|asker)\b/,
  'remediation, suspendedPhase, startFresh, needsResume': /\b(?:Mend|UNMENDED|anew)\b/,
  'isDeferred, isHeldOrLimited': /\bisParked\b/,
  'received, reported, delivered, staged': /\b(?:spoke|laid out|taken along)\b/,
  'say who': /\b[Ww]hoever\b/,
  'plain English': /\b(?:so much|for so long|in so many words|gets? on with|comes? to something|inside of the)\b/,
};

/** Files that quote retired names: core/stored-body.ts reads the stored names of 0.1. */
const QUOTES = /^src\/core\/stored-body\.ts$|\.test\.ts$/;

test('no source uses a retired word', () => {
  const found = filesBelow('src', '.ts', '.sh').flatMap(({ path, text }) =>
    QUOTES.test(path)
      ? []
      : Object.entries(RETIRED).flatMap(([instead, words]) =>
          text.split('\n').flatMap((line, i) => (words.test(line) ? [`${path}:${i + 1}: say ${instead}`] : [])),
        ),
  );
  expect(found).toEqual([]);
});
