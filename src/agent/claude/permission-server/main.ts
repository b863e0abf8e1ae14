// An MCP server that Claude Code asks before each call where it runs no hook for that: 2.1.197 without a screen.
// Usage: permission-server COMMAND. The shell command gets the question on its standard input and prints the answer,
// both in the format of a hook. Anything that it does not explicitly allow is denied.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { answerTo, type Request, type Result, readRequest } from './protocol.ts';

const [command = 'exit 1'] = process.argv.slice(2);
/** The running commands, by the id of the request. */
const asking = new Map<unknown, ChildProcess>();

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const request = readRequest(line);
  if (request !== null) hear(request);
});
lines.on('close', () => {
  for (const child of asking.values()) child.kill();
});

function hear(request: Request): void {
  const answer = answerTo(request);
  switch (answer.is) {
    case 'result':
      return say(request, answer.result);
    case 'ask':
      return ask(request, answer.question, (said) => say(request, answer.resultOf(said)));
    case 'withdraw':
      asking.get(answer.request)?.kill();
      return;
    case 'nothing':
      return;
  }
}

function ask({ id }: Request, question: string, done: (said: string) => void): void {
  const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'ignore'] });
  asking.set(id, child);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  child.on('error', () => {});
  child.on('close', () => {
    asking.delete(id);
    done(said);
  });
  // The command may exit without having read its input.
  child.stdin.on('error', () => {});
  child.stdin.end(question);
}

function say({ id }: Request, result: Result): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...result })}\n`);
}
