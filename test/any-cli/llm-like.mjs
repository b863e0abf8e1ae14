#!/usr/bin/env node
// A program like `llm`: a prompt on standard input, plain text on standard output, conversations by id.
// Its prompts are small scripts, so that a test decides what it does.
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const args = process.argv.slice(2);
if (args.includes('--version')) {
  console.log('llm-like 0.27.1');
  process.exit(0);
}
const flagged = (flag) => (args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined);
const id = flagged('--cid') ?? 'default';
const folder = process.env.LLM_LIKE_HOME ?? join(process.env.HOME ?? '', '.llm-like');
const file = join(folder, `${id}.jsonl`);
if (args.includes('-c') && !existsSync(file)) {
  console.error(`Error: No conversation found with id=${id}`);
  process.exit(1);
}
const prompt = readFileSync(0, 'utf8').trim();
mkdirSync(folder, { recursive: true });
appendFileSync(file, `${JSON.stringify({ prompt, model: flagged('-m') ?? null })}\n`);
const known = readFileSync(file, 'utf8').trim().split('\n').length;
// The files behind each `-a`, as a model would see them.
const seen = args.flatMap((each, i) => (args[i - 1] === '-a' ? [readFileSync(each).length] : []));
const print = (text) => writeSync(1, text);
const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
const until = (path) => {
  while (!existsSync(path)) pause(20);
};

// What a model would do with the prompts of `outlast agents test`.
if (prompt.startsWith('Which word')) {
  print(`${/outlast-\w+/.exec(readFileSync(file, 'utf8'))?.[0] ?? 'none'}\n`);
  process.exit(0);
}
if (prompt.startsWith('Write the numbers')) {
  for (let n = 1; n <= 300; n += 1) {
    print(`${n}\n`);
    pause(20);
  }
}
if (prompt.includes('this word')) {
  print(`${prompt.match(/outlast-\w+/g)?.at(-1)}\n`);
  process.exit(0);
}

// A continuation ends with the first request.
const [verb = '', ...words] = (prompt.split('\n').at(-1) ?? '').split(' ');
switch (verb) {
  case 'wait':
    print(`begun with ${known}\n`);
    until(words[0]);
    break;
  case 'silent':
    until(words[0]);
    break;
  case 'fail':
    console.error(`Error: ${words.join(' ')}`);
    process.exit(1);
    break;
  case 'garbage':
    for (let n = 0; n < 2_000; n += 1) print(Buffer.from([0, 255, 27, 91, 200, n % 256, 10, 123, 34]));
    break;
  case 'one-line': {
    const piece = 'a'.repeat(1_000_000);
    for (let n = 0; n < Number(words[0]); n += 1) print(piece);
    break;
  }
  case 'half':
    print('{"reply": "never en');
    until('/nonexistent/for-ever');
    break;
}
const pictures = seen.length === 0 ? '' : `; images of ${seen.join(' and ')} bytes`;
print(`${known} prompts; model ${flagged('-m') ?? 'none'}${pictures}: ${prompt.split('\n')[0]}`);
