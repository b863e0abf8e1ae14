import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import { codex } from '../../src/agent/codex/codex.ts';
import { copilot } from '../../src/agent/copilot/copilot.ts';
import { pi } from '../../src/agent/pi/pi.ts';
import { qwen } from '../../src/agent/qwen/qwen.ts';
import type { Agent } from '../../src/agent/seam/agent.ts';
import { readWhole } from '../../src/agent/seam/lines.ts';
import { piecesOf } from '../../src/daemon/search/pieces.ts';
import { type FilePlace, readSegments, startIn } from '../../src/daemon/search/turn-file.ts';
import { some } from '../campaign.ts';

const AGENTS = join(import.meta.dirname, '../../src/agent');

/** Agents whose files only grow, and their recorded conversations. */
const RECORDED: readonly (readonly [Agent, string, string])[] = [
  [claude, 'transcript', 'transcript.jsonl'],
  [codex, 'rollout', 'rollout.jsonl'],
  [copilot, 'events', 'events.jsonl'],
  [pi, 'session', 'session.jsonl'],
  [qwen, 'chat', 'chat.jsonl'],
];

const CASES = RECORDED.flatMap(([agent, kind, file]) => {
  const folder = join(AGENTS, agent.name, 'cases', kind);
  return readdirSync(folder).map((name) => ({ agent, name, path: join(folder, name, file) }));
});

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'ol-search-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Row = readonly [turn: number, kind: string, text: string];

/** Keeps the texts of one file as the index does: what begins behind a place is replaced. */
class Kept {
  #rows: { start: number; row: Row }[] = [];
  #place: FilePlace | null = null;
  readonly #agent: Agent;

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  async read(path: string): Promise<void> {
    const turns = this.#agent.record?.turns;
    if (turns === undefined) throw new Error('no record');
    const from = startIn(path, this.#place);
    this.#rows = this.#rows.filter(({ start }) => start < from);
    const segments = readSegments(path, turns, this.#place, async () => {});
    for (let next = await segments.next(); ; next = await segments.next()) {
      if (next.done) {
        this.#place = next.value;
        return;
      }
      const { from: start, turn, turns: read } = next.value;
      for (const [i, one] of read.entries())
        for (const { kind, text } of piecesOf(one)) this.#rows.push({ start, row: [turn + i, kind, text] });
    }
  }

  get rows(): Row[] {
    return this.#rows.map(({ row }) => row);
  }
}

function expected(agent: Agent, text: string): Row[] {
  const turns = agent.record === undefined ? [] : readWhole(agent.record.turns, text);
  return turns.flatMap((turn, i) => piecesOf(turn).map(({ kind, text }): Row => [i + 1, kind, text]));
}

/** The result of a killed call is written behind the prompt that follows. It is not found. */
const LATE = ['killed-and-resumed'];
const withoutResult = ([turn, kind, text]: Row): Row => [turn, kind, text.replace(/\naborted$/, '')];

/** Without what is behind the last line feed: it may still be being written. */
const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1);

test.each(some(CASES, 3))(
  '$agent.name, $name: read turn by turn, and as it grows, it has the same texts',
  async ({ agent, name, path }) => {
    const text = readFileSync(path, 'utf8');
    const copy = join(root, `${agent.name}-${name}.jsonl`);
    writeFileSync(copy, '');
    const [once, grown] = [new Kept(agent), new Kept(agent)];
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 7)) {
      appendFileSync(copy, bytes.subarray(at, at + Math.ceil(bytes.length / 7)));
      await grown.read(copy);
    }
    await once.read(copy);
    const seen = (rows: readonly Row[]) => (LATE.includes(name) ? rows.map(withoutResult) : rows);
    expect(seen(once.rows)).toEqual(seen(expected(agent, wholeLines(text))));
    expect(grown.rows).toEqual(once.rows);
  },
);

test('two conversations in one file: turns are counted on, and only the last one is read again', async () => {
  const text = readFileSync(join(AGENTS, 'claude/cases/transcript/resumed-and-complete/transcript.jsonl'), 'utf8');
  const path = join(root, 'long.jsonl');
  writeFileSync(path, text);
  const kept = new Kept(claude);
  await kept.read(path);
  appendFileSync(path, text.repeat(40));
  await kept.read(path);
  expect(kept.rows.at(-1)?.[0]).toBe(expected(claude, text.repeat(41)).at(-1)?.[0]);
  expect(kept.rows).toEqual(expected(claude, text.repeat(41)));
});

test('a turn that is too long is read in parts, which are one turn', async () => {
  const at = '2026-11-01T00:00:00.000Z';
  const line = (fields: object): string => `${JSON.stringify({ timestamp: at, isSidechain: false, ...fields })}\n`;
  const asked = (text: string): string => line({ type: 'user', message: { role: 'user', content: text } });
  const said = (text: string): string =>
    line({
      type: 'assistant',
      message: { id: text.slice(0, 9), role: 'assistant', content: [{ type: 'text', text }] },
    });
  const many = Array.from({ length: 300 }, (_, i) => said(`part ${i} ${'x'.repeat(10_000)}`)).join('');
  const path = join(root, 'turn.jsonl');
  writeFileSync(path, `${asked('one')}${many}${asked('two')}${said('end')}`);
  const kept = new Kept(claude);
  await kept.read(path);
  expect(kept.rows.length).toBe(303);
  expect(new Set(kept.rows.map(([turn]) => turn))).toEqual(new Set([1, 2]));
  expect(kept.rows.at(-1)).toEqual([2, 'reply', 'end']);
  appendFileSync(path, said('and more'));
  await kept.read(path);
  expect(kept.rows.at(-1)).toEqual([2, 'reply', 'and more']);
});

test('a rewritten file is read from its beginning', async () => {
  const path = join(root, 'rewritten.jsonl');
  const asked = (text: string): string =>
    `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`;
  writeFileSync(path, asked('the first text'));
  const kept = new Kept(claude);
  await kept.read(path);
  writeFileSync(path, asked('another text') + asked('and one more'));
  await kept.read(path);
  expect(kept.rows).toEqual([
    [1, 'prompt', 'another text'],
    [2, 'prompt', 'and one more'],
  ]);
});

test('a line that is far too long is left out, and what follows is read', async () => {
  const path = join(root, 'line.jsonl');
  const asked = (text: string): string =>
    `${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`;
  writeFileSync(path, `${asked('before')}${'z'.repeat(17 * 1024 * 1024)}\n${asked('after')}`);
  const kept = new Kept(claude);
  await kept.read(path);
  expect(kept.rows.map(([, , text]) => text)).toEqual(['before', 'after']);
});
