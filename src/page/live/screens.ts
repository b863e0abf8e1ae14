import type { Clock } from '../../base/clock.ts';
import type { Outlast } from '../../client/browser.ts';
import type { StyledScreen } from './types.ts';

const LOOK_MS = 250;

/** The screen of a session, now and after each change; it ends with the session. */
export async function* readScreens(
  outlast: Outlast,
  clock: Clock,
  session: string,
  signal?: AbortSignal,
): AsyncGenerator<StyledScreen, void, void> {
  for (let shown = ''; ; ) {
    const { session: now } = await outlast.show(session, signal);
    const { rows, columns, cursor } = await outlast.screen(session, signal);
    const next = { columns, rows: rows.map((text) => (text === '' ? [] : [{ text }])), cursor };
    const text = JSON.stringify(next);
    if (text !== shown) yield next;
    shown = text;
    if (now.phase === 'ended') return;
    await clock.sleep(LOOK_MS, signal);
    signal?.throwIfAborted();
  }
}
