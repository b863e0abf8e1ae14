import type { About, Claimed, Conversations, Files, Listed } from '../seam/conversations.ts';
import { asFields, asText, type Fields, readJsonLines } from '../seam/json.ts';
import type { LineReader } from '../seam/lines.ts';
import { holderOf, isWriter } from './holder.ts';
import { modeFound } from './modes.ts';
import { readStateFile } from './state-file.ts';
import { isNoise, judgeTail } from './tail.ts';
import { conversationState, readLines } from './transcript.ts';
import { type Entry, SYNTHETIC } from './transcript-entry.ts';

type Env = Readonly<Record<string, string>>;

/** The agent, and where it keeps its files by default. */
interface Kept {
  readonly name: string;
  readonly home: (env: Env) => string;
  readonly program: readonly string[];
}

const ID = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;
/** Older versions write the transcripts of sub-agents beside the conversation. */
const SUB_AGENT = /^(agent-[\w-]+)\.jsonl$/;
const SUB_AGENT_JUDGEMENT = { is: 'system', why: 'it belongs to a sub-agent' } as const;

/** The conversations of Claude Code, or of a program that stores them the same way. */
export function claudeConversations({ name, home, program }: Kept): Conversations {
  return {
    agent: name,
    homes: (files, env, more) => homes(files, env, home(env), more),
    list,
    isNoise,
    judge: judgeTail,
    about,
    resume: { as: 'session', env: (env, folder) => envFor(env, folder, home(env)) },
    claims: claimsOf,
    isWriter: (argv) => isWriter(program, argv),
    holderOf,
  };
}

/** The default folder, the one that the environment names, and folders beside it that look like one. */
function homes(files: Files, env: Env, usual: string, more: readonly string[]): string[] {
  const above = usual.slice(0, usual.lastIndexOf('/'));
  const name = usual.slice(above.length + 1);
  const beside = files.names(above).filter((other) => other.startsWith(`${name}-`) || other.startsWith(`${name}_`));
  const named = env.CLAUDE_CONFIG_DIR ? [env.CLAUDE_CONFIG_DIR] : [];
  const all = [usual, ...named, ...beside.map((other) => `${above}/${other}`), ...more];
  return [...new Set(all.map((folder) => folder.replace(/\/+$/, '')))].filter(
    (folder) => files.names(`${folder}/projects`).length > 0,
  );
}

function list(files: Files, home: string): Listed[] {
  const claims = new Map(claimsOf(files, home).map(({ conversation, claim }) => [conversation, claim]));
  return files.names(`${home}/projects`).flatMap((project) =>
    files.names(`${home}/projects/${project}`).flatMap((name): Listed[] => {
      const path = `${home}/projects/${project}/${name}`;
      const common = { path, home, key: null, owner: null };
      const id = ID.exec(name)?.[1];
      if (id !== undefined) return [{ ...common, id, claim: claims.get(id) ?? null, judgement: null }];
      const subAgent = SUB_AGENT.exec(name)?.[1];
      return subAgent === undefined ? [] : [{ ...common, id: subAgent, claim: null, judgement: SUB_AGENT_JUDGEMENT }];
    }),
  );
}

/** What running processes report in their state files, the most recent report last. */
function claimsOf(files: Files, home: string): Claimed[] {
  const claimed = files.names(`${home}/sessions`).flatMap((name): Claimed[] => {
    const state = name.endsWith('.json') ? readStateFile(files.text(`${home}/sessions/${name}`) ?? '') : null;
    if (state?.conversation == null) return [];
    const status = state.status === 'shell' ? 'idle' : state.status;
    const claim = { pid: state.pid, start: state.procStart, status, atMs: state.updatedAtMs };
    return [{ conversation: state.conversation, claim }];
  });
  return claimed.sort((a, b) => (a.claim.atMs ?? 0) - (b.claim.atMs ?? 0));
}

/** The pieces of the end of a conversation, as they were read. */
interface Pieces {
  readonly entries: readonly (readonly Entry[])[];
  readonly rows: readonly (readonly Fields[])[];
}

function about(first: string, listed: Listed): LineReader<Pieces, About> {
  return {
    empty: { entries: [], rows: [rowsOf(first)] },
    read: ({ entries, rows }, lines) => ({
      entries: [...entries, readLines(lines).entries],
      rows: [...rows, rowsOf(lines)],
    }),
    view: ({ entries, rows }) => aboutOf(entries.flat(), rows.flat(), listed),
  };
}

function aboutOf(entries: readonly Entry[], rows: readonly Fields[], { path }: Listed): About {
  const main = entries.filter((entry) => entry.sidechain === null);
  const { openToolCalls, lastPrompt } = conversationState(main);
  const newest = (name: string): string | null => asText(rows.findLast((row) => asText(row[name]) !== null)?.[name]);
  return {
    cwd: cwdOf(rows, path),
    model: modelOf(main, rows),
    mode: modeFound(newest('permissionMode')),
    isLive: newest('entrypoint') === 'cli',
    asked: lastPrompt ?? '',
    open: openToolCalls.map(({ id, name, input }) => ({ id, tool: name, input: JSON.stringify(input) ?? '' })),
  };
}

function rowsOf(text: string): Fields[] {
  return readJsonLines(text).lines.flatMap((line) => (line.is === 'object' ? [line.fields] : []));
}

/**
 * The folder to resume from: the agent finds a conversation only from the folder that the transcript folder is named
 * after.
 */
function cwdOf(rows: readonly Fields[], path: string): string | null {
  const project = path.split('/').at(-2) ?? '';
  const all = rows.flatMap((row) => (row.isSidechain === true ? [] : (asText(row.cwd) ?? [])));
  const isIt = (cwd: string): boolean => cwd.replaceAll(/[^A-Za-z0-9]/g, '-').slice(0, 200) === project.slice(0, 200);
  return all.find(isIt) ?? all[0] ?? null;
}

/** The model that answered last, else the one that was requested, else the one that the agent was configured with. */
function modelOf(main: readonly Entry[], rows: readonly Fields[]): string | null {
  const reply = main.findLast((entry) => entry.is === 'reply' && entry.model !== null && entry.model !== SYNTHETIC);
  if (reply?.is === 'reply') return reply.model;
  const request = rows.findLast(({ type }) => type === 'api-request');
  const asked = asText(asFields(request?.params)?.model);
  if (asked !== null) return asked;
  const configured = rows.findLast(({ attachment }) => asFields(attachment)?.type === 'model');
  return asText(asFields(asFields(configured?.attachment)?.identity)?.modelId);
}

/** Leaves the variable unset for the default folder: with it, the agent would look for its settings elsewhere. */
function envFor(env: Env, folder: string, usual: string): Env {
  const { CLAUDE_CONFIG_DIR: named, ...rest } = env;
  const isUsual = folder === usual && named !== folder;
  return isUsual ? rest : { ...rest, CLAUDE_CONFIG_DIR: folder };
}
