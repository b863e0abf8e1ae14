import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { PROGRAM_PATH } from '../../terminal/programs.ts';
import { captureTmuxPane, serverNamed } from '../../terminal/tmux-foreign.ts';
import type { Parts } from '../serve/parts.ts';

const env = { PATH: PROGRAM_PATH };

/** The contents of a pane. */
export async function tmuxCapture(
  { clock }: Parts,
  input: HandlerInput<'tmux.capture'>,
): Promise<CallOutput<'tmux.capture'>> {
  const text = await captureTmuxPane(
    { ...serverNamed(input), target: input.target, lines: input.lines },
    { clock, env },
  );
  return { text };
}
