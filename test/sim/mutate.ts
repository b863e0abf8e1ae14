// Makes each deliberate mistake in a copy of the source and runs the simulator on it. All of them must be caught.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MUTATIONS, type Mutation } from './mutations.ts';

const root = join(import.meta.dirname, '../..');

/** The first wrong history the simulator finds with this mistake in the source, or null when it finds none. */
export function caught(mutation: Mutation): string | null {
  const copy = mkdtempSync(join(tmpdir(), 'outlast-mutant-'));
  try {
    for (const part of [
      'src/base',
      'src/core',
      'src/journal',
      'src/supervisor',
      'test/sim',
      'test/spec.ts',
      'package.json',
    ]) {
      cpSync(join(root, part), join(copy, part), { recursive: true });
    }
    const path = join(copy, mutation.file);
    const text = readFileSync(path, 'utf8');
    if (!text.includes(mutation.from))
      throw new Error(`the mistake "${mutation.mistake}" fits nowhere in ${mutation.file}`);
    writeFileSync(
      path,
      text.replace(mutation.from, () => mutation.to),
    );
    const argv = [join(copy, 'test/sim/sim.ts'), ...(mutation.story ? ['--script', mutation.story] : [])];
    const run = spawnSync(process.execPath, argv, { encoding: 'utf8', timeout: 120_000 });
    if (run.status === 0) return null;
    const history = run.stdout.split('\n').find((line) => line.startsWith('npm run sim'));
    // A source that does not even load catches nothing.
    if (history === undefined) throw new Error(`the simulator failed by itself: ${run.stderr}`);
    return history;
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
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
