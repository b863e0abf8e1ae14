import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { callerSession } from '../owners/owners.ts';
import type { Hit } from '../search/find.ts';
import { KINDS } from '../search/pieces.ts';
import { type Term, termsOf } from '../search/query.ts';
import { snippetOf } from '../search/snippet.ts';
import type { Parts } from '../serve/parts.ts';

type Found = CallOutput<'search.query'>['found'][number];

/** How much of a text is shown around its matches. */
const SNIPPET_CHARS_MAX = 240;

/** Searches the conversations. A session finds what it can read anyway: those of sessions. */
export async function searchQuery(
  { search, journal, sessions, clock }: Parts,
  input: HandlerInput<'search.query'>,
): Promise<CallOutput<'search.query'>> {
  const { words, agent, session, workspace, newerThanMs, only, limit, before, full, waitMs, caller } = input;
  const terms = termsOf(words);
  const wanted = {
    ...{ terms, agent: agent ?? null, workspace: folderOf(workspace) },
    kinds: only === undefined ? [] : KINDS.filter((kind) => [only].flat().includes(kind)),
    session: session === undefined ? null : sessions.find(session).session.id,
    isOurs: callerSession(journal, caller) !== null,
    sinceMs: newerThanMs === undefined ? 0 : clock.wallMs() - newerThanMs,
    before: before ?? Number.MAX_SAFE_INTEGER,
    // One more shows that there are more.
    limit: limit + 1,
  };
  const hits = await search.find(wanted, waitMs);
  const shown = hits.slice(0, limit);
  return {
    found: shown.flatMap((hit) => foundOf(journal, hit, terms, full) ?? []),
    more: hits.length > limit ? (shown.at(-1)?.id ?? null) : null,
    index: await search.status(),
  };
}

function folderOf(workspace: string | undefined): string | null {
  return workspace === undefined ? null : workspace.replace(/(?<=.)\/+$/, '');
}

/** Null: its session was removed, and the index does not know that yet. */
function foundOf(journal: Parts['journal'], hit: Hit, terms: readonly Term[], full: boolean): Found | null {
  const { id, kind, agent, conversation, path, atMs, cwd } = hit;
  const row = hit.session === null ? null : journal.find(hit.session);
  if (hit.session !== null && row === null) return null;
  const session = row === null ? null : { id: row.session.id, name: row.session.spec.name, live: row.live };
  // A session that was passed on counts the turns of all of its conversations.
  const turn = row?.session.conversation.earlier === undefined ? hit.turn : null;
  const { text, marks, cut } = snippetOf(hit.text, terms, full ? Number.MAX_SAFE_INTEGER : SNIPPET_CHARS_MAX);
  const places = { workspace: cwd, path, atMs, turn };
  return { id, kind, agent, conversation, session, ...places, text, marks: [...marks], cut };
}
