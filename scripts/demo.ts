// What `npm start` shows: an agent and a command that outlive the kill of their daemon, and of the agent itself.
import { type StdioOptions, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { styleText } from 'node:util';

const BIN = join(import.meta.dirname, '../bin/outlast.cjs');
const root = mkdtempSync(join(tmpdir(), 'outlast-demo-'));
const inside = (name: string): string => join(root, name);
for (const name of ['state', 'workspace', 'home']) mkdirSync(inside(name), { mode: 0o700 });
const notices = [{ name: 'demo', on: ['ended'], command: ['sh', '-c', `cat >> '${inside('told')}'`] }];
writeFileSync(inside('config.json'), JSON.stringify({ notices, agent: 'scripted' }));
const env = {
  ...process.env,
  HOME: inside('home'),
  OUTLAST_STATE: inside('state'),
  OUTLAST_CONFIG: inside('config.json'),
};

const say = (line: string): void => void process.stdout.write(`\n${styleText('bold', line)}\n`);
const show = (line: string): void => void process.stdout.write(`${styleText('cyan', line)}\n`);

function outlast(words: readonly string[], stderr: 'inherit' | 'ignore' = 'inherit'): string {
  const stdio: StdioOptions = ['ignore', 'pipe', stderr];
  const options = { env, cwd: inside('workspace'), encoding: 'utf8', stdio } as const;
  return spawnSync(process.execPath, [BIN, ...words], options).stdout;
}

/** Types a command, as a person would, and shows what it prints. */
function type(...words: string[]): void {
  const shown = words.map((word) => (/[ "$;{]/.test(word) ? `'${word}'` : word)).join(' ');
  show(`$ outlast ${shown}`);
  process.stdout.write(outlast(words));
}

/** kill -9, as a crash would. */
function kill(pid: number): void {
  show(`$ kill -9 ${pid}`);
  process.kill(pid, 'SIGKILL');
}

const json = (...words: string[]) => JSON.parse(outlast([...words, '--json'], 'ignore'));

/** The scripted agent plays what its prompt tells it: here a tool call, some time, and a reply. */
function story(name: string, text: string, steps: readonly object[]): string {
  const path = inside(name);
  writeFileSync(path, `${text} SCRIPT${JSON.stringify({ steps })}SCRIPT`);
  return path;
}

async function agents(): Promise<void> {
  const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'demo' } });
  say('1. An agent does one thing and gives its reply. (Here our scripted agent: it needs no account.)');
  const tidy = story('tidy', 'Tidy up.', [bash('echo tidy > notes.txt'), { text: 'Tidied: see notes.txt.' }]);
  type('run', '--prompt-file', tidy);

  say('2. A live one has a screen, and a name to come back to.');
  type('start', '--live', '--name', 'api', '--ready', '30s');
  type('converse', 'api', 'What is the plan?');

  say('3. Give it longer work, and kill the daemon in the middle of the turn.');
  const slow = [bash('echo started >> log.txt'), { text: 'The work is done.', delayMs: 2_000 }];
  type('prompt', 'api', '--prompt-file', story('slow', 'Do the work.', slow));
  kill(json('daemon', 'status').pid);

  say('4. The agent goes on. The next call starts a new daemon, which finds out what happened meanwhile.');
  type('wait', 'api', '--for', 'reply');

  say('5. Now kill the agent itself in the middle of a turn. It is brought back on the same conversation.');
  const hard = [bash('echo once >> log.txt'), { text: 'The hard part is done too.', delayMs: 1_500 }];
  type('prompt', 'api', '--prompt-file', story('hard', 'Now the hard part.', hard));
  await pause(300);
  kill(json('show', 'api').session.pid);
  type('wait', 'api', '--for', 'reply');
  show(`$ cat log.txt   # the tool ran once`);
  process.stdout.write(readFileSync(join(inside('workspace'), 'log.txt'), 'utf8'));
  type('turn', 'api', '1');
  type('stop', 'api');
}

async function commands(): Promise<void> {
  say('6. The same for any command: start it in the background, and kill the daemon that watches it.');
  const steps = 'for i in 1 2 3 4 5; do echo "step $i of 5"; sleep 0.4; done; exit 3';
  type('exec', '--background', '--name', 'build', '-c', steps);
  kill(json('daemon', 'status').pid);
  type('output', 'build', '--from', '0', '--follow');

  say('7. Its true exit status is known, although nobody was there for a while, and somebody was told.');
  type('list');
  for (let i = 0; i < 100 && !told().includes('build'); i += 1) await pause(50);
  process.stdout.write(told());
}

function told(): string {
  try {
    return readFileSync(inside('told'), 'utf8');
  } catch {
    return '';
  }
}

try {
  await agents();
  await commands();
  say(
    'Next: outlast run --help, docs/guides/agents.md and docs/guides/exec.md. All of this lived in a folder that is gone now.',
  );
} finally {
  for (const { id } of json('list', '--live').sessions ?? []) outlast(['stop', id], 'ignore');
  outlast(['daemon', 'stop'], 'ignore');
  rmSync(root, { recursive: true, force: true });
}
