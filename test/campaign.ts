import { appendFileSync } from 'node:fs';
import { test } from 'vitest';
import { DEEP_ONLY } from '../scripts/test-report.ts';

/** Whether this is `npm run test:deep`, `test:fault` or `test:real`, where all cases run, and more often. */
export const isCampaign = process.env.OUTLAST_TEST_CAMPAIGN !== undefined;

/** All in a campaign; in every other run each n-th, starting with the first. */
export function some<T>(all: readonly T[], n: number): readonly T[] {
  return isCampaign ? all : all.filter((_, i) => i % n === 0);
}

/** `many` in a campaign, `few` in every other run. */
export function times<Few, Many>(few: Few, many: Many): Few | Many {
  return isCampaign ? many : few;
}

/** Stands for a test that runs only in campaigns. Every other run lists it as skipped, with the reason in its name. */
export function leftForDeep(name: string): void {
  test(name + DEEP_ONLY, ({ skip }) => skip());
}

/** A test that runs only in campaigns. */
export function deepTest(name: string, run: () => void | Promise<void>, msMax?: number): void {
  if (isCampaign) test(name, run, msMax);
  else leftForDeep(name);
}

/** The cases of a test that runs only in campaigns: every other run has none, and lists the test as skipped. */
export function deepCases<T>(name: string, cases: readonly T[]): readonly T[] {
  if (!isCampaign) leftForDeep(name);
  return isCampaign ? cases : [];
}

/** Counts what a deep run tried, for docs/proof.md. Counts with the same name are added up. */
export function tried(what: string, count: number): void {
  keep({ what, count });
}

/** The figures that a campaign measured, for its log and for docs/proof.md. */
export function figures(id: string, values: Readonly<Record<string, number | string>>): void {
  if (isCampaign) process.stdout.write(`${JSON.stringify({ id, ...values })}\n`);
  keep({ id, values });
}

function keep(line: object): void {
  const path = process.env.OUTLAST_TEST_TRIED;
  if (path !== undefined) appendFileSync(path, `${JSON.stringify(line)}\n`);
}
