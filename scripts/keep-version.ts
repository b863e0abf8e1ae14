// Stores a version for the tests of later ones: its built program, its config, and a state folder that it wrote.
//   node scripts/keep-version.ts NAME [ROOT]     NAME is VERSION-COMMIT; ROOT a built checkout of it, else this one
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { packFolder } from '../test/kept/folder-file.ts';
import { customConfig, OldVersion, programFiles } from '../test/kept/old-version.ts';
import { keptPlaces } from '../test/kept/places.ts';
import { relocate } from '../test/kept/relocate.ts';
import { playScenes } from '../test/kept/scenes.ts';

const [name, from = join(import.meta.dirname, '..')] = process.argv.slice(2);
if (name === undefined) throw new Error('usage: node scripts/keep-version.ts NAME [ROOT]');

const root = mkdtempSync(join(tmpdir(), 'outlast-keep-'));
for (const file of programFiles(from)) {
  mkdirSync(dirname(join(root, 'program', file)), { recursive: true });
  cpSync(join(from, file), join(root, 'program', file));
}
const kept = join(import.meta.dirname, '../test/kept', name);
mkdirSync(kept, { recursive: true });
writeFileSync(join(kept, 'program.br'), packFolder(join(root, 'program')));

const old = new OldVersion(root, customConfig(root));
try {
  await old.start();
  await playScenes(old);
} finally {
  await old.kill();
  cutPower();
}
const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
// What was compiled is of this machine.
const caches = readdirSync(join(root, 'homes')).map((home) => `homes/${home}/.cache`);
const ofProcesses = ['said', 'state/daemon.sock', 'state/daemon.log', 'state/tmux'];
for (const rest of ['program', 'node_modules', ...ofProcesses, ...caches])
  rmSync(join(root, rest), { recursive: true, force: true });
databases('PRAGMA journal_mode = DELETE');
relocate(root, [[boot, '00000000-0000-4000-8000-000000000000'], ...keptPlaces(root).map(([a, b]) => [b, a] as const)]);
// Pages that are free still hold the places that were replaced.
databases('VACUUM');
writeFileSync(join(kept, 'state.br'), packFolder(root));
rmSync(root, { recursive: true, force: true });
for (const file of readdirSync(kept)) process.stdout.write(`${file}: ${readFileSync(join(kept, file)).length} bytes\n`);

function databases(sql: string): void {
  for (const file of ['outlast.db', 'lock.db']) {
    using db = new DatabaseSync(join(root, 'state', file));
    db.exec(sql);
  }
}

/**
 * Kills what the recorded sessions left running, as a power cut would: no process is left to record how the others
 * ended.
 */
function cutPower(): void {
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of processes()) process.kill(pid, signal);
}

/** By their environment, or by a word of their command line. */
function processes(): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const about = readFileSync(`/proc/${name}/environ`, 'utf8') + readFileSync(`/proc/${name}/cmdline`, 'utf8');
      return about.includes(`${root}/`) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}
