// The page of figures: the baseline run, the latest run, and their machines.
import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem, type } from 'node:os';
import type { Figure } from './measure.ts';

/** Where and when a run was. */
export interface Run {
  readonly commit: string;
  readonly date: string;
  readonly machine: string;
}

const NO_RUN = 'none yet';

/**
 * The page after one more full run. With `isBaseline` it becomes the baseline of later ones, else the latest; the other
 * column is kept. Figures that this run does not have any more are left out.
 */
export function pageAfter(before: string, figures: readonly Figure[], run: Run, isBaseline: boolean): string {
  const old = readPage(before);
  const about = `${run.commit}, ${run.date}, ${run.machine}`;
  const rows = figures.map(({ name, value, target, met }) => {
    const kept = old.rows.get(name) ?? { baseline: '', latest: '' };
    const marked = met === false ? `${value} (missed)` : value;
    return [name, isBaseline ? marked : kept.baseline, isBaseline ? kept.latest : marked, target];
  });
  return [
    '# Performance',
    '',
    'Written by `npm run bench`, which measures everything; with `--baseline` it writes the baseline column.',
    'Figures of different machines cannot be compared. Nothing here is asserted: a busy machine is not a bug.',
    '',
    `- Baseline: ${isBaseline ? about : old.baseline}`,
    `- Latest: ${isBaseline ? old.latest : about}`,
    '',
    '| figure | baseline | latest | target |',
    '| --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '/').trim()).join(' | ')} |`),
    '',
  ].join('\n');
}

/** This machine and this commit, now. */
export function thisRun(root: string): Run {
  const git = (...words: string[]): string => execFileSync('git', ['-C', root, ...words], { encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--untracked-files=no') === '' ? '' : ' with changes';
  const [cpu] = cpus();
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  return {
    commit: `${git('rev-parse', '--short', 'HEAD')}${changed}`,
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${memory}, ${type()} ${release()}, Node ${process.versions.node}`,
  };
}

interface Page {
  readonly baseline: string;
  readonly latest: string;
  readonly rows: ReadonlyMap<string, { readonly baseline: string; readonly latest: string }>;
}

function readPage(text: string): Page {
  const lines = text.split('\n');
  const after = (start: string): string => lines.find((line) => line.startsWith(start))?.slice(start.length) ?? NO_RUN;
  const rows = lines
    .filter((line) => line.startsWith('| '))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name = '', baseline = '', latest = '']) => [name, { baseline, latest }] as const);
  return { baseline: after('- Baseline: '), latest: after('- Latest: '), rows: new Map(rows) };
}
