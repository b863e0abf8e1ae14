// The scan for interrupted conversations: ten thousand transcripts with real tails, and the time to the first resume.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from '../test/agents/under-test/claude-home.ts';
import { keep } from '../test/boot-files.ts';
import { eventually } from '../test/eventually.ts';
import { machine } from '../test/fault/machine.ts';
import { makeWorld, World } from '../test/world.ts';
import { cpuMs, mb, ms, report, timeMs, times } from './measure.ts';

const MANY = 10_000;
const LARGE = 50;
const LARGE_BYTES = 120 * 1024 ** 2;
/** What Claude Code 2.1.325 writes after an answer is mostly one line of this size. */
const SNAPSHOT_BYTES = 106_000;
const STATES = ['done', 'called', 'done', 'asked', 'done', 'thanks', 'done', 'limited', 'noisy', 'done'] as const;

/** Ten thousand transcripts, the cost of large ones, and the time to the first resume. */
export async function boot(): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'outlast-bench-'));
  try {
    await scanned(root);
    await resumed(join(root, 'again'));
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
}

async function scanned(root: string): Promise<void> {
  await using world = await makeWorld({ config: { boot: { agents: ['scripted'] } } });
  const config = join(root, 'config');
  const env = environment(root, null);
  const { pid } = await world.client.daemonStatus();
  const look = () => world.client.call('boot.run', { dryRun: true, env });
  const line = { type: 'prompt_snapshot', systemPrompt: ['x'.repeat(SNAPSHOT_BYTES)] };
  const record = { parentUuid: null, isSidechain: false, attachment: line, type: 'attachment' };
  const snapshot = `${JSON.stringify(record)}\n`;
  const write = (count: number, holeBytes: number): string[] =>
    Array.from({ length: count }, (_, i) => {
      const cwd = join(root, `project-${i % 100}`);
      return keep(STATES[i % STATES.length] ?? 'done', { config, cwd, holeBytes, after: snapshot }).path;
    });
  const large = write(LARGE, LARGE_BYTES);
  write(MANY - LARGE, 0);
  const before = memoryOf(pid, 'VmRSS');
  const usedMs = cpuMs(pid);
  const { tookMs, counts } = await look();
  const workMs = cpuMs(pid) - usedMs;
  const peak = memoryOf(pid, 'VmHWM');
  const all = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const took = `${ms(tookMs)} (${ms(workMs)} of processor)`;
  report(`${all} transcripts looked at and judged`, took, '<= 1000 ms', tookMs <= 1_000);
  const grown = peak - before;
  report('memory for it', `${mb(grown)} (of ${mb(peak)} at most)`, '<= 100 MB', grown <= 100 * 1024 ** 2);
  const withLarge = await workOf(look, pid);
  for (const path of large) truncateSync(path, 1);
  const ratio = withLarge / (await workOf(look, pid));
  report(`with ${LARGE} of ${mb(LARGE_BYTES)} / with ${LARGE} of 1 byte`, times(ratio), 'about 1x', ratio < 1.2);
}

/** CPU time of the better of two scans: the machine is shared. */
async function workOf(look: () => Promise<unknown>, pid: number): Promise<number> {
  const worked: number[] = [];
  for (const _ of [1, 2]) {
    const before = cpuMs(pid);
    await look();
    worked.push(cpuMs(pid) - before);
  }
  return Math.min(...worked);
}

async function resumed(root: string): Promise<void> {
  for (const name of ['', 'workspace', 'home', 'config']) mkdirSync(join(root, name));
  const config = { boot: { foreign: 'auto', agents: ['scripted'], delayMs: 0 } };
  const on = (wrap: readonly string[]): World => {
    const world = new World({ state: join(root, 'state'), config, wrap });
    Object.assign(world.env, environment(root, null));
    return world;
  };
  writeFileSync(join(root, 'none'), '');
  const before = on([]);
  await before.start();
  await before.kill();
  before.client.close();
  for (let i = 0; i < 20; i += 1) keep('asked', { config: join(root, 'config'), cwd: join(root, 'workspace') });
  await using after = on(machine(root, join(root, 'none')));
  const tookMs = await timeMs(async () => {
    await after.start();
    await eventually(async () => (await after.client.list()).sessions.some(({ pid }) => pid !== null), {
      msMax: 60_000,
    });
  });
  report('daemon started after a boot -> first resumed process', ms(tookMs), '<= 3000 ms', tookMs <= 3_000);
}

function memoryOf(pid: number, name: 'VmRSS' | 'VmHWM'): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) * 1024;
}
