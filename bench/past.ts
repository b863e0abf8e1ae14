// Gives a session a long history: turns in its transcript and their events in the journal, as if they had happened.
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EventBody } from '../src/core/event.ts';
import type { SessionId } from '../src/core/session.ts';
import type { Position } from '../src/journal/journal.ts';
import { sqliteJournal } from '../src/journal/sqlite.ts';

/** Where the history is written. No daemon may run there meanwhile. */
export interface Place {
  readonly state: string;
  readonly session: string;
  readonly transcript: string;
}

const EVENTS_MAX = 1_000_000;

/** Repeats the last turn this many times, each with its own text and ids. */
export function addPast({ state, session, transcript }: Place, turns: number): void {
  const lines = lastTurn(readFileSync(transcript, 'utf8').split('\n').filter(Boolean));
  const turnIds = [...new Set(lines.flatMap((line) => line.match(/"(?:promptId|uuid|id)":"([^"]+)"/g) ?? []))];
  const journal = sqliteJournal(join(state, 'outlast.db'));
  const id = session as SessionId;
  const all = journal.read(0 as Position, EVENTS_MAX, id).map(({ event }) => event);
  const from = all.findLastIndex(({ body }) => body.type === 'prompt.queued');
  const bodies = all.slice(from).map(({ body }) => body);
  const last = all.at(-1);
  let seq = last?.seq ?? 0;
  for (let i = 0; i < turns; i += 1) {
    const events = bodies.map((body) => renamed(body, i));
    const times = { atMs: last?.atMs ?? 0, steadyMs: last?.steadyMs ?? 0 };
    journal.append({ session: id, afterSeq: seq, events, cause: null, ...times });
    seq += events.length;
  }
  journal.close();
  const past = Array.from({ length: turns }, (_, i) =>
    lines.map((line) => `${renamedLine(line, turnIds, i)}\n`).join(''),
  );
  appendFileSync(transcript, past.join(''));
}

/** The lines from the last typed prompt on. */
function lastTurn(lines: readonly string[]): string[] {
  const at = lines.findLastIndex((line) => {
    const { type, message } = JSON.parse(line) as { type: string; message?: { content?: unknown } };
    return type === 'user' && typeof message?.content === 'string';
  });
  return lines.slice(at);
}

function renamed(body: EventBody, i: number): EventBody {
  const named = 'prompt' in body && body.prompt !== null ? { ...body, prompt: `past-${i}` } : { ...body };
  const marked = 'turnId' in named && named.turnId !== null ? { ...named, turnId: `turnId-${i}` } : named;
  return ('text' in marked ? { ...marked, text: `past ${i}` } : marked) as EventBody;
}

function renamedLine(line: string, turnIds: readonly string[], i: number): string {
  const own = turnIds.reduce((text, turnId) => text.replaceAll(turnId, turnId.replace(/"$/, `-${i}"`)), line);
  const record = JSON.parse(own) as { type: string; message?: { content?: unknown } };
  if (record.type === 'user' && typeof record.message?.content === 'string') record.message.content = `past ${i}`;
  return JSON.stringify(record);
}
