import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import type { HookReport } from '../../src/agent/seam/hooks.ts';
import { OutlastError } from '../../src/base/errors.ts';
import type { Session, SessionId } from '../../src/core/session.ts';
import { type ResumeParts, takeOver } from '../../src/daemon/boot/resume.ts';
import { ingestNow } from '../../src/supervisor/ingest.ts';
import { Streams } from '../../src/supervisor/streams.ts';
import { OutputLines } from '../../src/supervisor/wires/output-lines.ts';
import { SentLines } from '../../src/supervisor/wires/sent-lines.ts';
import type { WorldState } from '../../src/supervisor/world-state.ts';
import { LinePieces, PIECE_BYTES } from '../../src/terminal/line-pieces.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { CONVERSATION, sessionAfter, TURNS } from '../../src/testing/sessions.ts';

// Files and lines of other processes may be long. Reading them blocks other work for one piece at most.

const PIECES = 16;
const LONG = 'x'.repeat(PIECES * PIECE_BYTES);
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'ol-pieces-'));
  folders.push(path);
  return path;
}

/** The number of event loop turns during this work. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isOver = true;
  return turns;
}

test('a line is returned when it is complete, with its offset, and no byte is read twice', () => {
  const path = join(folder(), 'output');
  const pieces = new LinePieces(path);
  expect(pieces.next()).toEqual({ lines: [], isMore: false });
  writeFileSync(path, 'one\ntw');
  expect(pieces.next().lines).toEqual([{ text: 'one', fromBytes: 0, atBytes: 4 }]);
  appendFileSync(path, 'o\n\nthré');
  const lines = [
    { text: 'two', fromBytes: 4, atBytes: 8 },
    { text: '', fromBytes: 8, atBytes: 9 },
  ];
  expect(pieces.next()).toEqual({ lines, isMore: false });
  appendFileSync(path, 'e\n');
  expect(pieces.next().lines).toEqual([{ text: 'thrée', fromBytes: 9, atBytes: 16 }]);
  expect(new LinePieces(path, { fromBytes: 4 }).next().lines[0]).toEqual(lines[0]);
});

test('a call reads one piece, and of a line that is too long only the beginning is kept', () => {
  const path = join(folder(), 'output');
  writeFileSync(path, `${LONG}\nend\n`);
  const pieces = new LinePieces(path, { lineBytesMax: 2 * PIECE_BYTES });
  const given = Array.from({ length: PIECES + 1 }, () => pieces.next());
  expect(given.map(({ isMore }) => isMore)).toEqual([...Array(PIECES).fill(true), false]);
  const texts = given.flatMap(({ lines }) => lines.map(({ text }) => text));
  expect(texts).toEqual(['x'.repeat(1024), 'end']);
});

test('a long line of an agent is read in pieces that let other work run, and returned whole', async () => {
  const path = join(folder(), 'output');
  writeFileSync(path, `${LONG}\n`);
  const output = new OutputLines(path, 0, () => {});
  expect(await turnsDuring(() => output.readOn())).toBeGreaterThanOrEqual(PIECES - 1);
  expect(output.next().map(({ text }) => text.length)).toEqual([LONG.length]);
  output.close();
});

test('messages sent to an agent are read in pieces that let other work run, up to the last offset', async () => {
  const sent = new SentLines(join(folder(), 'input'));
  sent.append('p1', { text: LONG });
  sent.append('p2', { text: 'short' });
  const { bytes } = sent;
  sent.append('p3', { text: 'later' });
  let ids: string[] = [];
  const turns = await turnsDuring(async () => {
    ids = (await sent.all(bytes)).map(({ id }) => id);
  });
  expect(ids).toEqual(['p1', 'p2']);
  expect(turns).toBeGreaterThanOrEqual(PIECES - 1);
});

test('a reader that is far behind catches up in pieces, and is then current', async () => {
  const state = folder();
  const ref = { session: 's1' as SessionId, run: 1 };
  mkdirSync(runFolder(state, ref).folder, { recursive: true });
  writeFileSync(runFolder(state, ref).output, `${LONG}\nend\n`);
  const lengths: number[] = [];
  const listener = (line: string): [] => {
    lengths.push(line.length);
    return [];
  };
  const { output: path } = runFolder(state, ref);
  const source = { ref, path, name: 'a', listener: () => listener, named: (_: Session, report: HookReport) => report };
  const streams = new Streams({ submit: () => {}, now: (s) => s, log: () => {}, nudge: () => {} });
  expect(streams.isFarBehind(source)).toBe(true);
  expect(await turnsDuring(() => streams.catchUp(source))).toBeGreaterThanOrEqual(PIECES - 1);
  expect([streams.isFarBehind(source), lengths]).toEqual([false, [LONG.length, 3]]);
  streams.forget(ref.session);
});

test('a hook is not answered at once while the stream of its run is far behind', () => {
  let isBehind = true;
  const asked: string[] = [];
  const streams = {
    isFarBehind: () => isBehind,
    listen: () => {
      asked.push('listened');
      throw new OutlastError('internal', 'that is enough');
    },
  };
  const agents = { [TURNS.agent]: { ...claude, gate: undefined } };
  const world = { state: '/s', streams, agents, log: () => {} } as unknown as WorldState;
  const gated = { ...TURNS, conversation: { ...CONVERSATION, gate: { mode: 'gate', rules: {} } } } as const;
  const session = sessionAfter(gated, { type: 'run.starting', run: 1, how: 'launch', boot: 'b' });
  ingestNow(world, session);
  expect(asked).toEqual([]);
  isBehind = false;
  ingestNow(world, session);
  expect(asked).toEqual(['listened']);
});

test('the end of a conversation that is taken over is read in pieces that let other work run', async () => {
  const path = join(folder(), 'c1.jsonl');
  const line = JSON.stringify({ type: 'user', cwd: '/w', message: { role: 'user', content: 'y'.repeat(1_000) } });
  writeFileSync(path, `${line}\n`.repeat((PIECES * PIECE_BYTES) / line.length));
  const keeper = claude.conversations;
  const started: unknown[] = [];
  const find = (): never => {
    throw new OutlastError('session_not_found', 'there is none');
  };
  const sessions = { find, start: (input: unknown) => started.push(input) } as unknown as ResumeParts['sessions'];
  const listed = { id: 'c1', path, home: '/h', key: null, owner: null, claim: null, judgement: null };
  const turns = await turnsDuring(() =>
    takeOver({ sessions, isModelId: () => true }, { keeper, listed, is: 'interrupted' }, { env: {}, umask: 0 }, {}),
  );
  expect(turns).toBeGreaterThanOrEqual(PIECES - 1);
  expect(started).toMatchObject([{ name: 'boot-c1', cwd: '/w' }]);
});
