// Every check and test, in one command, ending with one plain line: N passed, N failed.
//   npm test                     everything, at small counts; files that fail are run again alone, once
//   npm run test:deep            everything, at full counts, without a second chance; writes docs/proof.md
//   npm run test:deep -- --failed   the files that failed in the last deep run, again; the page says what failed first
//   npm run check                what needs no processes: format, lint, types, unit, tidy
//   npm run test:fault           the fault campaigns, at their full counts
//   npm run test:real            the tests with real agents, and nothing else
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, join } from 'node:path';
import { commitOf, type DeepRun, readTried, writeProof } from './proof.ts';
import {
  add,
  type Count,
  countOf,
  failedFiles,
  NOTHING,
  type Report,
  readReport,
  slowest,
  withSecondRun,
} from './test-report.ts';

const root = join(import.meta.dirname, '..');
// biome-ignore format: one glance is better than a dozen lines
const NEEDED = [
  'tmux', 'strace', 'fallocate', 'script', 'mount', 'zsh', 'fish', 'perl', 'man', 'mandoc', 'unshare', 'nsenter', 'setpriv',
  'systemd-analyze', 'systemd-notify', 'loginctl', 'dbus-monitor', 'notify-send', 'bwrap', 'chromium',
];
const report = join(root, '.cache/test-report.json');
const tried = join(root, '.cache/tried.jsonl');
const bin = (name: string): string => join(root, 'node_modules/.bin', name);
/** What the last deep run found, for `--failed`. */
const deepRun = join(root, '.cache/deep-run.json');
const deep = process.argv.includes('--deep');
const failedOnly = deep && process.argv.includes('--failed');
const campaign = process.argv.includes('--campaign');
const checkOnly = process.argv.includes('--only');
const realOnly = process.argv.includes('--real');
const testsOnly = campaign || realOnly;
/** More failing files than this are not an accident, and repeating them would only take long. */
const RUN_AGAIN_MAX = 6;

const MEMORY_FOLDER = '/dev/shm';
/** More than the tests of a whole run leave there at once. */
const MEMORY_BYTES_MIN = 4 * 1024 ** 3;

const checks = [
  ...(testsOnly ? [] : [command('format and lint', bin('biome'), ['check', '--error-on-warnings'])]),
  ...(testsOnly ? [] : [command('types', bin('tsc'), ['--noEmit'])]),
  ...(testsOnly ? [] : [command('types of the page', bin('tsc'), ['--noEmit', '-p', 'tsconfig.page.json'])]),
  missing(),
];
const began = performance.now();
const busy = busyShare();
const earlier = failedOnly ? earlierRun() : null;
const first = vitest('tests', earlier === null ? filters() : failedFiles(earlier.report));
process.stdout.write(`\n${slowest(first)}cores busy: ${busy()}\n`);
const tests = testsOf(first);
const total = add([...checks, countOf(tests)]);
if (deep) {
  const run = deepRunOf(first);
  writeFileSync(deepRun, JSON.stringify(run));
  process.stdout.write(`\nwritten: ${writeProof(root, run)}\n`);
}
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
const deepOnly = total.deepOnly > 0 ? `, ${total.deepOnly} more in npm run test:deep` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}${deepOnly}\n`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

/** The results that count: with those of an earlier run, or of a second one. */
function testsOf(report: Report): Report {
  if (earlier !== null) return withSecondRun(earlier.report, report, (line) => process.stdout.write(`${line}\n`));
  return deep || testsOnly ? report : runAgain(report);
}

function deepRunOf(report: Report): DeepRun {
  const wallMs = performance.now() - began;
  if (earlier === null) return { commit: commitOf(root), report, total, wallMs, tried: readTried(tried), again: [] };
  const names = earlier.report.files.flatMap(({ path, failed, isBroken }) =>
    [...failed, ...(isBroken ? ['the file itself'] : [])].map((name) => `\`${path}\`: ${name}`),
  );
  const again = { commit: commitOf(root), wallMs, failed: names, files: failedFiles(earlier.report).length };
  return { ...earlier, report: tests, total, again: [...earlier.again, again] };
}

function earlierRun(): DeepRun {
  if (existsSync(deepRun)) return JSON.parse(readFileSync(deepRun, 'utf8')) as DeepRun;
  process.stdout.write('there is no earlier deep run: run `npm run test:deep` first\n');
  process.exit(1);
}

function filters(): string[] {
  if (campaign) return ['test/fault', 'test/sim', 'test/rules'];
  if (realOnly) return ['test/e2e-real'];
  return checkOnly ? ['src', 'test/tidy'] : [];
}

function command(name: string, program: string, args: string[]): Count {
  process.stdout.write(`\n# ${name}\n`);
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: environment() });
  return status === 0 ? { ...NOTHING, passed: 1 } : { ...NOTHING, failed: 1 };
}

/** What the tests need and this machine lacks. In CI that is a failure, never a silent skip. */
function missing(): Count {
  const needed = NEEDED.filter((name) => !has(name));
  if (needed.length === 0) return { ...NOTHING, passed: 1 };
  process.stdout.write(`\nmissing on this machine: ${needed.join(', ')}\n`);
  return process.env.CI === 'true' ? { ...NOTHING, failed: needed.length } : { ...NOTHING, skipped: needed.length };
}

function has(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function vitest(title: string, filters: string[], flags: string[] = []): Report {
  process.stdout.write(`\n# ${title}\n`);
  mkdirSync(join(root, '.cache'), { recursive: true });
  for (const file of [report, tried]) rmSync(file, { force: true });
  const deepEnv = (deep || testsOnly) && { OUTLAST_TEST_CAMPAIGN: '1', OUTLAST_TEST_TRIED: tried };
  const env = { ...environment(), ...(deepEnv || inMemory()) };
  const run = spawnSync(bin('vitest'), ['run', ...flags, ...filters], { cwd: root, stdio: 'inherit', env });
  return readReport(report, run.status === 0);
}

/**
 * The state folders of quick runs are in memory: on a disk, every sync of hundreds of daemons makes the others wait. A
 * killed process loses nothing there either; deep runs use the disk.
 */
function inMemory(): { TMPDIR?: string } {
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize > MEMORY_BYTES_MIN ? { TMPDIR: MEMORY_FOLDER } : {};
  } catch {
    return {};
  }
}

/**
 * Repeats the files that failed, one at a time. Hundreds of real processes share two cores here, so one test in
 * thousands may starve; a real fault fails again. What failed first is printed at the end, because it may be a race.
 */
function runAgain(first: Report): Report {
  const files = failedFiles(first);
  if (files.length === 0 || files.length > RUN_AGAIN_MAX) return first;
  const second = vitest('failed files, run again alone', files, ['--maxWorkers=1']);
  return withSecondRun(first, second, (line) => process.stdout.write(`${line}\n`));
}

/** Returns the share of all cores that was used since, as a percentage. */
function busyShare(): () => string {
  const look = (): { idle: number; all: number } => {
    const times = cpus().map(({ times }) => times);
    const idle = times.reduce((sum, each) => sum + each.idle, 0);
    return { idle, all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) };
  };
  const before = look();
  return () => {
    const after = look();
    return `${Math.round(100 - (100 * (after.idle - before.idle)) / Math.max(1, after.all - before.all))} %`;
  };
}

/** No test may reach a paid service or a person's sessions: everything that looks like a key or is ours is left out. */
function environment(): NodeJS.ProcessEnv {
  const secret = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)|^(ANTHROPIC|OPENAI|CLAUDE|GEMINI|OUTLAST|AWS|GOOGLE)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !secret.test(name)));
}
