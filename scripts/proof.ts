// Writes docs/proof.md: what the last deep run tried, and its results.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { add, type Count, countOf, type FileResult, type Report } from './test-report.ts';

// biome-ignore format: one glance is better than a dozen lines
const FOLDERS = [
  'src', 'test/tidy', 'test/rules', 'test/sim', 'test/contract', 'test/integration', 'test/e2e', 'test/fault',
  'test/e2e-real',
];

/** A line that a test of a deep run writes: a count, or a result about one thing. */
export type Tried =
  | { readonly what: string; readonly count: number }
  | { readonly id: string; readonly values: Readonly<Record<string, number | string>> };

export interface DeepRun {
  readonly commit: string;
  readonly report: Report;
  readonly total: Count;
  readonly wallMs: number;
  readonly tried: readonly Tried[];
  /** Files that failed and were run again, on another commit, with what had failed in them. */
  readonly again: readonly Again[];
}

interface Again {
  readonly commit: string;
  readonly wallMs: number;
  readonly files: number;
  readonly failed: readonly string[];
}

/** Reads the lines that the tests wrote. */
export function readTried(path: string): Tried[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Tried);
}

/** Returns the path of the page. */
export function writeProof(root: string, run: DeepRun): string {
  const path = join(root, 'docs/proof.md');
  writeFileSync(path, proofPage(run, machine()));
  return 'docs/proof.md';
}

/** The commit that is tested. */
export function commitOf(root: string): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  // The page itself is written by the run.
  const isChanged = git('status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs/proof.md') !== '';
  return `${git('rev-parse', 'HEAD')}${isChanged ? ', with uncommitted changes' : ''}`;
}

/** The rows that say when and where the tests ran. */
function machine(): string[] {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return [
    `| date | ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC |`,
    `| machine | ${cpus().length} cores (${cpu?.model.trim()}), ${memory} GiB, ${type()} ${release()} ${arch()}, Node ${process.version} |`,
  ];
}

export function proofPage(run: DeepRun, where: readonly string[]): string {
  const { commit, report, total, wallMs, tried, again } = run;
  const seconds = report.files.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
  const failed = report.files.flatMap(({ path, failed, isBroken }) => [
    ...failed.map((name) => `- \`${path}\`: ${name}`),
    ...(isBroken ? [`- \`${path}\`: the file itself`] : []),
  ]);
  return `${[
    '# Proof',
    '',
    'What `npm run test:deep` found when it was last run. The run writes this page; do not edit it. Which test proves which',
    'promise is in [promises.md](promises.md).',
    '',
    '| | |',
    '| --- | --- |',
    `| commit | ${commit} |`,
    ...where,
    `| tests | ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped |`,
    `| wall time | ${Math.round(wallMs / 60_000)} min |`,
    `| time in tests | ${Math.round(seconds / 60)} min, all files added up |`,
    ...again.map(({ commit: on, files, failed: names, wallMs: ms }) => {
      const what = `${files} files with ${names.length} failures`;
      return `| run again | ${what}, on commit ${on}: ${Math.round(ms / 60_000)} min |`;
    }),
    '',
    '## By folder',
    '',
    '| folder | files | passed | failed | skipped |',
    '| --- | --- | --- | --- | --- |',
    ...rows(report.files),
    '',
    ...triedSections(tried),
    '## Violations',
    '',
    ...(failed.length === 0 ? ['None.'] : failed),
    ...again.flatMap(({ commit: on, failed: names }) => [
      '',
      `## Failed before commit ${on.slice(0, 8)}`,
      '',
      'Their files were run again, and the results above are of that run.',
      '',
      ...names.map((name) => `- ${name}`),
    ]),
  ].join('\n')}\n`;
}

function rows(files: readonly FileResult[]): string[] {
  return FOLDERS.flatMap((folder) => {
    const here = files.filter(({ path }) => path.startsWith(`${folder}/`));
    if (here.length === 0) return [];
    const { passed, failed, skipped } = add(here.map((file) => countOf({ files: [file], isBroken: false })));
    return [`| \`${folder}\` | ${here.length} | ${passed} | ${failed} | ${skipped} |`];
  });
}

/** The counts, then the results of each campaign, in the order of their names. */
function triedSections(tried: readonly Tried[]): string[] {
  const sums = new Map<string, number>();
  const found: string[] = [];
  for (const line of tried) {
    if ('what' in line) sums.set(line.what, (sums.get(line.what) ?? 0) + line.count);
    else {
      const values = Object.entries(line.values).map(([name, value]) => `${name} ${shown(value)}`);
      found.push(`| ${line.id} | ${values.join(', ')} |`);
    }
  }
  const counted = [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([what, n]) => `| ${what} | ${shown(n)} |`);
  return [
    ...section('What was tried', '| what | count |', counted),
    ...section('Campaigns', '| id | figures |', found.sort()),
  ];
}

function section(title: string, head: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', head, '| --- | --- |', ...lines, ''];
}

function shown(value: number | string): string {
  return typeof value === 'string' ? value : (Math.round(value * 10) / 10).toLocaleString('en-US');
}
