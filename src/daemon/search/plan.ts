import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../../agent/seam/agent.ts';
import type { LineReader } from '../../agent/seam/lines.ts';
import type { RecordSource, TurnRead } from '../../agent/seam/record.ts';
import type { SessionId } from '../../core/session.ts';
import { askedFiles } from '../../supervisor/agent-files.ts';
import { readCallerProcess } from '../../supervisor/caller-process.ts';
import { sessionFolder } from '../../terminal/run-folder.ts';
import type { ConversationFacts, SessionFacts } from './facts.ts';
import type { Source, StoredSource } from './index-writer.ts';
import { journalTurns } from './journal-turns.ts';
import { databaseKey, folderOf, type Listing, type Stored } from './listing.ts';
import { keyOf } from './turn-file.ts';

/** One conversation to be read, and how. */
export interface Planned {
  readonly source: Source;
  readonly from: RecordSource;
  readonly turns: LineReader<unknown, readonly TurnRead[]>;
  /** Later lines may change what earlier ones say, so it is read as a whole. */
  readonly isWhole: boolean;
  /** Identity, size and time of what it is in. */
  readonly fileKey: string;
}

/** What the plan is made of. */
export interface PlanParts {
  readonly state: string;
  readonly env: Readonly<Record<string, string>>;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly listing: Listing;
  readonly sessions: readonly SessionFacts[];
  /** Conversations of sessions that were removed, and until when they belonged to them. */
  readonly removed: ReadonlyMap<string, number>;
  readonly known: ReadonlyMap<string, StoredSource>;
}

/** All conversations that belong into the index, the newest first. */
export function planned(parts: PlanParts): Planned[] {
  const { listing, sessions, removed, agents } = parts;
  const listed = new Map(listing.stored.map((one) => [`${one.agent.name} ${one.listed.id}`, one]));
  const owners = new Map<string, SessionFacts>();
  const plans = new Map<string, Planned>();
  for (const session of sessions) {
    for (const conversation of session.conversations) {
      const key = `${conversation.agent} ${conversation.id}`;
      owners.set(key, session);
      if (conversation.id !== null && listed.has(key)) continue;
      const plan = ownPlan(parts, session, conversation, agents[conversation.agent]);
      if (plan !== null) plans.set(plan.source.key, plan);
    }
  }
  for (const [key, one] of listed) {
    const owner = owners.get(key) ?? null;
    if (owner === null && one.atMs <= (removed.get(key) ?? 0)) continue;
    const plan = listedPlan(parts, one, owner);
    if (plan !== null) plans.set(key, plan);
  }
  return [...plans.values()].sort((a, b) => b.source.atMs - a.source.atMs);
}

/** A conversation in the store of its agent. */
function listedPlan({ known, env }: PlanParts, one: Stored, owner: SessionFacts | null): Planned | null {
  const { agent, listed, path, atMs, fileKey } = one;
  const { record, conversations } = agent;
  if (record === undefined || conversations === undefined) return null;
  const key = `${agent.name} ${listed.id}`;
  const before = known.get(key);
  const cwd = owner?.workspace ?? before?.cwd ?? folderOf(agent, listed);
  const session = owner?.id ?? null;
  const source = { key, agent: agent.name, conversation: listed.id, session, path, cwd, atMs };
  const from = listed.stored === undefined ? ({ is: 'file', path } as const) : databaseOf(agent, one, env);
  if (from === null) return null;
  return { source, from, turns: record.turns, isWhole: from.is === 'database' || record.rewrites === true, fileKey };
}

/** How the agent itself would find this conversation in its database. */
function databaseOf({ record, conversations }: Agent, { listed }: Stored, own: PlanParts['env']): RecordSource | null {
  const resume = conversations?.resume;
  if (record === undefined || resume?.as !== 'session') return null;
  const env = resume.env(own, listed.home);
  return record.sources(askedFiles(), () => env, { id: listed.id, reported: null }).main;
}

/** A conversation that is stored elsewhere, or what the journal has of it. */
function ownPlan(
  { state, known }: PlanParts,
  session: SessionFacts,
  { agent: name, id, reported }: ConversationFacts,
  agent: Agent | undefined,
): Planned | null {
  const common = { agent: name, session: session.id, cwd: session.workspace };
  const key = `${name} ${id}`;
  const before = known.get(key);
  const record = agent?.record;
  if (record !== undefined && id !== null) {
    // Looking for it is slow, so a file is looked for once.
    const isKnown = before?.place?.includes('"guard"') === true && existsSync(before.path);
    const from = isKnown
      ? ({ is: 'file', path: before.path } as const)
      : recorded(state, session, { agent: name, id, reported }, record);
    const file = from === null ? null : placed(from);
    if (from !== null && file !== null) {
      const source = { ...common, key, conversation: id, path: from.path, atMs: file.atMs };
      const isWhole = from.is === 'database' || record.rewrites === true;
      return { source, from, turns: record.turns, isWhole, fileKey: file.fileKey };
    }
  }
  const path = join(sessionFolder(state, session.id), 'events.jsonl');
  const file = placed({ is: 'file', path });
  if (file === null) return null;
  const source = { ...common, key: `session ${session.id}`, conversation: id ?? '', path, atMs: file.atMs };
  return { source, from: { is: 'file', path }, turns: journalTurns, isWhole: false, fileKey: file.fileKey };
}

function recorded(
  state: string,
  { id: session, workspace }: SessionFacts,
  { id, reported }: ConversationFacts,
  record: NonNullable<Agent['record']>,
): RecordSource | null {
  try {
    const env = () => readCallerProcess(state, session as SessionId).env;
    return record.sources(askedFiles(), env, { id, reported, workspace }).main;
  } catch {
    // The environment of its caller is gone, or cannot be read.
    return null;
  }
}

function placed(from: RecordSource): { readonly atMs: number; readonly fileKey: string } | null {
  const stat = statSync(from.path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return null;
  return { atMs: stat.mtimeMs, fileKey: from.is === 'file' ? keyOf(stat) : databaseKey(from.path) };
}
