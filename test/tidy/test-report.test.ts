import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { countOf, failedFiles, type Report, readReport, withSecondRun } from '../../scripts/test-report.ts';

const folder = mkdtempSync(join(tmpdir(), 'outlast-report-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A report about files, each with the statuses of its tests; `null`: the file did not load. */
function report(files: Readonly<Record<string, readonly string[] | null>>, hasPassed: boolean): Report {
  const path = join(folder, 'report.json');
  const testResults = Object.entries(files).map(([name, statuses]) => ({
    name: join(process.cwd(), name),
    startTime: 0,
    endTime: 1,
    status: statuses === null || statuses.includes('failed') ? 'failed' : 'passed',
    assertionResults: (statuses ?? []).map((status, i) => ({ status, fullName: `test ${i}` })),
  }));
  writeFileSync(path, JSON.stringify({ testResults }));
  return readReport(path, hasPassed);
}

test('a file that does not load has failed', () => {
  const read = report({ a: ['passed'], b: null }, false);
  expect([countOf(read), failedFiles(read)]).toEqual([{ passed: 1, failed: 1, skipped: 0, deepOnly: 0 }, ['b']]);
});

test('without a report, or with a failure outside all files, the run has failed', () => {
  expect(countOf(readReport(join(folder, 'missing'), true)).failed).toBe(1);
  expect(countOf(report({ a: ['passed'] }, false)).failed).toBe(1);
});

test('a test that fails again has failed, and one that passes alone is named', () => {
  const first = report({ a: ['passed', 'failed'], b: ['failed', 'skipped'], c: ['passed'] }, false);
  const second = report({ a: ['passed', 'passed'], b: ['failed', 'skipped'] }, false);
  const lines: string[] = [];
  const both = withSecondRun(first, second, (line) => lines.push(line));
  expect(countOf(both)).toEqual({ passed: 3, failed: 1, skipped: 1, deepOnly: 0 });
  expect(lines).toEqual(['failed, then passed alone: a: test 1']);
});

test('a second run that did not finish does not count', () => {
  const first = report({ a: ['failed'] }, false);
  expect(countOf(withSecondRun(first, { files: [], isBroken: true }, () => {})).failed).toBe(2);
});
