// The result of a test run, from vitest's JSON report.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

export interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Tests that only a deep run executes. */
  readonly deepOnly: number;
}

export const NOTHING: Count = { passed: 0, failed: 0, skipped: 0, deepOnly: 0 };

/** The suffix of a test that only a deep run executes; every other run lists it as skipped. */
export const DEEP_ONLY = ' (only in npm run test:deep)';

/** One file of tests. */
export interface FileResult {
  readonly path: string;
  readonly ms: number;
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  readonly skipped: readonly string[];
  /** It did not load, or something in it failed outside a test. */
  readonly isBroken: boolean;
}

export interface Report {
  readonly files: readonly FileResult[];
  /** Did vitest fail although no file of the report did? Then something outside of them is broken. */
  readonly isBroken: boolean;
}

/** The part of vitest's report that is used here. */
interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly status: string;
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

export function readReport(path: string, hasPassed: boolean): Report {
  if (!existsSync(path)) return { files: [], isBroken: true };
  const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as VitestReport;
  const files = testResults.map(({ name, startTime, endTime, status, assertionResults }): FileResult => {
    const named = (wanted: (status: string) => boolean): string[] =>
      assertionResults.filter((each) => wanted(each.status)).map(({ fullName }) => fullName);
    const failed = named((each) => each === 'failed');
    return {
      path: relative(process.cwd(), name),
      ms: endTime - startTime,
      passed: named((each) => each === 'passed'),
      failed,
      skipped: named((each) => each !== 'passed' && each !== 'failed'),
      isBroken: status === 'failed' && failed.length === 0,
    };
  });
  return { files, isBroken: !hasPassed && files.every((file) => !hasFailed(file)) };
}

export function add(counts: readonly Count[]): Count {
  return counts.reduce((sum, count) => ({
    passed: sum.passed + count.passed,
    failed: sum.failed + count.failed,
    skipped: sum.skipped + count.skipped,
    deepOnly: sum.deepOnly + count.deepOnly,
  }));
}

export function countOf({ files, isBroken }: Report): Count {
  const broken = { ...NOTHING, failed: isBroken ? 1 : 0 };
  const each = files.map((file) => {
    const deepOnly = file.skipped.filter((name) => name.endsWith(DEEP_ONLY)).length;
    return {
      passed: file.passed.length,
      failed: file.failed.length + (file.isBroken ? 1 : 0),
      skipped: file.skipped.length - deepOnly,
      deepOnly,
    };
  });
  return add([broken, ...each]);
}

export function failedFiles({ files }: Report): string[] {
  return files.filter(hasFailed).map(({ path }) => path);
}

/** The ten files that took longest, as lines. */
export function slowest({ files }: Report): string {
  const rows = files.toSorted((a, b) => b.ms - a.ms).slice(0, 10);
  return [
    'slowest files:',
    ...rows.map(({ path, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${path}`),
    '',
  ].join('\n');
}

/**
 * The first run, updated with the second run's results for the files that it repeated. Returns the tests that failed
 * only once.
 */
export function withSecondRun(first: Report, second: Report, say: (line: string) => void): Report {
  const again = new Map(second.files.map((file) => [file.path, file]));
  const once = first.files.filter(
    (file) => hasFailed(file) && again.get(file.path) && !hasFailed(again.get(file.path)),
  );
  for (const { path, failed } of once) say(`failed, then passed alone: ${path}: ${failed.join('; ') || 'the file'}`);
  return {
    files: first.files.map((file) => again.get(file.path) ?? file),
    isBroken: first.isBroken || second.isBroken,
  };
}

function hasFailed(file: FileResult | undefined): boolean {
  return file !== undefined && (file.failed.length > 0 || file.isBroken);
}
