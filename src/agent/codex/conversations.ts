import type { About, Conversations, Files, Judged, Listed, ProcessFacts, Tail } from '../seam/conversations.ts';
import { asFields, asText, type Fields, type Line, readJsonLines } from '../seam/json.ts';
import { HIDDEN, isEndHidden, judgedTurn, wholeLines, withoutPrompt } from '../seam/line-conversations.ts';
import type { LineReader } from '../seam/lines.ts';
import { foundMode } from './modes.ts';
import { codexRecord } from './record.ts';
import { type Entry, entriesOf } from './rollout.ts';
import { codexHome } from './sources.ts';

type Env = Readonly<Record<string, string>>;

const ROLLOUT = /^rollout-.*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

/** The conversations of Codex. */
export const codexConversations: Conversations = {
  agent: 'codex',
  homes,
  list,
  // Every line may be of the turn.
  isNoise: () => false,
  judge,
  about,
  resume: { as: 'session', env: envFor },
  isWriter: (argv) => argv.slice(0, 3).some((word) => /^codex(\.js)?$/.test(word.slice(word.lastIndexOf('/') + 1))),
  holderOf,
};

function homes(files: Files, env: Env, more: readonly string[]): string[] {
  const all = [`${env.HOME ?? ''}/.codex`, codexHome(env), ...more].map((folder) => folder.replace(/\/+$/, ''));
  return [...new Set(all)].filter((folder) => files.names(`${folder}/sessions`).length > 0);
}

/** Rollouts are in folders of days. */
function list(files: Files, home: string): Listed[] {
  const below = (folders: readonly string[]): string[] =>
    folders.flatMap((folder) => files.names(folder).map((name) => `${folder}/${name}`));
  return below(below(below(below([`${home}/sessions`])))).flatMap((path): Listed[] => {
    const id = ROLLOUT.exec(path.slice(path.lastIndexOf('/') + 1))?.[1];
    return id === undefined ? [] : [{ id, path, home, key: null, owner: null, claim: null, judgement: null }];
  });
}

/** Judges the state of a conversation by the end of its rollout; null when the last turn begins before that. */
function judge({ text: read, isWhole }: Tail): Judged | null {
  const { text, torn } = wholeLines(read);
  const { lines } = readJsonLines(text);
  const rows = lines.flatMap((line) => (line.is === 'object' ? [line.fields] : []));
  const skipped = lines.length - rows.length;
  const started = rows.findLast(({ payload }) => asFields(payload)?.type === 'task_started');
  if (started === undefined && !isWhole) return null;
  if (started === undefined) {
    if (rows.length === 0 && skipped > 0) return { is: 'unreadable', why: 'nothing in it can be read', skipped };
    return withoutPrompt(lines.some(isWithin), skipped);
  }
  if (isOfSubagent(rows, started)) return { is: 'system', why: 'it belongs to a sub-agent', skipped };
  const judged = judgedTurn(codexRecord, text, lastAsked(text));
  const last = lines.flatMap(entriesOf).findLast(({ is }) => TURNING.includes(is));
  // The record is about prompts, and the prompt of this turn may be damaged.
  if (judged.is === 'interrupted' && last?.is !== 'begun' && last?.is !== 'prompt')
    return { is: 'complete', why: 'the last turn has ended', skipped };
  if (judged.is === 'interrupted' && isEndHidden(lines, isWithin)) return { ...HIDDEN, skipped };
  if (torn === null) return { ...judged, skipped };
  // The torn line may be the end of a turn, or a new one.
  if (judged.is !== 'interrupted' || mayEndTurn(torn)) return { is: 'unknown', why: 'the last line is torn', skipped };
  return { ...judged, skipped };
}

const WITHIN: readonly Entry['is'][] = ['begun', 'prompt', 'text', 'thinking', 'call', 'result'];

/** What begins a turn, or ends it. */
const TURNING: readonly Entry['is'][] = ['begun', 'prompt', 'ended', 'aborted'];

/** Is this line of a turn, and not its end? */
function isWithin(line: Line): boolean {
  return entriesOf(line).some(({ is }) => WITHIN.includes(is));
}

/** Only a line of another kind is certainly no end. */
function mayEndTurn(torn: string): boolean {
  const [, type] = /"type":"(\w+)"/.exec(torn) ?? [];
  if (type !== undefined && type !== 'event_msg') return false;
  const [, event] = /"payload":\{"type":"(\w+)"/.exec(torn) ?? [];
  return event === undefined || event === 'task_complete' || event === 'turn_aborted';
}

/** A sub-agent says whose it is in its first line, and its turns name the turn that began them. */
function isOfSubagent(rows: readonly Fields[], started: Fields): boolean {
  const meta = rows.find(({ type }) => type === 'session_meta');
  const source = asFields(meta?.payload)?.source;
  const turn = asFields(started.payload) ?? {};
  const root = asText(turn.root_turn_id);
  return asFields(source) !== null || (root !== null && root !== asText(turn.turn_id));
}

function lastAsked(text: string): string {
  const entries = readJsonLines(text).lines.flatMap(entriesOf);
  return entries.flatMap((entry) => (entry.is === 'prompt' ? [entry.text] : [])).at(-1) ?? '';
}

/** The first line, and the pieces of the end. */
function about(first: string): LineReader<readonly string[], About> {
  return {
    empty: [first],
    read: (pieces, lines) => [...pieces, lines],
    view: (pieces) => aboutOf(pieces.join('')),
  };
}

function aboutOf(text: string): About {
  const rows = readJsonLines(text).lines.flatMap((line) => (line.is === 'object' ? [line.fields] : []));
  const last = (type: string): Fields => asFields(rows.findLast((row) => row.type === type)?.payload) ?? {};
  const [meta, turn] = [last('session_meta'), last('turn_context')];
  const { open } = codexRecord.view(codexRecord.read(codexRecord.empty, text));
  const sandbox = asFields(turn.sandbox_policy);
  return {
    cwd: asText(turn.cwd) ?? asText(meta.cwd),
    model: asText(turn.model),
    mode: foundMode(asText(turn.approval_policy), asText(sandbox?.type) ?? asText(sandbox?.mode)),
    isLive: meta.source === 'cli',
    asked: lastAsked(text),
    open,
  };
}

/**
 * Codex holds the rollout open, and a lock that is named after the conversation. The screen of a person on a server
 * names the conversation too, but only the server writes to it.
 */
function holderOf({ id, path }: Pick<Listed, 'id' | 'path'>, processes: readonly ProcessFacts[]): number | null {
  const [home = ''] = path.split('/sessions/');
  const held = [path, `${home}/thread-writer-locks/${id}.lock`];
  const isHolder = ({ argv, writes }: ProcessFacts): boolean =>
    writes.some((each) => held.includes(each)) ||
    (argv.includes(id) && argv.includes('resume') && !argv.includes('--remote'));
  return processes.find(isHolder)?.pid ?? null;
}

/** Leaves the variable unset for the default folder. */
function envFor(env: Env, folder: string): Env {
  const { CODEX_HOME: named, ...rest } = env;
  return folder === `${env.HOME ?? ''}/.codex` && named !== folder ? rest : { ...rest, CODEX_HOME: folder };
}
