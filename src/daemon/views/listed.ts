import type { HandlerInput } from '../../api/contract.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Session } from '../../core/session.ts';
import type { Journal, Row } from '../../journal/journal.ts';

type Query = Omit<HandlerInput<'session.list'>, 'tail'>;

interface ListParts {
  readonly journal: Pick<Journal, 'list' | 'find'>;
  readonly sessions: { find(word: string): Row };
  readonly clock: { wallMs(): number };
  /** True when it is owned by that session, directly or through others. */
  readonly isBelow: (session: Session, above: Session) => boolean;
}

/**
 * The sessions of a list. Live ones always come first: fifty short commands must not hide a session that runs or needs
 * a person. Each kind is newest first.
 */
export function listed(parts: ListParts, query: Query): Row[] {
  const isWanted = filterOf(parts, query);
  const rows: Row[] = [];
  for (const row of allOf(parts.journal, query)) {
    if (isWanted(row)) rows.push(row);
    if (rows.length >= query.limit) break;
  }
  return rows;
}

function* allOf(journal: Bound, { state, before, limit }: Query): Rows {
  const isBeforeEnded = before !== undefined && journal.find(before)?.live !== true;
  // A caller that continues after an ended session has seen the live ones.
  if (state !== 'ended' && !(state === 'all' && isBeforeEnded)) yield* pagesOf(journal, 'live', limit, before);
  if (state !== 'live') yield* pagesOf(journal, 'ended', limit, state === 'all' && !isBeforeEnded ? undefined : before);
}

type Rows = Generator<Row, void, void>;
type Bound = Pick<Journal, 'list' | 'find'>;

/**
 * Reads rows in pages. Each row is parsed when it is read: the first page is as large as requested and usually enough.
 */
function* pagesOf(journal: Bound, state: 'live' | 'ended', first: number, before: string | undefined): Rows {
  for (let from = before, limit = first; ; limit = LIMITS.feedEventsMax) {
    const page = journal.list({ state, limit, ...(from !== undefined && { before: from }) });
    yield* page;
    // An unreadable session is left out, so a short page need not be the last one.
    if (page.length === 0 && limit >= LIMITS.feedEventsMax) return;
    from = page.at(-1)?.session.id ?? from;
  }
}

function filterOf({ isBelow, sessions, clock }: ListParts, query: Query): (row: Row) => boolean {
  const { phase, agent, workspace, olderThanMs, newerThanMs } = query;
  const above = query.below === undefined ? null : sessions.find(query.below).session;
  const owner = query.owner === undefined ? null : sessions.find(query.owner).session.id;
  const ageMs = (session: Session): number => clock.wallMs() - session.created.wallMs;
  return ({ session, unreadableAt }) =>
    (phase === undefined || (unreadableAt === null ? session.phase.at : 'held') === phase) &&
    (agent === undefined || session.spec.agent === agent) &&
    (workspace === undefined || isInside(session.spec.workspace, workspace)) &&
    (olderThanMs === undefined || ageMs(session) >= olderThanMs) &&
    (newerThanMs === undefined || ageMs(session) < newerThanMs) &&
    (owner === null || session.owner?.session === owner) &&
    (above === null || isBelow(session, above));
}

function isInside(path: string, folder: string): boolean {
  const end = folder.endsWith('/') ? folder : `${folder}/`;
  return path === folder || `${path}/` === end || path.startsWith(end);
}
