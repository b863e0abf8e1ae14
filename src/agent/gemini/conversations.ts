import type { Conversations, Files, Judged, Listed, Tail } from '../seam/conversations.ts';
import { asFields, asList, asText, type Fields, readJsonLines, readObject } from '../seam/json.ts';
import {
  aboutLines,
  judgeLines,
  type LineAbout,
  type LineFile,
  wholeLines,
  withoutPrompt,
} from '../seam/line-conversations.ts';
import { changeOf } from './chat.ts';
import { holderOf, isWriter, mayHold } from './holder.ts';
import { messagesAfter } from './messages.ts';
import { geminiRecord } from './record.ts';
import { geminiHome } from './settings.ts';

type Env = Readonly<Record<string, string>>;

const CHAT = /^session-\d{4}-\d\d-\d\dT\d\d-\d\d-([0-9a-f]{8})\.jsonl$/;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const CHATS: LineFile<unknown> = {
  record: geminiRecord,
  promptOf: (line) => {
    const change = changeOf(line);
    const messages = change?.do === 'put' ? [change.message] : change?.do === 'replace' ? change.messages : [];
    const last = messages.findLast(({ is }) => is === 'prompt');
    return last?.is === 'prompt' ? last.texts.join('\n') : null;
  },
  isWithin: (line) => line.is === 'object' && ['put', 'replace'].includes(changeOf(line)?.do ?? ''),
  // A time says nothing about the turn. Where bytes are zero, more lines may have been.
  mayEnd: (torn) => torn.includes('\0') || !torn.startsWith('{"$set":{"lastUpdated"'),
};

/** The conversations of Gemini CLI. */
export const geminiConversations: Conversations = {
  agent: 'gemini',
  homes,
  list,
  // Every line may be of the turn.
  isNoise: () => false,
  judge,
  about: aboutLines(CHATS, aboutOf),
  resume: { as: 'session', env: envFor },
  isWriter,
  holderOf,
  mayHold,
};

function homes(files: Files, env: Env, more: readonly string[]): string[] {
  const all = [`${env.HOME ?? ''}/.gemini`, geminiHome(env), ...more].map((folder) => folder.replace(/\/+$/, ''));
  return [...new Set(all)].filter((folder) => files.names(`${folder}/tmp`).length > 0);
}

function list(files: Files, home: string): Listed[] {
  return files.names(`${home}/tmp`).flatMap((project) => {
    const chats = `${home}/tmp/${project}/chats`;
    return firstFiles(files.names(chats)).flatMap((name): Listed[] => {
      const { sessionId, kind } = readObject(files.first(`${chats}/${name}`).split('\n', 1)[0] ?? '') ?? {};
      const id = asText(sessionId);
      if (id === null || !ID.test(id) || kind === 'subagent') return [];
      return [{ id, path: `${chats}/${name}`, home, key: null, owner: null, claim: null, judgement: null }];
    });
  });
}

/** The oldest file of each conversation: each resume in a later minute leaves another one, without the conversation. */
function firstFiles(names: readonly string[]): string[] {
  const first = new Map<string, string>();
  for (const name of names.toSorted()) {
    const [, start] = CHAT.exec(name) ?? [];
    if (start !== undefined && !first.has(start)) first.set(start, name);
  }
  return [...first.values()];
}

/** What its screen wrote down after the turn decides what the messages leave open. */
function judge(tail: Tail): Judged | null {
  const judged = judgeLines(CHATS, tail);
  const isOpen = judged?.is === 'interrupted' || judged?.is === 'unknown';
  const { text, torn } = wholeLines(tail.text);
  if (judged === null || !isOpen || torn !== null) return judged;
  if (isTakenOut(text)) return { ...judged, is: 'failed', why: 'the last turn failed, and is no longer in its record' };
  // A person went back to before the first prompt, or its line is damaged.
  const left = messagesAfter([], text);
  if (left.every(({ is }) => is !== 'prompt'))
    return withoutPrompt(
      left.some(({ is }) => is !== 'context'),
      judged.skipped,
    );
  const last = readJsonLines(text).lines.findLast((line) => line.is === 'object' && asText(line.fields.type) !== null);
  const { type, content } = last?.is === 'object' ? last.fields : {};
  if (type === 'error') return { ...judged, is: 'failed', why: `the last turn failed: ${asText(content) ?? ''}` };
  const isStopped = type === 'info' && STOPPED.test(asText(content) ?? '');
  return isStopped ? { ...judged, is: 'complete', why: 'a person stopped the turn' } : judged;
}

/** The messages of a turn that fails before any reply are taken out again: all others are written once more. */
function isTakenOut(text: string): boolean {
  const changes = readJsonLines(text).lines.flatMap((line) => changeOf(line) ?? []);
  const asked = changes.findLast((change) => change.do === 'put' && change.message.is === 'prompt');
  const last = changes.at(-1);
  if (asked?.do !== 'put' || last?.do !== 'replace') return false;
  return last.messages.every(({ id }) => id !== asked.message.id);
}

const STOPPED = /^(Request cancelled|User cancelled the request)\.$/;

/** Its mode is not recorded, nor whether it was on a screen. */
function aboutOf(rows: readonly Fields[], first: readonly Fields[]): LineAbout {
  const models = rows.flatMap(({ type, model }) => (type === 'gemini' ? (asText(model) ?? []) : []));
  return { cwd: folderIn([...first, ...rows]), model: models.at(-1) ?? null, mode: null, isLive: false };
}

/** The folder that it works in is only named in the first message, which is for the model. */
function folderIn(rows: readonly Fields[]): string | null {
  const messages = rows.flatMap((row) => [
    row,
    ...asList(asFields(row.$set)?.messages).map((one) => asFields(one) ?? {}),
  ]);
  const texts = messages.flatMap(({ content }) =>
    asList(content).flatMap((part) => asText(asFields(part)?.text) ?? []),
  );
  const context = texts.find((text) => /^\s*<session_context>/.test(text));
  return FOLDER.exec(context ?? '')?.[1] ?? null;
}

const FOLDER = /- \*\*Workspace Directories:\*\*\n {2}- (\/.*)\n/;

/** Leaves the variable unset for the folder in which it looks anyway. */
function envFor(env: Env, home: string): Env {
  return home === geminiHome(env) ? env : { ...env, GEMINI_CLI_HOME: home.replace(/\/\.gemini$/, '') };
}
