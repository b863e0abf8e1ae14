import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { PROGRAM_PATH } from '../../terminal/programs.ts';
import { serverNamed, waitForTmuxText } from '../../terminal/tmux-foreign.ts';
import type { Parts } from '../serve/parts.ts';

const env = { PATH: PROGRAM_PATH };

/** Waits until a pane shows a text. */
export function tmuxWait(
  { clock }: Parts,
  input: HandlerInput<'tmux.wait'>,
  signal: AbortSignal,
): Promise<CallOutput<'tmux.wait'>> {
  const { target, lines, text, fixed, timeoutMs } = input;
  return waitForTmuxText({ ...serverNamed(input), target, lines, text, fixed, timeoutMs, signal }, { clock, env });
}
