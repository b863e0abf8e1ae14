import { randomUUID } from 'node:crypto';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '../src/agent/seam/conversations.ts';

/** A conversation that was written, and the verdict that a scan should give. */
export interface Kept {
  readonly id: string;
  readonly path: string;
  readonly verdict: Verdict;
}

interface Where {
  /** Default: a new one. */
  readonly id?: string;
  /** The agent's own folder. */
  readonly config: string;
  readonly cwd: string;
  /** The size of a hole at the start of the file. */
  readonly holeBytes?: number;
  readonly agoMs?: number;
  /** The age of its records by their own timestamps. */
  readonly saidAgoMs?: number;
  /** By the name that the agent uses. */
  readonly permissionMode?: string;
  /** Appended at the end of the file. */
  readonly after?: string;
}

type Line = Readonly<Record<string, unknown>>;

const MESSAGE = { id: 'msg_1', role: 'assistant', model: 'claude-sonnet-4-6' };
const CALL = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'make test' } };
const TEXT = { type: 'text', text: 'all done' };

const prompt = (content: unknown): Line => ({ type: 'user', message: { role: 'user', content } });
const reply = (content: readonly unknown[], stop: string | null): Line => ({
  type: 'assistant',
  message: { ...MESSAGE, content, stop_reason: stop },
});
const failure = (error: string, text: string): Line => ({
  ...reply([{ type: 'text', text }], 'stop_sequence'),
  isApiErrorMessage: true,
  error,
});

/** The verdict and the last lines of a conversation in each state. A string is written as it is. */
const STATES = {
  asked: ['interrupted', prompt('make the tests pass, please')],
  called: ['interrupted', prompt('make the tests pass'), reply([TEXT, CALL], 'tool_use')],
  done: ['complete', prompt('hello'), reply([TEXT], 'end_turn')],
  thanks: ['trivial', prompt('hello'), reply([TEXT], 'end_turn'), prompt('👍👍 thanks!')],
  limited: ['limited', prompt('hello'), failure('rate_limit', "You've hit your session limit · resets 7am (UTC)")],
  failed: ['failed', prompt('hello'), failure('unknown', 'API Error: 400 no')],
  question: ['waiting', prompt('hello'), reply([{ ...CALL, name: 'AskUserQuestion' }], 'tool_use')],
  damaged: ['unknown', prompt('hello'), reply([TEXT], 'end_turn'), '{"type":"user","mess\0\0age"}\n'],
  torn: ['interrupted', prompt('hello'), reply([CALL], 'tool_use'), '{"parentUuid":"x","type":"user","mes'],
  noisy: ['complete', prompt('hello'), reply([TEXT], 'end_turn'), ...noise(400)],
} satisfies Readonly<Record<string, readonly [Verdict, ...(Line | string)[]]>>;

type State = keyof typeof STATES;

/** The names of all states. */
export const STATE_NAMES = Object.keys(STATES) as State[];

/** Writes a conversation in this state, as an agent would have left it. */
export function keep(
  state: State,
  { config, cwd, id = randomUUID(), holeBytes = 0, agoMs = 0, saidAgoMs = 0, after = '', ...where }: Where,
): Kept {
  const [verdict, ...lines]: readonly [Verdict, ...(Line | string)[]] = STATES[state];
  const folder = join(config, 'projects', cwd.replaceAll(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${id}.jsonl`);
  const timestamp = new Date(Date.now() - saidAgoMs).toISOString();
  const common = {
    parentUuid: null,
    timestamp,
    entrypoint: 'sdk-cli',
    isSidechain: false,
    sessionId: id,
    cwd,
    permissionMode: where.permissionMode ?? 'bypassPermissions',
  };
  const rows = lines.map((line, i) =>
    typeof line === 'string' ? line : `${JSON.stringify({ ...common, uuid: `u${i}`, ...line })}\n`,
  );
  if (after !== '') rows.push(after);
  if (holeBytes === 0) writeFileSync(path, rows.join(''));
  else {
    writeFileSync(path, '');
    sparse(path, holeBytes, `\n${rows.join('')}`);
  }
  const at = new Date(Date.now() - agoMs);
  utimesSync(path, at, at);
  return { id, path, verdict };
}

function sparse(path: string, holeBytes: number, text: string): void {
  const { ftruncateSync, openSync, writeSync, closeSync } = process.getBuiltinModule('node:fs');
  const file = openSync(path, 'r+');
  ftruncateSync(file, holeBytes);
  writeSync(file, text, holeBytes);
  closeSync(file);
}

function noise(count: number): string[] {
  return Array.from(
    { length: count },
    (_, i) => `{"type":"file-history-snapshot","n":${i},"x":"${'y'.repeat(200)}"}\n`,
  );
}
