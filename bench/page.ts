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
  const about = aboutText(run);
  const rows = figures.map((figure) => {
    const { name, target } = figure;
    const kept = old.rows.get(name) ?? { baseline: '', latest: '' };
    const marked = markedText(figure);
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
    ...rows.map(rowText),
    '',
  ].join('\n');
}

/** The page after a run of some parts: it has their latest figures, and says which parts those are. */
export function pageAfterSome(before: string, figures: readonly Figure[], run: Run, parts: readonly string[]): string {
  const start = `- Latest of ${parts.join(', ')}: `;
  const kept = before.split('\n').filter((line) => !line.startsWith(start));
  const about = kept.findLastIndex((line) => line.startsWith('- Latest'));
  kept.splice(about + 1, 0, `${start}${aboutText(run)}`);
  return figures.reduce(withLatest, kept).join('\n');
}

/** Replaces the latest value of a row, or adds the row at the end. */
function withLatest(lines: readonly string[], figure: Figure): string[] {
  const at = lines.findIndex((line) => line.startsWith(`| ${figure.name} |`));
  const baseline = lines[at]?.split('|')[2]?.trim() ?? '';
  const row = rowText([figure.name, baseline, markedText(figure), figure.target]);
  if (at >= 0) return lines.toSpliced(at, 1, row);
  return lines.toSpliced(lines.findLastIndex((line) => line.startsWith('| ')) + 1, 0, row);
}

const rowText = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '/').trim()).join(' | ')} |`;

const markedText = ({ value, met }: Figure): string => (met === false ? `${value} (missed)` : value);

const aboutText = ({ commit, date, machine }: Run): string => `${commit}, ${date}, ${machine}`;

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
