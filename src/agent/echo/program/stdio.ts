import { readSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Note, Reply, Saying } from '../protocol.ts';
import type { Conversation } from './conversation.ts';
import { counted, hook } from './hook.ts';
import type { Places } from './places.ts';
import { Server } from './server.ts';
import { stepsOf } from './story.ts';
import { Turn } from './turn.ts';

/** Writes a line to standard output; it is written when this returns. */
export function sayLine(message: unknown): void {
  put(`${JSON.stringify(message)}\n`);
}

function put(text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at);
}

function sayHalf(message: unknown): () => void {
  const line = `${JSON.stringify(message)}\n`;
  put(line.slice(0, line.length / 2));
  return () => put(line.slice(line.length / 2));
}

/** Serves one client on standard input, one line of JSON per message. It exits at the end of the input. */
export function serveStdio(places: Places): void {
  const server = new Server(places, {
    say: (message: Note | Reply) => sayLine(message),
    sayHalf,
    end: () => process.exit(0),
  });
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const reply = server.take(parsed(line));
    if (reply !== null) sayLine(reply);
  });
  lines.on('close', () => process.exit(0));
}

/** Parses a text as JSON; null when it is invalid. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The events that hooks get in a process of one turn. The rest is on its output. */
const HOOKED = ['opened', 'prompted', 'stopped'] as const;

/** Reads one prompt from standard input, plays it, and exits. A failed turn exits with status 1. */
export async function playOnce(places: Places, conversation: Conversation, command?: string): Promise<void> {
  const text = wholeInput();
  const say = counted(sayLine, hook(command, HOOKED));
  places.dieIfTold();
  const late: Saying[] = [];
  const sayOrKeep = (saying: Saying): unknown => (places.isSecretive ? late.push(saying) : say(saying));
  sayOrKeep({ on: 'opened', conversation: conversation.id, transcript: conversation.path });
  const prompt = `p-${process.pid}`;
  const id = conversation.hear(prompt, text, null);
  sayOrKeep({ on: 'prompted', turn: id, prompt, text });
  const odd = { stray: () => sayLine({ re: 'nobody-asked-this' }), ask: null, wonder: async () => 'nobody answers' };
  const turn = new Turn({ places, conversation, say, sayHalf, ...odd }, id, stepsOf(text, places.answer));
  process.once('SIGINT', () => turn.interrupt());
  const stopped = await turn.play();
  for (const saying of late) say(saying);
  say({ on: 'stopped', ...stopped });
  process.exitCode = stopped.trouble === null ? 0 : 1;
}

function wholeInput(): string {
  const pieces: Buffer[] = [];
  const piece = Buffer.alloc(64 * 1024);
  for (let read = readSync(0, piece); read > 0; read = readSync(0, piece))
    pieces.push(Buffer.from(piece.subarray(0, read)));
  return Buffer.concat(pieces).toString('utf8');
}
