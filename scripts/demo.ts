// What `npm start` shows, in four acts: an agent runs; the daemon is killed; the agent is killed; a tool call needs
// approval. It runs exactly the lines that it shows, and each of them works in another terminal too.
// `npm start -- --agent claude` shows the same with the real one, if it is installed: it uses your account.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { styleText } from 'node:util';

const AGENT = process.argv[process.argv.indexOf('--agent') + 1 || process.argv.length] ?? 'scripted';
const isScripted = AGENT === 'scripted';
if (!isScripted && !isOnPath(AGENT)) {
  process.stderr.write(`${AGENT} is not installed; without --agent the demo needs no agent of yours\n`);
  process.exit(1);
}

const ROOT = dirname(import.meta.dirname);
const root = mkdtempSync(join(tmpdir(), 'outlast-demo-'));
const inside = (name: string): string => join(root, name);
const isWatched = process.stdin.isTTY === true && process.stdout.isTTY === true;
for (const name of ['state', 'work', 'home', 'bin']) mkdirSync(inside(name), { mode: 0o700 });
writeFileSync(inside('config.json'), JSON.stringify({ agent: AGENT }));
const program = `exec '${process.execPath}' '${join(ROOT, 'bin/outlast.cjs')}' "$@"`;
// The scripted agent writes to the home of the demo; a real one is logged in at yours.
const home = isScripted ? `HOME='${inside('home')}' ` : '';
writeFileSync(inside('bin/outlast'), `#!/bin/sh\n${home}${program.slice(5)}\n`, { mode: 0o755 });
writeFileSync(
  inside('here'),
  [
    `export OUTLAST_STATE='${inside('state')}' OUTLAST_CONFIG='${inside('config.json')}'`,
    `export PATH="${inside('bin')}:$PATH"`,
    `cd '${inside('work')}'`,
    '',
  ].join('\n'),
);

const title = (text: string): void => void process.stdout.write(`${styleText(['bold', 'green'], text)}\n`);
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const dim = (text: string): void => void process.stdout.write(`${styleText('dim', text)}\n`);

/** Shows a line and runs it in a shell, as anybody could who has read the file `here`. */
function type(line: string): void {
  process.stdout.write(`${styleText('cyan', `$ ${line}`)}\n`);
  sh(line, ['ignore', 'inherit', 'inherit']);
}

function sh(line: string, stdio: ('ignore' | 'inherit' | 'pipe')[]): string {
  const options = { cwd: inside('work'), encoding: 'utf8', stdio } as const;
  return spawnSync('sh', ['-c', `. '${inside('here')}'; ${line}`], options).stdout ?? '';
}

const quietly = (line: string): string => sh(line, ['ignore', 'pipe', 'ignore']);

/** Writes a prompt to a file. The scripted agent plays its script; a real one is asked to do the same. */
function prompt(file: string, { text, command, reply, delayMs = 0 }: Part): void {
  const steps = [
    { tool: 'Bash', input: { command, description: 'demo' } },
    { text: reply, delayMs },
  ];
  const rest = delayMs === 0 ? '' : `; sleep ${delayMs / 500}`;
  const plain = `Run this with your Bash tool, once: ${command}${rest}\nThen say just this: ${reply}`;
  writeFileSync(
    join(inside('work'), file),
    `${text} ${isScripted ? `SCRIPT${JSON.stringify({ steps })}SCRIPT` : plain}\n`,
  );
}

interface Part {
  readonly text: string;
  readonly command: string;
  readonly reply: string;
  readonly delayMs?: number;
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 1_200 && !isTrue(); i += 1) await pause(50);
}

const log = (): string => (existsSync(inside('work/log.txt')) ? readFileSync(inside('work/log.txt'), 'utf8') : '');

/** Waits for Enter when a person watches. */
async function next(text: string): Promise<void> {
  if (!isWatched) return void process.stdout.write('\n');
  await answer(`\n${styleText('dim', `[Enter] ${text}   [Ctrl-C] stop`)}`);
  process.stdout.write('\x1b[2J\x1b[H');
}

async function answer(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  lines.on('SIGINT', stop);
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}

async function run(): Promise<void> {
  title('Outlast in four acts');
  say(
    isScripted
      ? 'The agent is a scripted one of ours: it needs no account.'
      : `The agent is ${AGENT}, with your account.`,
  );
  say('To type along in another terminal, paste this line there first:\n');
  say(`  . ${inside('here')}\n`);
  title('1 of 4: an agent runs one prompt and prints its reply');
  prompt('tidy-up.txt', { text: 'Tidy up.', command: 'echo tidy > notes.txt', reply: 'Tidied: see notes.txt.' });
  type('outlast run --prompt-file tidy-up.txt');
  type('cat notes.txt');
  await next('kill the daemon');
}

async function killDaemon(): Promise<void> {
  title('2 of 4: the daemon is killed while an agent works');
  const command = 'echo started >> log.txt';
  prompt('work.txt', { text: 'Do the work.', command, reply: 'The work is done.', delayMs: 2_000 });
  type('outlast start --live --trust --name api --ready 30s');
  type('outlast prompt api --prompt-file work.txt');
  await until(() => log().includes('started'));
  type(`kill -9 $(cut -d' ' -f1 "$OUTLAST_STATE/daemon.pid")`);
  dim('The agent keeps working. The next command starts a daemon, which finds it.');
  type('outlast wait api --for reply');
  await next('kill the agent');
}

async function killAgent(): Promise<void> {
  title('3 of 4: the agent itself is killed in the middle of its turn');
  const command = 'echo once >> log.txt';
  prompt('hard.txt', { text: 'Now the hard part.', command, reply: 'The hard part is done too.', delayMs: 1_500 });
  type('outlast prompt api --prompt-file hard.txt');
  await until(() => log().includes('once'));
  // The agent writes its last step to its files a moment later.
  await pause(300);
  type(`kill -9 $(outlast show api --json | grep -o '"pid":[0-9]*' | cut -d: -f2)`);
  dim('It is resumed on the same conversation, and its tool is not run a second time.');
  type('outlast wait api --for reply');
  type('cat log.txt');
  await next('approve a tool call');
}

async function approve(): Promise<void> {
  title('4 of 4: a tool call waits for your approval');
  prompt('delete.txt', { text: 'Delete the notes.', command: 'rm notes.txt', reply: 'I did what I was allowed to.' });
  type('outlast start --gate --name careful --end --prompt-file delete.txt 2>log');
  let id = '';
  await until(() => {
    id = JSON.parse(quietly('outlast approvals --json') || '{}').approvals?.[0]?.id ?? '';
    return id !== '';
  });
  type('outlast approvals');
  type((await isAllowed()) ? `outlast approve ${id}` : `outlast deny ${id} --why "we need it"`);
  type('outlast wait careful && ls notes.txt');
}

/** A person decides; without one it is denied. */
async function isAllowed(): Promise<boolean> {
  return isWatched && /^y/i.test(await answer(styleText('bold', 'May it delete your notes? [y/N] ')));
}

async function end(): Promise<void> {
  await next('what to type next');
  title('What to type next');
  const isLinked = isOnPath('outlast');
  const prefix = `npm config set prefix "$HOME/.local" && `;
  const canLink = process.getuid?.() === 0 || existsSync(join(homedir(), '.npmrc'));
  if (!isLinked) say(`  ${canLink ? '' : prefix}npm link   # puts outlast on your PATH`);
  say('  outlast run "what is in this folder?"        # with your own agent');
  say('  outlast exec --background --name tests -- npm test');
  say('  outlast list                                 # what runs, and what ended');
  say('  outlast help');
  dim('docs/guides has a page for everything that you can do. The folder of this demo is deleted now.');
}

function isOnPath(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, name)));
}

function cleanUp(): void {
  quietly('outlast stop --all --now; outlast daemon stop');
  // A tmux server outlives its last session; the folder of this one is about to be deleted.
  const servers = inside('state/tmux');
  for (const name of existsSync(servers) ? readdirSync(servers) : [])
    spawnSync('tmux', ['-S', join(servers, name), 'kill-server'], { stdio: 'ignore' });
  rmSync(root, { recursive: true, force: true });
}

function stop(): void {
  cleanUp();
  process.exit(130);
}

process.on('SIGINT', stop);
try {
  await run();
  await killDaemon();
  await killAgent();
  await approve();
  await end();
} finally {
  cleanUp();
}
