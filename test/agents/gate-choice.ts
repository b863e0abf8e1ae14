import { describe } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import type { Player, Stories } from './stage.ts';
import { GATE_ANSWERS, GATE_CROWD, GATE_WATCH } from './stories-gate.ts';
import { GATE_HURT } from './stories-gate-hurt.ts';
import { GATE_FOLDERS } from './stories-gate-proof.ts';
import { chosen, tell } from './tell.ts';

const ALL: Stories = { ...GATE_ANSWERS, ...GATE_WATCH, ...GATE_CROWD, ...GATE_HURT, ...GATE_FOLDERS };

/** Told with the newest version in every run of the tests; the others in a campaign. */
const NEWEST = [
  'what a rule allows is made at once, what a rule denies is not, and the agent reads why (turns)',
  'what somebody allows is made, what is denied is not, and the agent reads the reason (live)',
  'a changed call is made instead of the one that was asked about',
  'a call that the agent shows in a dialog is not changed: whoever tries is told, and a plain yes still counts',
  'a person at the screen says yes: the call is made, and the journal says who it was',
  ...Object.keys(GATE_CROWD),
  'a daemon killed while a question waits answers it when it is back (turns)',
  'a hook that is killed lets nothing through',
  'an agent killed while a question waits asks again, and what it asked before lets nothing through (live)',
  ...Object.keys(GATE_FOLDERS).slice(0, 2),
];

/** Without a screen the older version has no second question, so those stories are not its own. */
const OLDER = Object.keys(ALL).filter((sentence) => sentence.endsWith('(live)') || sentence.includes('at the screen'));

/** A gate with a real agent: a handful of stories, in a campaign all. Without the agent none, but for CI. */
export function tellGate(player: Exclude<Player, 'scripted'>): void {
  const isLeftOut = !agentIsHere(player) && process.env.CI !== 'true';
  const [all, quick] = player === '2.1.325' ? [ALL, NEWEST] : [chosen(ALL, ...OLDER), OLDER.slice(0, 1)];
  describe.skipIf(isLeftOut)(`the gate of Claude Code ${player}`, () => {
    tell(all, player, { msMax: 120_000, quick });
  });
}
