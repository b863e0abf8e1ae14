import { realpathSync, statSync } from 'node:fs';
import type { Agent } from '../agent/seam/agent.ts';
import type { RecordSource } from '../agent/seam/record.ts';
import { CLOCK_SLACK_MS, type LostConversation, type RecordSearch } from '../agent/seam/record-search.ts';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { nameOf } from '../core/name.ts';
import { say } from '../core/say.ts';
import { type ConversationId, type Prompt, runOf, type Session } from '../core/session.ts';
import type { ConversationSearch, TerminalSnapshot, TranscriptSnapshot } from '../core/snapshot.ts';
import { runFolder } from '../terminal/run-folder.ts';
import { type AskedFiles, askedFiles } from './agent-files.ts';
import { tailOf } from './source-tail.ts';
import type { WorldView } from './world-state.ts';

/** A file that is longer is not searched. Most of those that a search reads hold the beginning of one turn. */
const BYTES_MAX = 64 * 1024 * 1024;

type SearchWorld = Pick<WorldView, 'state' | 'clock' | 'transcriptReader' | 'beside'>;

interface Fit {
  readonly id: string;
  readonly transcript: string | null;
}

/**
 * Looks for the conversation of a run that has ended before its agent said which one it began. It is made only where a
 * prompt was sent and the id is not known.
 */
export async function searchSnapshot(
  world: SearchWorld,
  session: Session,
  agent: Agent,
  terminal: TerminalSnapshot,
): Promise<Pick<TranscriptSnapshot, 'search'>> {
  const sent = session.prompts.filter((p) => p.run > 0 && p.state !== 'queued');
  const { conversation, phase, spec } = session;
  const isNamed = spec.conversation === undefined || (conversation.id ?? spec.conversation.id) !== null;
  // Before a run is opened there is nothing that it can have begun.
  if (isNamed || sent.length === 0 || terminal.is === 'alive' || phase.at === 'opening') return {};
  return agent.record === undefined ? {} : { search: await search(world, session, agent, sent) };
}

async function search(
  world: SearchWorld,
  session: Session,
  { name, record }: Agent,
  sent: readonly Prompt[],
): Promise<ConversationSearch> {
  if (record?.find === undefined) return unknown(`${name} does not say which one that is`);
  const keysOf = (text: string): readonly string[] => record.keysOf(text);
  const lost = lostBy(world, session, keysIn(sent, keysOf));
  const files = askedFiles();
  const plan = record.find(files, () => world.transcriptReader.env(session), lost);
  const found = await fitsIn(plan, files, lost);
  if ('is' in found) return found;
  const beside = world.beside?.(session) ?? [];
  const known = new Set(beside.map(idOf));
  const fits = [...new Map(found.fits.map((fit) => [fit.id, fit])).values()].filter(({ id }) => !known.has(id));
  const rivals = beside.filter((other) => isRival(other, lost, keysOf));
  return decided(fits, rivals);
}

function decided(fits: readonly Fit[], rivals: readonly Session[]): ConversationSearch {
  const [first] = fits;
  if (first === undefined) return { is: 'none' };
  const ids = fits.map(({ id }) => id).join(', ');
  if (fits.length > 1)
    return { is: 'several', why: `${fits.length} conversations match its folder, its time and its prompt: ${ids}` };
  if (rivals.length > 0)
    return { is: 'several', why: `conversation ${ids} may be its own or that of ${rivals.map(nameOf).join(', ')}` };
  return { is: 'found', conversation: first.id as ConversationId, transcript: first.transcript };
}

/** Reads what the adapter names. What cannot be read may hold the one that is looked for. */
async function fitsIn(
  { sources, reader }: RecordSearch,
  files: AskedFiles,
  lost: LostConversation,
): Promise<ConversationSearch | { readonly fits: readonly Fit[] }> {
  const fits: Fit[] = [];
  try {
    for (const source of sources.filter((each) => isRecent(each, lost))) {
      const tail = tailOf(source, reader);
      await tail.readOn(BYTES_MAX);
      if (tail.isCut) return unknown(`${source.path} is too long to be searched`);
      fits.push(...tail.view.map((id) => ({ id, transcript: source.is === 'file' ? source.path : null })));
    }
  } catch (error) {
    if (!(error instanceof OutlastError) && errnoOf(error) === '') throw error;
    return unknown((error as Error).message);
  }
  const [unread] = files.unread;
  return unread === undefined ? { fits } : unknown(`${unread} cannot be read now`);
}

/** A file that was there before the run began, or was not written to since, holds no conversation of it. */
function isRecent(source: RecordSource, { sinceMs }: LostConversation): boolean {
  if (source.is !== 'file') return true;
  const stat = statSync(source.path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  const earliestMs = sinceMs - CLOCK_SLACK_MS;
  // Where the file system keeps no such time it is 0.
  const isNew = stat.birthtimeMs === 0 || stat.birthtimeMs >= earliestMs;
  return isNew && stat.mtimeMs >= earliestMs;
}

function lostBy({ state, clock }: SearchWorld, session: Session, keys: readonly string[]): LostConversation {
  const { id, spec, prompts } = session;
  const files = (run: number) => runFolder(state, { session: id, run });
  const begun = prompts.flatMap((p) => (p.run > 0 ? (writtenAtMs(files(p.run).claim) ?? p.sentAtMs) : []));
  const untilMs = writtenAtMs(files(runOf(session)).exit) ?? clock.wallMs();
  const workspaces = [...new Set([spec.workspace, realOf(spec.workspace)])];
  return { workspaces, sinceMs: Math.min(...begun), untilMs, keys };
}

/** Another session got the same prompt at the same time, and its conversation is not known either. */
function isRival(other: Session, { keys, untilMs }: LostConversation, keysOf: (text: string) => readonly string[]) {
  if (idOf(other) !== null) return false;
  const sent = other.prompts.filter((p) => p.run > 0 && p.sentAtMs <= untilMs + CLOCK_SLACK_MS);
  const said = other.turn.last === null ? [] : keysOf(other.turn.last.said);
  return [...keysIn(sent, keysOf), ...said].some((key) => keys.includes(key));
}

function keysIn(prompts: readonly Prompt[], keysOf: (text: string) => readonly string[]): readonly string[] {
  return prompts.flatMap((p) => keysOf(say(p)?.text ?? ''));
}

function idOf({ conversation, spec }: Session): string | null {
  return conversation.id ?? spec.conversation?.id ?? null;
}

function writtenAtMs(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function unknown(why: string): ConversationSearch {
  return { is: 'unknown', why };
}
