// Measures the cost of a holder: one process per run against one process for sixteen, and the flags that keep it small.
// Usage: node bench/holder.ts

import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { realClock } from '../src/base/clock.ts';
import { newId } from '../src/base/ids.ts';
import type { SessionId } from '../src/core/session.ts';
import { endRun } from '../src/terminal/end.ts';
import { HOLDER_FLAGS } from '../src/terminal/holder-start.ts';
import { runIdentities } from '../src/terminal/look.ts';
import { planText } from '../src/terminal/plan.ts';
import { isAlive } from '../src/terminal/processes.ts';
import { installPrograms, PROGRAM_PATH } from '../src/terminal/programs.ts';
import { exitsFolder, runFolder, runName } from '../src/terminal/run-folder.ts';
import type { RunRef } from '../src/terminal/terminal.ts';
import { eventually } from '../test/eventually.ts';
import { memory, settledMemory, total } from './memory.ts';

const RUNS = 16;
const SIZE = { columns: 120, rows: 30 };
const root = join(import.meta.dirname, '..');
const bundles = join(root, 'node_modules/.cache/outlast-bench');
const clock = realClock();
const state = mkdtempSync(join(tmpdir(), 'outlast-bench-'));
const programs = installPrograms(state);

await bundle();
try {
  await compareFlags();
  await compareSharing();
  await compareThroughput();
} finally {
  rmSync(state, { recursive: true, force: true });
  rmSync(bundles, { recursive: true, force: true });
}

/** Inside the checkout, so that the native library is found from there. */
async function bundle(): Promise<void> {
  const banner = "import { createRequire as r } from 'node:module'; const require = r(import.meta.url);";
  await build({
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    outdir: bundles,
    external: ['@lydell/node-pty'],
    banner: { js: banner },
    entryPoints: { holder: join(root, 'src/terminal/holder.ts'), shared: join(root, 'bench/shared-holder.ts') },
  });
}

async function compareFlags(): Promise<void> {
  console.log(
    '\none holder, by flags (medians of 5): private dirty kB, PSS kB idle and after 5 MB, ms to the first byte',
  );
  const sets: Record<string, readonly string[]> = {
    'no flags': [],
    'semi-space 1': ['--max-semi-space-size=1'],
    'no pool': ['--v8-pool-size=0'],
    ours: HOLDER_FLAGS,
    'ours, old space 64': [...HOLDER_FLAGS, '--max-old-space-size=64'],
    'ours, lite': [...HOLDER_FLAGS, '--lite-mode'],
    'ours, for size': [...HOLDER_FLAGS, '--optimize-for-size'],
    'ours, single-threaded': [...HOLDER_FLAGS, '--single-threaded'],
    jitless: [...HOLDER_FLAGS, '--jitless'],
  };
  for (const [name, flags] of Object.entries(sets)) {
    const seen: Measure[] = [];
    for (let round = 0; round < 5; round += 1) seen.push(await measureOne(flags));
    const row = (key: keyof Measure): string => String(Math.round(median(seen.map((each) => each[key])))).padStart(7);
    console.log(`${name.padEnd(24)}${row('dirty')}${row('pss')}${row('pssBusy')}${row('firstByteMs')} ms`);
  }
}

interface Measure {
  readonly dirty: number;
  readonly pss: number;
  readonly pssBusy: number;
  readonly firstByteMs: number;
}

async function measureOne(flags: readonly string[]): Promise<Measure> {
  const startMs = performance.now();
  const ref = plan(waiting(5_000_000));
  const child = startHolder(flags, ref);
  await outputAtLeast(ref, 1);
  const firstByteMs = performance.now() - startMs;
  await settledMemory(child);
  const idle = memory(child);
  go(ref);
  await outputAtLeast(ref, 5_000_000);
  await settledMemory(child);
  const busy = memory(child);
  await end([ref]);
  return { dirty: idle.dirty, pss: idle.pss, pssBusy: busy.pss, firstByteMs };
}

async function compareSharing(): Promise<void> {
  console.log(`\n${RUNS} ptys: one process each, and all in one`);
  const each = await measureMany(async (refs) => {
    const pids: number[] = [];
    for (const ref of refs) pids.push(startHolder(HOLDER_FLAGS, ref));
    return pids;
  });
  const one = await measureMany(async (refs) => [startShared(refs)]);
  for (const [name, seen] of [
    ['one each', each],
    ['one for all', one],
  ] as const) {
    console.log(
      `${name.padEnd(14)} private dirty ${seen.dirty} kB, PSS ${seen.pss} kB, ${seen.pssBusy} after 2 MB each; ` +
        `all printed after ${Math.round(seen.firstByteMs)} ms; killing one process ends ${seen.lost} runs`,
    );
  }
}

async function measureMany(start: (refs: readonly RunRef[]) => Promise<number[]>): Promise<Measure & { lost: number }> {
  const refs = Array.from({ length: RUNS }, () => plan(waiting(2_000_000)));
  const startMs = performance.now();
  const pids = await start(refs);
  for (const ref of refs) await outputAtLeast(ref, 1);
  const firstByteMs = performance.now() - startMs;
  for (const pid of pids) await settledMemory(pid);
  const idle = total(pids);
  for (const ref of refs) go(ref);
  for (const ref of refs) await outputAtLeast(ref, 2_000_000);
  for (const pid of pids) await settledMemory(pid);
  const busy = total(pids);
  process.kill(pids[0] ?? 0, 'SIGKILL');
  const lost = await countEnded(refs);
  await end(refs);
  return { dirty: idle.dirty, pss: idle.pss, pssBusy: busy.pss, firstByteMs, lost };
}

/** Three times each, one after the other, since the machine is shared. */
async function compareThroughput(): Promise<void> {
  const file = join(state, 'big');
  writeFileSync(file, 'a line of some forty characters of text\n'.repeat(1_500_000));
  const bytes = statSync(file).size;
  const rate = (startMs: number): string => `${(bytes / 1e3 / (performance.now() - startMs)).toFixed(1)} MB/s`;
  console.log(`\nthroughput of \`cat\` of ${Math.round(bytes / 1e6)} MB`);
  for (let round = 0; round < 3; round += 1) {
    const scriptMs = performance.now();
    execFileSync('script', ['-q', '-c', `cat ${file}`, join(state, 'typescript')], {
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    const script = rate(scriptMs);
    const ref = plan(`cat ${file}`);
    const holderMs = performance.now();
    startHolder(HOLDER_FLAGS, ref);
    await eventually(() => existsSync(join(runFolder(state, ref).folder, 'drained')), { msMax: 60_000 });
    console.log(`script to /dev/null ${script}; holder ${rate(holderMs)}, its start and end included`);
    await end([ref]);
  }
}

function plan(script: string): RunRef {
  const ref = { session: newId(clock.wallMs()) as SessionId, run: 1 };
  const files = runFolder(state, ref);
  mkdirSync(files.folder, { recursive: true });
  mkdirSync(exitsFolder(state), { recursive: true });
  const rest = { env: { PATH: PROGRAM_PATH }, cwd: files.folder, umask: 0o022, stdin: 'open', split: false } as const;
  writeFileSync(files.plan, planText({ argv: ['sh', '-c', script], ...rest }, { name: runName(ref) }));
  return ref;
}

function startHolder(flags: readonly string[], ref: RunRef): number {
  return spawnDetached([...flags, join(bundles, 'holder.js'), ...order(ref)]);
}

function startShared(refs: readonly RunRef[]): number {
  return spawnDetached([...HOLDER_FLAGS, join(bundles, 'shared.js'), ...refs.flatMap(order)]);
}

function order(ref: RunRef): string[] {
  const { folder } = runFolder(state, ref);
  return [folder, programs.launcher, exitsFolder(state), runName(ref), `${SIZE.columns}`, `${SIZE.rows}`];
}

function spawnDetached(args: readonly string[]): number {
  const child = spawn(process.execPath, [...args], { detached: true, stdio: 'ignore', env: { PATH: PROGRAM_PATH } });
  child.unref();
  return child.pid ?? 0;
}

/** Prints a word, then this many bytes when the file `go` exists, then stays. */
function waiting(bytes: number): string {
  return `echo hello; until [ -e go ]; do sleep 0.1; done; yes 0123456789 | head -c ${bytes}; exec sleep 1000`;
}

function go(ref: RunRef): void {
  writeFileSync(join(runFolder(state, ref).folder, 'go'), '');
}

async function outputAtLeast(ref: RunRef, bytes: number): Promise<void> {
  const { output } = runFolder(state, ref);
  await eventually(() => existsSync(output) && statSync(output).size >= bytes, { msMax: 60_000 });
}

async function countEnded(refs: readonly RunRef[]): Promise<number> {
  const ended = (): number => refs.filter((ref) => existsSync(runFolder(state, ref).exit)).length;
  await eventually(() => ended() > 0);
  let last = 0;
  let sinceMs = clock.steadyMs();
  await eventually(() => {
    if (ended() !== last) sinceMs = clock.steadyMs();
    last = ended();
    return clock.steadyMs() - sinceMs > 1_000;
  });
  return ended();
}

async function end(refs: readonly RunRef[]): Promise<void> {
  for (const ref of refs) await endRun(state, ref, { graceMs: 0, clock });
  for (const ref of refs) {
    const { holder } = runIdentities(state, ref);
    if (holder !== null) await eventually(() => !isAlive(holder));
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
