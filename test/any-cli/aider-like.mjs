#!/usr/bin/env node
// A program like `aider`: a history file in Markdown, one message from a file, or a screen with a line for prompts.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const args = process.argv.slice(2);
if (args.includes('--version')) {
  console.log('aider-like 0.86.1');
  process.exit(0);
}
const flagged = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
const history = flagged('--chat-history-file') ?? '.aider-like.history.md';
const write = (text) => appendFileSync(history, text);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let isCancelled = false;

/** What a model would say to the prompts of a test. */
async function answer(prompt, print) {
  isCancelled = false;
  const known = existsSync(history) ? readFileSync(history, 'utf8') : '';
  const count = known.split('\n').filter((line) => line.startsWith('#### ')).length;
  if (prompt.startsWith('Which word')) return /outlast-\w+/.exec(known)?.[0] ?? 'none';
  for (let n = 1; /Write the numbers|^slow/.test(prompt) && n <= 150 && !isCancelled; n += 1) {
    print(`${n}\n`);
    await pause(20);
  }
  if (isCancelled) return null;
  const word = prompt.match(/outlast-\w+/g)?.at(-1);
  return word ?? `prompt ${count}: ${prompt}`;
}

async function turn(prompt, print) {
  write(
    `\n${prompt
      .split('\n')
      .map((line) => `#### ${line}`)
      .join('\n')}\n\n`,
  );
  const reply = await answer(prompt, print);
  // Like the real one it writes the reply when it is complete.
  if (reply === null) return write('> ^C\n');
  print(`${reply}\n`);
  write(`${reply}\n\n> Tokens: 1.2k sent, 34 received.\n`);
  print('Tokens: 1,200 sent, 34 received.\n');
}

write('\n# aider-like chat started\n\n');
const file = flagged('--message-file');
if (file !== undefined) {
  await turn(readFileSync(file, 'utf8').trim(), (text) => process.stdout.write(text));
  process.exit(0);
}
const screen = createInterface({ input: process.stdin, output: process.stdout, prompt: '> ', terminal: true });
console.log('aider-like v0.86.1\nUse /help for help, /exit to leave.\n');
screen.on('SIGINT', () => {
  isCancelled = true;
});
screen.on('line', async (line) => {
  if (line === '/exit') process.exit(0);
  if (line === 'ask me') {
    console.log('Add the file to the chat? (Y)es/(N)o');
    return;
  }
  screen.pause();
  console.log('Working on it, Ctrl-C to interrupt');
  // Keys are read while it works, as by any program that can be interrupted.
  screen.resume();
  await turn(line, (text) => process.stdout.write(text));
  screen.prompt();
});
screen.prompt();
