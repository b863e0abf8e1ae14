import type { Claimed, Conversations, Files, Listed } from '../seam/conversations.ts';
import { asFields, asNumber, asText, type Fields, readObject } from '../seam/json.ts';
import { aboutLines, judgeLines, type LineAbout, type LineFile } from '../seam/line-conversations.ts';
import { entriesOf } from './chat.ts';
import { holderOf, isWriter } from './holder.ts';
import { qwenRecord } from './record.ts';
import { qwenHome, runtimeHome } from './sources.ts';

type Env = Readonly<Record<string, string>>;

const CHAT = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;

const CHATS: LineFile<unknown> = {
  record: qwenRecord,
  promptOf: (line) => {
    const [entry] = entriesOf(line);
    return entry?.is === 'prompt' && entry.how === 'typed' ? entry.text : null;
  },
  isWithin: (line) => entriesOf(line).some(({ is }) => is === 'prompt' || is === 'reply' || is === 'results'),
  mayEnd: (torn) => /"type":"(tool_result|system)"/.exec(torn) === null,
  isStopped,
  isPartial: (lines) => {
    const last = lines.flatMap(entriesOf).findLast(({ is }) => is === 'prompt' || is === 'reply' || is === 'results');
    return last?.is === 'reply' && last.blocks.every(({ is }) => is !== 'call');
  },
};

/** The conversations of Qwen Code. */
export const qwenConversations: Conversations = {
  agent: 'qwen',
  homes,
  list,
  // Every line may be of the turn.
  isNoise: () => false,
  judge: (tail) => judgeLines(CHATS, tail),
  about: aboutLines(CHATS, aboutOf),
  resume: { as: 'session', env: envFor },
  claims: claimsOf,
  isWriter,
  holderOf,
};

function homes(files: Files, env: Env, more: readonly string[]): string[] {
  const all = [`${env.HOME ?? ''}/.qwen`, qwenHome(env), runtimeHome(env), ...more];
  return [...new Set(all.map((folder) => folder.replace(/\/+$/, '')))].filter(
    (folder) => files.names(`${folder}/projects`).length > 0,
  );
}

function list(files: Files, home: string): Listed[] {
  const claims = new Map(claimsOf(files, home).map(({ conversation, claim }) => [conversation, claim]));
  return files.names(`${home}/projects`).flatMap((project) => {
    const chats = `${home}/projects/${project}/chats`;
    return files.names(chats).flatMap((name): Listed[] => {
      const id = CHAT.exec(name)?.[1];
      const common = { path: `${chats}/${name}`, home, key: null, owner: null, judgement: null };
      return id === undefined ? [] : [{ ...common, id, claim: claims.get(id) ?? null }];
    });
  });
}

/** What processes with a screen report about themselves. The start of one is written as `BOOT:TICKS`. */
function claimsOf(files: Files, home: string): Claimed[] {
  return files.names(`${home}/sessions`).flatMap((name): Claimed[] => {
    const state = name.endsWith('.json') ? readObject(files.text(`${home}/sessions/${name}`) ?? '') : null;
    const [pid, conversation] = [asNumber(state?.pid), asText(state?.sessionId)];
    if (pid === null || !Number.isSafeInteger(pid) || pid <= 0 || conversation === null) return [];
    const start = asText(state?.procStart)?.split(':').at(-1) ?? null;
    return [{ conversation, claim: { pid, start, status: 'unknown', atMs: asNumber(state?.startedAt) } }];
  });
}

/** A call that a person cancelled ends the turn, without another message. */
function isStopped(rows: readonly Fields[]): boolean {
  const last = rows.findLast(({ type }) => type !== 'system');
  return asFields(last?.toolCallResult)?.status === 'cancelled';
}

/** Its mode is not recorded, nor whether it was on a screen. */
function aboutOf(rows: readonly Fields[]): LineAbout {
  const newest = (name: string): string | null => asText(rows.findLast((row) => asText(row[name]) !== null)?.[name]);
  return { cwd: newest('cwd'), model: newest('model'), mode: null, isLive: false };
}

/** Leaves the variable unset for the folders in which it looks anyway. */
function envFor(env: Env, folder: string): Env {
  return folder === runtimeHome(env) ? env : { ...env, QWEN_RUNTIME_DIR: folder };
}
