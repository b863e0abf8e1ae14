// Writes docs/proof.md: what the last deep run tried, and what it found.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { add, type Count, countOf, type FileResult, type Report } from './test-report.ts';

// biome-ignore format: one glance is better than a dozen lines
const FOLDERS = [
  'src', 'test/tidy', 'test/rules', 'test/sim', 'test/contract', 'test/integration', 'test/e2e', 'test/fault',
  'test/e2e-real',
];

/** Gives the path of the page. */
export function writeProof(root: string, report: Report, total: Count): string {
  const path = join(root, 'docs/proof.md');
  writeFileSync(path, page(root, report, total));
  return 'docs/proof.md';
}

function page(root: string, report: Report, total: Count): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  const [cpu] = cpus();
  const seconds = report.files.reduce((sum, { ms }) => sum + ms, 0) / 1_000;
  const failed = report.files.flatMap(({ path, failed, isBroken }) => [
    ...failed.map((name) => `- \`${path}\`: ${name}`),
    ...(isBroken ? [`- \`${path}\`: the file itself`] : []),
  ]);
  return `${[
    '# Proof',
    '',
    'What `npm run test:deep` found when it was last run. The run writes this page; nobody edits it.',
    '',
    '| | |',
    '| --- | --- |',
    `| commit | ${git('rev-parse', 'HEAD')}${isChanged ? ', with uncommitted changes' : ''} |`,
    `| date | ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC |`,
    `| machine | ${cpus().length} cores (${cpu?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()} ${arch()}, Node ${process.version} |`,
    `| tests | ${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped |`,
    `| time in tests | ${Math.round(seconds / 60)} min, all files added up |`,
    '',
    '## By folder',
    '',
    '| folder | files | passed | failed | skipped |',
    '| --- | --- | --- | --- | --- |',
    ...rows(report.files),
    '',
    '## Violations',
    '',
    ...(failed.length === 0 ? ['None.'] : failed),
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
