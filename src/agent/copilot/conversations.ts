import type { Conversations, Files, FoundMode, Listed, ProcessFacts } from '../seam/conversations.ts';
import { asFields, asText, type Fields } from '../seam/json.ts';
import { aboutLines, judgeLines, type LineAbout, type LineFile } from '../seam/line-conversations.ts';
import { type Event, eventsOf } from './events.ts';
import { copilotRecord } from './record.ts';
import { copilotHome, eventsFile } from './sources.ts';

type Env = Readonly<Record<string, string>>;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Events that end a turn, or begin one. */
const TURNING: readonly string[] = ['user.message', 'assistant.message', 'session.error', 'abort'];

const WITHIN: readonly Event['is'][] = ['prompt', 'asked', 'reply', 'started', 'ended'];

const EVENTS: LineFile<unknown> = {
  record: copilotRecord,
  promptOf: (line) => {
    const [event] = eventsOf(line);
    return event?.is === 'prompt' ? event.text : null;
  },
  isWithin: (line) => eventsOf(line).some(({ is }) => WITHIN.includes(is)),
  mayEnd: (torn) => {
    const [, type] = /^\{"type":"([^"]*)"/.exec(torn) ?? [];
    return type === undefined || TURNING.includes(type);
  },
};

/** The conversations of Copilot CLI. */
export const copilotConversations: Conversations = {
  agent: 'copilot',
  homes,
  list,
  // Every line may be of the turn.
  isNoise: () => false,
  judge: (tail) => judgeLines(EVENTS, tail),
  about: aboutLines(EVENTS, aboutOf),
  resume: { as: 'session', env: envFor },
  isWriter: (argv) => argv.slice(0, 4).some((word) => /(^|\/)copilot$/.test(word) || word.includes('/@github/copilot')),
  holderOf,
};

function homes(files: Files, env: Env, more: readonly string[]): string[] {
  const all = [`${env.HOME ?? ''}/.copilot`, copilotHome(env), ...more].map((folder) => folder.replace(/\/+$/, ''));
  return [...new Set(all)].filter((folder) => files.names(`${folder}/session-state`).length > 0);
}

function list(files: Files, home: string): Listed[] {
  const common = { home, key: null, owner: null, claim: null, judgement: null };
  const ids = files.names(`${home}/session-state`).filter((name) => ID.test(name));
  return ids.map((id) => ({ ...common, id, path: eventsFile(home, id) }));
}

function aboutOf(rows: readonly Fields[], first: readonly Fields[]): LineAbout {
  const begun = [...first, ...rows].findLast(isBegin);
  const used = rows.map(({ data }) => asText(asFields(data)?.model)).findLast((model) => model !== null);
  const data = asFields(begun?.data);
  return {
    cwd: asText(asFields(data?.context)?.cwd),
    model: used ?? asText(data?.selectedModel),
    mode: modeOf(rows),
    // Its file does not say whether it was on a screen.
    isLive: false,
  };
}

/** A process that may do everything says so after it opened the conversation. Any other one asks or is denied. */
function modeOf(rows: readonly Fields[]): FoundMode | null {
  const begun = rows.findLastIndex(isBegin);
  const since = begun < 0 ? [] : rows.slice(begun);
  const changed = since.findLast(({ type }) => type === 'session.permissions_changed');
  return asFields(changed?.data)?.allowAllPermissions === true ? { mode: 'none', word: 'allow-all' } : null;
}

function isBegin({ type }: Fields): boolean {
  return type === 'session.start' || type === 'session.resume';
}

/** Copilot holds a file open in the folder of the conversation, and its arguments may name it before that. */
function holderOf({ id }: Pick<Listed, 'id'>, processes: readonly ProcessFacts[]): number | null {
  const named = [`--resume=${id}`, `--session-id=${id}`];
  const isHolder = ({ argv, writes }: ProcessFacts): boolean =>
    writes.some((path) => path.includes(`/session-state/${id}/inuse.`)) || argv.some((word) => named.includes(word));
  return processes.find(isHolder)?.pid ?? null;
}

/** Leaves the variable unset for the default folder. */
function envFor(env: Env, folder: string): Env {
  return folder === copilotHome(env) ? env : { ...env, COPILOT_HOME: folder };
}
