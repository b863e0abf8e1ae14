// Makes each deliberate mistake in the source as the simulator loads it. All of them must be caught.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MUTATIONS, type Mutation } from './mutations.ts';

const root = join(import.meta.dirname, '../..');
/** The compile cache: only the mutated file is compiled each time. */
const compiled = mkdtempSync(join(tmpdir(), 'outlast-mutants-'));
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }));

/** The first violation that the simulator finds with this mistake in the source; null: it finds none. */
export function caught(mutation: Mutation): string | null {
  if (!readFileSync(join(root, mutation.file), 'utf8').includes(mutation.from))
    throw new Error(`the mutation "${mutation.mistake}" does not apply to ${mutation.file}`);
  const sim = join(root, 'test/sim/sim.ts');
  const argv = ['--import', join(import.meta.dirname, 'mistake.ts'), sim];
  const env = { ...process.env, NODE_COMPILE_CACHE: compiled, OUTLAST_TEST_MISTAKE: JSON.stringify(mutation) };
  const run = spawnSync(process.execPath, [...argv, ...(mutation.story ? ['--script', mutation.story] : [])], {
    encoding: 'utf8',
    timeout: 120_000,
    env,
  });
  if (run.status === 0) return null;
  const history = run.stdout.split('\n').find((line) => line.startsWith('npm run sim'));
  // A source that does not load proves nothing about the simulator.
  if (history === undefined) throw new Error(`the simulator itself failed: ${run.stderr}`);
  return history;
}

function main(): void {
  execFileSync(process.execPath, [join(root, 'test/sim/sim.ts')], { stdio: 'ignore' });
  let survived = 0;
  for (const mutation of MUTATIONS) {
    const history = caught(mutation);
    survived += history === null ? 1 : 0;
    process.stdout.write(`${mutation.mistake.padEnd(62)} ${history ?? 'SURVIVED'}\n`);
  }
  process.stdout.write(`${MUTATIONS.length - survived} of ${MUTATIONS.length} mistakes caught\n`);
  process.exitCode = survived > 0 ? 1 : 0;
}

if (import.meta.main) main();
