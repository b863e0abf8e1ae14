import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import type { Note, Reply, Request } from '../protocol.ts';
import { parsed } from './stdio.ts';

/** Shows the conversation of a server on this terminal, and sends each line that is typed as a prompt. */
export function attach(socket: string, isReadOnly: boolean): void {
  const server = new WebSocket(`ws+unix://${socket}:/`);
  const send = (request: Request): void => server.send(JSON.stringify(request));
  server.on('open', () => {
    // A conversation is open already: this only asks for the state.
    send({ do: 'open', id: 'attached', conversation: null, ask: false });
    if (!isReadOnly) readPrompts(send);
  });
  server.on('message', (data) => {
    for (const line of linesOf(parsed(String(data)) as Note | Reply)) console.log(line);
  });
  server.on('error', (error) => fail(error.message));
  server.on('close', () => fail('the agent has ended'));
}

function readPrompts(send: (request: Request) => void): void {
  const input = createInterface({ input: process.stdin });
  input.on('line', (text) => {
    if (text.trim() !== '') send({ do: 'prompt', id: `typed-${randomUUID()}`, text, steer: false });
  });
  input.on('close', () => process.exit(0));
}

function linesOf(message: Note | Reply): string[] {
  if ('re' in message) {
    if (message.error !== undefined) return [`echo refused: ${message.error}`];
    const { prompts = [], ended = [] } = message.standing ?? {};
    const replyTo = (turn: string): string[] =>
      ended.filter((end) => end.turn === turn).map(({ reply }) => said(reply));
    return prompts.flatMap(({ turn, text }) => [`you: ${text}`, ...replyTo(turn)]);
  }
  switch (message.on) {
    case 'prompted':
      return [`you: ${message.text}`];
    case 'asked':
      return [`echo waits for approval of ${message.tool}: outlast approvals`];
    case 'stopped':
      return [message.interrupted ? 'echo was interrupted' : said(message.reply)];
    default:
      return [];
  }
}

function said(reply: string): string {
  return `echo: ${reply}`;
}

function fail(why: string): never {
  console.error(`echo: ${why}`);
  process.exit(1);
}
