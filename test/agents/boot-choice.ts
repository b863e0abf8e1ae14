import { describe } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import type { Player, Stories } from './stage.ts';
import { BOOT_MOMENTS } from './stories-boot.ts';
import { BOOT_LIVE } from './stories-boot-live.ts';
import { tell } from './tell.ts';

const ALL: Stories = { ...BOOT_MOMENTS, ...BOOT_LIVE };

/** What any version must be seen to come through. */
const COMMON = ['killed while a command runs: it goes on, and is told of the command'];

const NEWEST = [
  ...COMMON,
  'killed with one of two commands done: only the other is uncertain',
  'killed when it had answered: it stays finished',
  ...Object.keys(BOOT_LIVE),
];

/** Conversations of a real agent that we did not begin: a handful, in a campaign all. Without it none, but for CI. */
export function tellBoot(player: Exclude<Player, 'scripted'>): void {
  const isLeftOut = !agentIsHere(player) && process.env.CI !== 'true';
  describe.skipIf(isLeftOut)(`conversations of Claude Code ${player} that we did not begin`, () => {
    tell(ALL, player, { msMax: 120_000, quick: player === '2.1.325' ? NEWEST : COMMON });
  });
}
