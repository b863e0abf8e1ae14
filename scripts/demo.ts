// What `npm start` shows: an agent and a command that survive the kill of their daemon, and of the agent itself, an
// agent that needs approval, and one that starts another. `npm start -- --agent claude` shows the same with the real
// one, if it is installed: it uses your account.
import { type StdioOptions, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { styleText } from 'node:util';

const AGENT = process.argv[process.argv.indexOf('--agent') + 1 || process.argv.length] ?? 'scripted';
const isScripted = AGENT === 'scripted';
const isInstalled = (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, AGENT)));
if (!isScripted && !isInstalled) {
  process.stderr.write(`${AGENT} is not installed; without --agent the demo needs no agent of yours\n`);
  process.exit(1);
}

const BIN = join(import.meta.dirname, '../bin/outlast.cjs');
const root = mkdtempSync(join(tmpdir(), 'outlast-demo-'));
const inside = (name: string): string => join(root, name);
for (const name of ['state', 'workspace', 'home']) mkdirSync(inside(name), { mode: 0o700 });
const notices = [{ name: 'demo', on: ['ended'], command: ['sh', '-c', `cat >> '${inside('told')}'`] }];
writeFileSync(inside('config.json'), JSON.stringify({ notices, agent: AGENT }));
const env = {
  ...process.env,
  // The real one is logged in at home; the scripted one uses a temporary home.
  ...(isScripted && { HOME: inside('home') }),
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

/**
 * The scripted agent plays what its prompt says: a tool call, some time, and a reply. The real one is asked to do it.
 */
function story(name: string, text: string, { command, reply, delayMs = 0 }: Part): string {
  const steps = [
    { tool: 'Bash', input: { command, description: 'demo' } },
    { text: reply, delayMs },
  ];
  const pause = delayMs === 0 ? '' : `; sleep ${delayMs / 500}`;
  const plain = `Run this with your Bash tool, once: ${command}${pause}\nThen say just this: ${reply}`;
  const path = inside(name);
  writeFileSync(path, isScripted ? `${text} SCRIPT${JSON.stringify({ steps })}SCRIPT` : `${text} ${plain}`);
  return path;
}

interface Part {
  readonly command: string;
  readonly reply: string;
  readonly delayMs?: number;
}

const log = (): string => readIfThere(join(inside('workspace'), 'log.txt'));

/** Waits until the tool has written this word to the log: then the agent is in the middle of its turn. */
async function until(word: string): Promise<void> {
  for (let i = 0; i < 1_200 && !log().includes(word); i += 1) await pause(50);
}

async function agents(): Promise<void> {
  const which = isScripted
    ? 'This is our scripted agent: it needs no account.'
    : `This is ${AGENT}, with your account.`;
  say(`1. An agent runs one prompt and prints its reply. (${which})`);
  const tidy = { command: 'echo tidy > notes.txt', reply: 'Tidied: see notes.txt.' };
  type('run', '--prompt-file', story('tidy', 'Tidy up.', tidy));

  say('2. A live agent has a screen, and a name to come back to.');
  type('start', '--live', '--trust', '--name', 'api', '--ready', '30s');
  type('converse', 'api', isScripted ? 'What is the plan?' : 'Say in five words what you can do here.');

  say('3. Give it longer work, and kill the daemon in the middle of the turn.');
  const slow = { command: 'echo started >> log.txt', reply: 'The work is done.', delayMs: 2_000 };
  type('prompt', 'api', '--prompt-file', story('slow', 'Do the work.', slow));
  await until('started');
  kill(json('daemon', 'status').pid);

  say('4. The agent keeps working. The next call starts a new daemon, which finds out what happened in the meantime.');
  type('wait', 'api', '--for', 'reply');

  say('5. Now kill the agent itself in the middle of a turn. It is resumed on the same conversation.');
  const hard = { command: 'echo once >> log.txt', reply: 'The hard part is done too.', delayMs: 1_500 };
  type('prompt', 'api', '--prompt-file', story('hard', 'Now the hard part.', hard));
  await until('once');
  // The agent writes its last step to its files a moment later.
  await pause(300);
  kill(json('show', 'api').session.pid);
  type('wait', 'api', '--for', 'reply');
  show(`$ cat log.txt   # the tool ran once`);
  process.stdout.write(log());
  type('turn', 'api', '1');

  say('6. What happened, on one page: two runs, the kill between them, and still an answer.');
  show('$ outlast report api   # its first part');
  process.stdout.write(outlast(['report', 'api']).split('## Tool calls')[0] ?? '');
  type('stop', 'api');
}

/** Waits for an approval of the agent; returns its id. */
async function question(): Promise<string> {
  for (let i = 0; i < 1_200; i += 1) {
    const [first] = json('approvals').approvals ?? [];
    if (first !== undefined) return first.id;
    await pause(50);
  }
  throw new Error('the agent asked for no approval');
}

async function gate(): Promise<void> {
  say('7. Behind a gate every tool call needs approval. A rule allows one call; the other one waits for a decision.');
  const risky = { command: 'rm notes.txt', reply: 'I may not delete it, so it stays.' };
  const path = story('risky', 'Delete the notes.', risky);
  type('start', '--gate', '--trust', '--allow', 'Bash(ls *)', '--name', 'careful', '--end', '--prompt-file', path);
  const id = await question();
  type('approvals');
  type('deny', id, '--why', 'we need it tomorrow');
  type('wait', 'careful');
  type('audit', '--session', 'careful');
  show('$ cat notes.txt   # still there');
  process.stdout.write(readIfThere(join(inside('workspace'), 'notes.txt')));
}

async function delegation(): Promise<void> {
  say('8. An agent starts another one, continues, and gets an update when that one ends. It never polls.');
  const part = story('part', 'Count the files.', { command: 'ls | wc -l', reply: 'There are some files.' });
  const command = `outlast spawn --name counter --prompt-file '${part}'`;
  const boss = story('boss', 'Let another agent count.', { command, reply: 'Another agent counts for me.' });
  type('run', '--name', 'boss', '--prompt-file', boss);
  type('list', '--tree');
  type('turn', 'boss');
}

async function commands(): Promise<void> {
  say('9. The same for any command: start it in the background, and kill the daemon that watches it.');
  const steps = 'for i in 1 2 3 4 5; do echo "step $i of 5"; sleep 0.4; done; exit 3';
  type('exec', '--background', '--name', 'build', '-c', steps);
  kill(json('daemon', 'status').pid);
  type('output', 'build', '--from', '0', '--follow');

  say('10. Its exit status is known although no daemon ran for a while, and a notice was sent.');
  type('list');
  for (let i = 0; i < 100 && !told().includes('build'); i += 1) await pause(50);
  process.stdout.write(told());
}

const told = (): string => readIfThere(inside('told'));

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

try {
  await agents();
  await gate();
  await delegation();
  await commands();
  say(
    'Next: outlast run --help, docs/guides/agents.md and docs/guides/exec.md. The demo used a temporary folder, which is deleted now.',
  );
} finally {
  for (const { id } of json('list', '--live').sessions ?? []) outlast(['stop', id], 'ignore');
  outlast(['daemon', 'stop'], 'ignore');
  // A tmux server outlives its last session; the folder of this one is about to be deleted.
  const servers = join(inside('state'), 'tmux');
  for (const name of existsSync(servers) ? readdirSync(servers) : []) {
    spawnSync('tmux', ['-S', join(servers, name), 'kill-server'], { stdio: 'ignore' });
  }
  rmSync(root, { recursive: true, force: true });
}
