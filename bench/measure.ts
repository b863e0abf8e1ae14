// Shared by all benches: time, percentiles, and one line per figure with its target beside it.
import { readFileSync } from 'node:fs';

export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly target: string;
  readonly met: boolean | null;
}

const figures: Figure[] = [];

/** Prints a figure and keeps it for the table at the end. */
export function report(name: string, value: string, target: string, met: boolean | null): void {
  figures.push({ name, value, target, met });
  const mark = met === null ? ' ' : met ? '+' : '-';
  process.stdout.write(`${mark} ${name.padEnd(58)} ${value.padEnd(34)} ${target}\n`);
}

/** A share of a count: with OUTLAST_BENCH_SHARE=0.05 a twentieth, to check that a bench works. */
export function share(count: number): number {
  return Math.max(1, Math.round(count * Number(process.env.OUTLAST_BENCH_SHARE ?? 1)));
}

/** Every figure so far. */
export function allFigures(): readonly Figure[] {
  return figures;
}

/** How many figures missed their target. */
export function missed(): number {
  return figures.filter(({ met }) => met === false).length;
}

export async function timeMs(work: () => unknown): Promise<number> {
  const from = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - from) / 1e6;
}

export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((p / 100) * sorted.length))] ?? Number.NaN;
}

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ms`;
export const times = (value: number): string => `${value.toFixed(2)}x`;
export const mb = (bytes: number): string => `${(bytes / 1024 ** 2).toFixed(0)} MB`;

/** CPU milliseconds a process has used so far. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
