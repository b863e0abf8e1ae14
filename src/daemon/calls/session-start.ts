import { knownAgent } from '../../agent/known.ts';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { placeAt } from '../journal/cursor.ts';
import type { Parts } from '../serve/parts.ts';
import { gateModeOf } from '../start/gate-start.ts';
import { inherited } from '../start/spawn-start.ts';
import { startIn } from '../start/worktree-start.ts';
import { viewOf } from '../views/view.ts';

/** Starts a command or an agent. */
export async function sessionStart(
  parts: Parts,
  given: HandlerInput<'session.start'>,
): Promise<CallOutput<'session.start'>> {
  const { config } = parts;
  const input = inherited(parts, given);
  const isCommand = input.argv !== undefined || input.shell !== undefined;
  // Said now, and not by a session that ends right away.
  if (!isCommand && gateModeOf(input, config) === 'gate') {
    const path = input.set.PATH ?? input.env.PATH ?? '';
    await parts.gates.demand(knownAgent(parts.agents, input.agent || config.agent).name, input.drive, path);
  }
  const { row, warnings, prompt } = await startIn(parts, input);
  return {
    session: viewOf(config.state, row),
    warnings: [...warnings],
    ...placeAt(parts.journal, row.position),
    prompt,
  };
}
