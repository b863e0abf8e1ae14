import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { allAgents } from '../../src/agent/all.ts';
import { readJsonLines } from '../../src/agent/seam/json.ts';
import { realClock } from '../../src/base/clock.ts';
import type { SessionFacts } from '../../src/daemon/search/facts.ts';
import { find, type Hit, type Wanted } from '../../src/daemon/search/find.ts';
import { indexPath } from '../../src/daemon/search/index-file.ts';
import { Indexer, type PassResult } from '../../src/daemon/search/pass.ts';
import { termsOf } from '../../src/daemon/search/query.ts';
import { QueryThread } from '../../src/daemon/search/query-thread.ts';
import { OpencodeDatabase } from '../../src/testing/opencode-database.ts';

const AGENTS = join(import.meta.dirname, '../../src/agent');
const PACE = { rest: async () => {}, progress: () => {}, nowMs: () => Date.now() };

/** An index over the homes of agents in a folder of its own. */
export class SearchWorld implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'ol-search-'));
  readonly state = join(this.root, 'state');
  readonly path = indexPath(this.state);
  readonly #thread = new QueryThread(this.path, realClock());
  readonly #bytesMax: number;
  #indexer: Indexer;

  constructor(bytesMax = 256 * 1024 ** 2) {
    mkdirSync(this.state, { recursive: true });
    this.#bytesMax = bytesMax;
    this.#indexer = this.#made();
  }

  /** As a new process finds it. */
  again(): this {
    this.#indexer.close();
    this.#indexer = this.#made();
    return this;
  }

  #made(): Indexer {
    const agents = allAgents(process.execPath, () => '');
    const { state, path, env } = this;
    return new Indexer({ state, path, bytesMax: this.#bytesMax, agents, env, folders: [] });
  }

  get env(): Record<string, string> {
    return { HOME: this.root };
  }

  /** Writes a file below the folder. */
  write(path: string, text: string): string {
    const whole = join(this.root, path);
    mkdirSync(join(whole, '..'), { recursive: true });
    writeFileSync(whole, text);
    return whole;
  }

  /** Tells the indexer about sessions, and lets it read what is new. */
  pass(sessions: readonly SessionFacts[] = [], isAll = false): Promise<PassResult | null> {
    return this.#indexer.pass({ sessions, isAll, upTo: 'abcdef-1' }, PACE);
  }

  find(query: string, wanted: Partial<Wanted> = {}): Promise<Hit[]> {
    const all = { kinds: [], agent: null, session: null, workspace: null, isOurs: false, sinceMs: 0 };
    const page = { before: Number.MAX_SAFE_INTEGER, limit: 50 };
    return find(this.#thread, { terms: termsOf(query), ...all, ...page, ...wanted });
  }

  /** The texts that are found, newest first. */
  async texts(query: string, wanted: Partial<Wanted> = {}): Promise<string[]> {
    return (await this.find(query, wanted)).map(({ text }) => text);
  }

  [Symbol.dispose](): void {
    this.#thread.stop();
    this.#indexer.close();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A conversation as Claude Code writes it: prompts and replies by turns. */
export function claudeText(
  cwd: string,
  turns: readonly (readonly [prompt: string, reply: string])[],
  atMs: number,
): string {
  const lines = turns.flatMap(([prompt, reply], i) => {
    const common = { parentUuid: null, isSidechain: false, cwd, timestamp: new Date(atMs + i * 1_000).toISOString() };
    const message = { id: `msg_${i}`, role: 'assistant', model: 'm', stop_reason: 'end_turn' };
    return [
      { ...common, type: 'user', message: { role: 'user', content: prompt } },
      { ...common, type: 'assistant', message: { ...message, content: [{ type: 'text', text: reply }] } },
    ];
  });
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The id of a conversation, by a number. */
export const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Where the agents look for their conversations, with one recorded conversation of each. */
export const RECORDED: readonly { agent: string; path: string; recorded: string }[] = [
  ['claude', `.claude/projects/-w/${idOf(1)}.jsonl`, 'transcript/resumed-and-complete/transcript.jsonl'],
  [
    'codex',
    `.codex/sessions/2026/11/01/rollout-2026-11-01T00-00-00-${idOf(2)}.jsonl`,
    'rollout/complete/rollout.jsonl',
  ],
  ['copilot', `.copilot/session-state/${idOf(3)}/events.jsonl`, 'events/complete/events.jsonl'],
  ['pi', `.pi/agent/sessions/--w--/2026-11-01T00-00-00-000Z_${idOf(4)}.jsonl`, 'session/killed-final/session.jsonl'],
  ['qwen', `.qwen/projects/-w/chats/${idOf(5)}.jsonl`, 'chat/a-tool-and-two-turns/chat.jsonl'],
  ['gemini', '.gemini/tmp/w/chats/session-2026-11-01T00-00-00000006.jsonl', 'chat/killed-after-tool/chat.jsonl'],
].map(([agent = '', path = '', name = '']) => ({
  agent,
  path,
  recorded: readFileSync(join(AGENTS, agent, 'cases', name), 'utf8'),
}));

/** Writes rows that were recorded of OpenCode into a database. */
export function fillOpencode(path: string, id: string, directory: string, atMs: number): void {
  const made = new OpencodeDatabase(path);
  made.session(id, { directory, time_created: atMs, time_updated: atMs });
  const recorded = readFileSync(join(AGENTS, 'opencode/cases/rows/complete/rows.jsonl'), 'utf8');
  const rows = new Map<string, { table: string; message: string; data: object }>();
  for (const line of readJsonLines(recorded).lines) {
    if (line.is !== 'object') continue;
    const { table, id: key, message_id, data } = line.fields;
    rows.set(String(key), { table: String(table), message: String(message_id), data: data as object });
  }
  for (const [key, { table, data }] of rows) if (table === 'message') made.message(key, id, data, atMs);
  for (const [key, { table, message, data }] of rows) if (table === 'part') made.part(key, [id, message], data, atMs);
  made.db.close();
}
