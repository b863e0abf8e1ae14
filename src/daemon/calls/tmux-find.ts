import { join } from 'node:path';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { PROGRAM_PATH } from '../../terminal/programs.ts';
import { findTmuxSessions } from '../../terminal/tmux-foreign.ts';
import type { Parts } from '../serve/parts.ts';

const env = { PATH: PROGRAM_PATH };

/** Lists tmux sessions on these sockets, and whether they are ours. Foreign ones are only read. */
export async function tmuxFind(
  { clock, config }: Parts,
  input: HandlerInput<'tmux.find'>,
): Promise<CallOutput<'tmux.find'>> {
  const ours = join(config.state, 'tmux');
  const search = { ...input, query: input.query ?? '' };
  const { sessions, dead } = await findTmuxSessions(search, { clock, env });
  return { sessions: sessions.map((each) => ({ ...each, ours: each.socket.startsWith(`${ours}/`) })), dead };
}
