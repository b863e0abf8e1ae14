import { LIMITS } from '../../base/limits.ts';
import type { Journal, Row } from '../../journal/journal.ts';

/** All ended sessions, newest first, in pages, so that rows may be removed meanwhile. */
export function* endedRows(journal: Pick<Journal, 'list'>): Generator<Row> {
  const limit = LIMITS.feedEventsMax;
  for (let page = journal.list({ state: 'ended', limit }); ; ) {
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    page = journal.list({ state: 'ended', limit, before: last.session.id });
  }
}
