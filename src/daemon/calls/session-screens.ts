import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { Row } from '../../journal/journal.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import { outputSize } from '../../terminal/output.ts';
import type { Parts } from '../serve/parts.ts';
import { filesOf } from '../views/output-files.ts';
import { styledView } from '../views/styled-view.ts';
import { waitForChange } from '../waits/wait-for-change.ts';

/** A screen that changes all the time is sent this often. */
const PAUSE_MS = 50;

/** The screen, and each change of it until the session has ended. A slow reader gets fewer, always the last one. */
export async function* sessionScreens(
  parts: Parts,
  input: HandlerInput<'session.screens'>,
  signal: AbortSignal,
): AsyncGenerator<CallOutput<'session.screens'>> {
  const { sessions, config, clock } = parts;
  const { session } = sessions.find(input.session);
  const files = filesOf(config.state, session);
  for (let sent = ''; !signal.aborted; ) {
    // Read before the screen: what is printed in between is found to be new afterwards.
    const size = await outputSize(files);
    const row = sessions.find(session.id);
    const { screen, shown } = await shownOf(parts, row, input.styled);
    // What the terminal has not shown yet comes with a later screen.
    const offset = Math.min(size, shown ?? size);
    const text = JSON.stringify(screen);
    if (text !== sent || !row.live) yield { ...screen, offset, ended: !row.live };
    if (!row.live) return;
    sent = text;
    await clock.sleep(PAUSE_MS, signal);
    const isNew = async (): Promise<boolean> => (await outputSize(files)) > offset || !sessions.find(session.id).live;
    await waitForChange(parts, { session: session.id, files: [files.output] }, isNew, signal);
  }
}

interface Shown {
  readonly screen: Pick<CallOutput<'session.screens'>, 'rows' | 'columns' | 'cursor' | 'styled'>;
  /** The bytes of output that are on it, if the terminal knows. */
  readonly shown: number | null;
}

/** A screen with its looks is what a terminal shows at this moment: it does not wait until a flood is over. */
async function shownOf({ terminals }: Parts, { session, live }: Row, isStyled: boolean): Promise<Shown> {
  const terminal = terminals[terminalOf(session)];
  if (!isStyled) {
    const { rows, columns, cursor } = await terminal.screen(refOf(session));
    return { screen: { rows: [...rows], columns, cursor }, shown: null };
  }
  const seen = await terminal.styled(refOf(session), { above: 0, skip: 0, now: live });
  const { rows, columns, cursor, offset } = seen;
  return { screen: { rows: [...rows], columns, cursor, styled: styledView(seen) }, shown: offset };
}
