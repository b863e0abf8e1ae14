// What `npm start` shows: a command that outlives the kill of its daemon, and a notice when it ends.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { styleText } from 'node:util';

const BIN = join(import.meta.dirname, '../bin/outlast.cjs');
const state = mkdtempSync(join(tmpdir(), 'outlast-demo-'));
const told = join(state, 'told');
const config = join(state, 'config.json');
writeFileSync(config, JSON.stringify({ notices: [{ name: 'demo', command: ['sh', '-c', `cat >> '${told}'`] }] }));
const env = { ...process.env, OUTLAST_STATE: state, OUTLAST_CONFIG: config };

const say = (line: string): void => void process.stdout.write(`\n${styleText('bold', line)}\n`);

/** Types a command, as a person would, and shows what it prints. */
function type(...words: string[]): string {
  process.stdout.write(
    `${styleText('cyan', `$ outlast ${words.map((word) => (/[ "$;]/.test(word) ? `'${word}'` : word)).join(' ')}`)}\n`,
  );
  const run = spawnSync(process.execPath, [BIN, ...words], {
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(run.stdout);
  return run.stdout.trim();
}

try {
  say('1. Start a command in the background. It has a name, and nobody needs to wait for it.');
  type(
    'exec',
    '--background',
    '--name',
    'build',
    '-c',
    'for i in 1 2 3 4 5 6; do echo "step $i of 6"; sleep 0.5; done; exit 3',
  );
  await pause(800);
  type('list');

  say('2. Kill the daemon that watches it, as a crash would: kill -9.');
  const { pid } = JSON.parse(
    spawnSync(process.execPath, [BIN, 'daemon', 'status', '--json'], { env, encoding: 'utf8' }).stdout,
  );
  process.kill(pid, 'SIGKILL');
  process.stdout.write(`${styleText('cyan', `$ kill -9 ${pid}`)}\n`);

  say('3. The command goes on. The next call starts a new daemon, which adopts it; follow it to its end.');
  type('output', 'build', '--from', '0', '--follow');

  say('4. Its true exit status is known, although nobody was there for a while.');
  type('show', 'build');

  say('5. And somebody was told (here a command; a webhook, ntfy or your desktop work the same way):');
  for (let i = 0; i < 100 && !isTold(); i += 1) await pause(50);
  process.stdout.write(readFileSync(told, 'utf8'));

  say('6. A terminal program, with a screen, keys, and no tmux needed:');
  type(
    'exec',
    '--background',
    '--pty',
    '--name',
    'prompt',
    '--',
    'sh',
    '-c',
    'printf "What is your name? "; read name; echo "Hello, $name!"; sleep 60',
  );
  type('wait', 'prompt', '--for', 'text:name', '--since', '0', '--timeout', '5s');
  type('keys', 'prompt', 'A', 'd', 'a', 'Enter');
  type('wait', 'prompt', '--for', 'text:Hello', '--since', '0', '--timeout', '5s');
  type('screen', 'prompt');
  type('stop', 'prompt');

  say('Next: outlast exec --help, docs/guides/exec.md. Everything above lived in a folder that is removed now.');
} finally {
  spawnSync(process.execPath, [BIN, 'daemon', 'stop'], { env, stdio: 'ignore' });
  rmSync(state, { recursive: true, force: true });
}

function isTold(): boolean {
  try {
    return readFileSync(told, 'utf8') !== '';
  } catch {
    return false;
  }
}
