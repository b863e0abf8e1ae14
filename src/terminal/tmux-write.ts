import { randomUUID } from 'node:crypto';
import { OutlastError } from '../base/errors.ts';
import { encodeKeys } from './keys.ts';
import { pasteBytes } from './paste.ts';
import type { TerminalInput, Written } from './terminal.ts';
import type { Pane, TmuxServers } from './tmux-server.ts';

/** End of input, as typed on a terminal. */
const CONTROL_D = 4;

/**
 * Sends input to a pane through a buffer of its own: over standard input, so that it appears in no argument list, byte
 * by byte, and also while a person scrolls in the pane. Pasting into a dead pane crashes tmux 3.3 with all its
 * sessions, so the server itself checks, in the same command, that the pane is the right one and alive.
 */
export async function writeToPane(servers: TmuxServers, pane: Pane, input: TerminalInput): Promise<Written> {
  const bytes = bytesOf(input, pane);
  if (bytes.length === 0) return { bytes: 0, pendingBytes: 0 };
  const buffer = `in-${randomUUID()}`;
  const flags = `-dr${input.kind === 'paste' ? 'p' : ''}${(await sanitises(servers, pane)) ? 'S' : ''}`;
  const isOurs = `#{&&:#{==:#{session_name},${pane.session}},#{==:#{pane_dead},0}}`;
  const paste = `paste-buffer ${flags} -b ${buffer} -t ${pane.id}`;
  const refuse = `delete-buffer -b ${buffer} ; display-message -p refused`;
  const answer = await servers.ask(
    pane.server,
    ['load-buffer', '-b', buffer, '-', ';', 'if-shell', '-F', '-t', pane.id, isOurs, paste, refuse],
    { input: bytes },
  );
  if (answer.is === 'done' && answer.text === '') return { bytes: bytes.length, pendingBytes: 0 };
  // It may hold a secret.
  if (answer.is === 'refused') await servers.ask(pane.server, ['delete-buffer', '-b', buffer]);
  if (answer.is === 'stuck')
    throw new OutlastError('terminal_failed', `input to ${pane.session} may be lost: ${answer.why}`);
  throw inputClosed(pane.session, answer.is === 'done' ? 'its process has ended' : answer.why);
}

/** The error for a run that cannot be written to any more. */
export function inputClosed(session: string, why: string): OutlastError {
  return new OutlastError('input_closed', `cannot send input to the tmux session ${session}: ${why}`);
}

function bytesOf(input: TerminalInput, pane: Pane): Uint8Array {
  switch (input.kind) {
    case 'bytes':
      return input.bytes;
    case 'keys':
      // Inside, TERM is tmux-256color or screen-256color, whose keys are the same.
      return encodeKeys(input.keys, { ...pane, term: 'tmux' });
    case 'paste':
      // tmux adds the markers of a bracketed paste itself, when the program asked for them.
      return pasteBytes(input.text, false);
    case 'eof':
      return Uint8Array.of(CONTROL_D);
  }
}

/** Newer servers sanitise what is pasted unless a flag says not to; older ones do not know the flag. */
async function sanitises(servers: TmuxServers, pane: Pane): Promise<boolean> {
  return /\[-\w*S\w*\]/.test(await servers.usage(pane.server, 'paste-buffer'));
}
