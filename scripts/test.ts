// Every check and test, in one command, ending with one plain line: N passed, N failed.
//   npm test                     everything
//   npm run check                what needs no processes: format, lint, types, unit, tidy
//   npm run test:fault           the fault campaigns, at their full counts
//   npm run test:real            the tests with real agents, and nothing else
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

const root = join(import.meta.dirname, '..');
// biome-ignore format: one glance is better than a dozen lines
const NEEDED = [
  'tmux', 'strace', 'fallocate', 'script', 'mount', 'zsh', 'fish', 'perl', 'unshare', 'nsenter', 'setpriv',
  'systemd-analyze', 'systemd-notify', 'loginctl', 'dbus-monitor',
];
const report = join(root, '.cache/test-report.json');
const bin = (name: string): string => join(root, 'node_modules/.bin', name);
const campaign = process.argv.includes('--campaign');
const checkOnly = process.argv.includes('--only');
const realOnly = process.argv.includes('--real');
const testsOnly = campaign || realOnly;

const counts = [
  ...(testsOnly ? [] : [command('format and lint', bin('biome'), ['check', '--error-on-warnings'])]),
  ...(testsOnly ? [] : [command('types', bin('tsc'), ['--noEmit'])]),
  missing(),
  vitest(filters()),
];
const total = counts.reduce((sum, count) => ({
  passed: sum.passed + count.passed,
  failed: sum.failed + count.failed,
  skipped: sum.skipped + count.skipped,
}));
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0);

function filters(): string[] {
  if (campaign) return ['test/fault', 'test/sim', 'test/rules'];
  if (realOnly) return ['test/e2e-real'];
  return checkOnly ? ['src', 'test/tidy'] : [];
}

function command(name: string, program: string, args: string[]): Count {
  process.stdout.write(`\n# ${name}\n`);
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', env: environment() });
  return status === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/** What the tests need and this machine lacks. In CI that is a failure, never a silent skip. */
function missing(): Count {
  const needed = NEEDED.filter((name) => !has(name));
  if (needed.length === 0) return { passed: 1, failed: 0, skipped: 0 };
  process.stdout.write(`\nmissing on this machine: ${needed.join(', ')}\n`);
  return process.env.CI === 'true'
    ? { passed: 0, failed: needed.length, skipped: 0 }
    : { passed: 0, failed: 0, skipped: needed.length };
}

function has(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function vitest(filters: string[]): Count {
  process.stdout.write('\n# tests\n');
  mkdirSync(join(root, '.cache'), { recursive: true });
  rmSync(report, { force: true });
  const env = { ...environment(), ...(testsOnly && { OUTLAST_TEST_CAMPAIGN: '1' }) };
  const run = spawnSync(bin('vitest'), ['run', ...filters], { cwd: root, stdio: 'inherit', env });
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'));
  // A file that does not load has no tests to fail.
  const failed = Math.max(numFailedTests, run.status === 0 ? 0 : 1);
  return { passed: numPassedTests, failed, skipped: numPendingTests };
}

/** No test may reach a paid service or somebody's sessions: everything that looks like a key or is ours is left out. */
function environment(): NodeJS.ProcessEnv {
  const secret = /(KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL)|^(ANTHROPIC|OPENAI|CLAUDE|GEMINI|OUTLAST|AWS|GOOGLE)/i;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !secret.test(name)));
}
