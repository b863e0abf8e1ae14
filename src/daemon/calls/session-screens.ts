import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import { outputSize } from '../../terminal/output.ts';
import type { Parts } from '../serve/parts.ts';
import { filesOf } from '../views/output-files.ts';
import { waitForChange } from '../waits/wait-for-change.ts';

/** A screen that changes all the time is sent this often. */
const PAUSE_MS = 50;

/** The screen, and each change of it until the session has ended. A slow reader gets fewer, always the last one. */
export async function* sessionScreens(
  parts: Parts,
  input: HandlerInput<'session.screens'>,
  signal: AbortSignal,
): AsyncGenerator<CallOutput<'session.screens'>> {
  const { sessions, terminals, config, clock } = parts;
  const { session } = sessions.find(input.session);
  const files = filesOf(config.state, session);
  for (let sent = ''; !signal.aborted; ) {
    // Read before the screen: what is printed in between is found to be new afterwards.
    const offset = await outputSize(files);
    const row = sessions.find(session.id);
    const { rows, columns, cursor } = await terminals[terminalOf(row.session)].screen(refOf(row.session));
    const screen = { rows: [...rows], columns, cursor };
    const text = JSON.stringify(screen);
    if (text !== sent || !row.live) yield { ...screen, offset, ended: !row.live };
    if (!row.live) return;
    sent = text;
    await clock.sleep(PAUSE_MS, signal);
    const isNew = async (): Promise<boolean> => (await outputSize(files)) > offset || !sessions.find(session.id).live;
    await waitForChange(parts, { session: session.id, files: [files.output] }, isNew, signal);
  }
}
