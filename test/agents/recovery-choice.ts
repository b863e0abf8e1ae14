import { describe } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import type { Player, Stories } from './stage.ts';
import { HANGS, KILLED_IN_BASH } from './stories-recovery.ts';
import { LIMITS, OVERLOADS, REFUSALS } from './stories-refused.ts';
import { REMEDIES } from './stories-remedies.ts';
import { COUNTED } from './stories-usage.ts';
import { VISITS } from './stories-visits.ts';
import { tell } from './tell.ts';

const ALL: Stories = {
  ...COUNTED,
  ...LIMITS,
  ...KILLED_IN_BASH,
  ...HANGS,
  ...REFUSALS,
  ...OVERLOADS,
  ...REMEDIES,
  ...VISITS,
};

/** What the agent of any version must be seen to come through in every run. The rest is told in campaigns. */
const OLDER = [
  'killed while a command runs: its orphan is gone first, the conversation goes on, nothing is done twice (live)',
];

/** With the newest version one story for each fault, in one drive. The words are tested beside their reader. */
const NEWEST = [
  ...OLDER,
  'a conversation that is too long is compacted, and what was asked goes on (turns)',
  'a limit of five hours parks the session and the account until it ends, and a resume takes it up (turns)',
  'a stream that only pings is a hang: told with its signs, resumed and answered (turns)',
  'a call without its result goes on as a copy once, then is held as poisoned',
  'an API that has too much to do is tried again, and answers once (turns)',
];

/** Recovery with a real agent. Without the agent none, but for CI. */
export function tellRecovery(player: Exclude<Player, 'scripted'>): void {
  const isLeftOut = !agentIsHere(player) && process.env.CI !== 'true';
  describe.skipIf(isLeftOut)(`recovery of Claude Code ${player}`, () => {
    tell(ALL, player, { msMax: 120_000, quick: player === '2.1.325' ? NEWEST : OLDER });
  });
}
