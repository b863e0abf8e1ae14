import { join } from 'node:path';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { PROGRAM_PATH } from '../../terminal/programs.ts';
import { captureTmuxPane, findTmuxSessions, waitForTmuxText } from '../../terminal/tmux-foreign.ts';
import type { Parts } from './parts.ts';

// tmux sessions and panes on any server: ours are found too, foreign ones are only ever read.

const env = { PATH: PROGRAM_PATH };

/** Sessions on these sockets, and whether they are ours. */
export async function find(
  { clock, config }: Parts,
  input: HandlerInput<'tmux.find'>,
): Promise<CallOutput<'tmux.find'>> {
  const ours = join(config.state, 'tmux');
  const search = { ...input, query: input.query ?? '' };
  const { sessions, dead } = await findTmuxSessions(search, { clock, env });
  return { sessions: sessions.map((each) => ({ ...each, ours: each.socket.startsWith(`${ours}/`) })), dead };
}

/** What a pane shows. */
export async function capture(
  { clock }: Parts,
  input: HandlerInput<'tmux.capture'>,
): Promise<CallOutput<'tmux.capture'>> {
  const text = await captureTmuxPane({ ...serverOf(input), target: input.target, lines: input.lines }, { clock, env });
  return { text };
}

/** Waits until a pane shows a text. */
export function wait(
  { clock }: Parts,
  input: HandlerInput<'tmux.wait'>,
  signal: AbortSignal,
): Promise<CallOutput<'tmux.wait'>> {
  const { target, lines, text, fixed, timeoutMs } = input;
  return waitForTmuxText({ ...serverOf(input), target, lines, text, fixed, timeoutMs, signal }, { clock, env });
}

function serverOf(input: {
  socket?: string | undefined;
  server?: string | undefined;
}): { socket: string } | { server: string } {
  return input.socket === undefined ? { server: input.server ?? 'default' } : { socket: input.socket };
}
