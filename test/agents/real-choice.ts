import { describe } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import type { Player, Stories } from './stage.ts';
import { APART } from './stories-apart.ts';
import { AROUND } from './stories-around.ts';
import { AGENT_DEATHS, DAEMON_DEATHS } from './stories-crash.ts';
import { TRUST } from './stories-held.ts';
import { liveStories, NO_TMUX } from './stories-live.ts';
import { MISSING } from './stories-missing.ts';
import { REAL } from './stories-real.ts';
import { THREADS } from './stories-thread.ts';
import { TURNS } from './stories-turns.ts';
import { newsStories } from './stories-updates.ts';
import { tell } from './tell.ts';

const STORY_MS_MAX = 120_000;

/** Every story that a real agent can play, each under its sentence. */
const ALL: Stories = {
  ...REAL,
  ...TURNS,
  ...liveStories('tmux'),
  ...NO_TMUX,
  ...THREADS,
  ...MISSING,
  ...DAEMON_DEATHS,
  ...AGENT_DEATHS,
  ...APART,
  ...AROUND,
  ...TRUST,
  ...newsStories('turns'),
  ...newsStories('live'),
};

/** What an agent of any version must be seen to do in every run. The rest of all versions is told in campaigns. */
const OLDER = [
  'its question about trust holds the session; nothing is pressed; a person answers and it goes on',
  'start says when the agent is ready, and a prompt is heard once, as it was given',
  'an interrupted turn is over though no hook says so, and the next prompt arrives alone',
  'an agent killed in the middle of a turn is resumed on the same conversation (live)',
];

/** With the newest version one story for each thing that it does, in one drive. */
const NEWEST = [
  ...OLDER,
  'model and arguments reach the API on the first turn and on every later one',
  'an image that it read, a list of results and two tools at once are in the turn as Markdown',
  'run waits for the reply, prints it alone, and the session is over',
  'a prompt with --now goes into the turn that is running, and says so',
  'prompts of any size and with any character are heard as they were given, but for what the agent itself changes',
  'an owner at work hears of an end with the result of its tool, and not again (turns)',
  'a failure of the model is a failed prompt, status 8, and the session is of use afterwards',
  'stop leaves nothing running, a tool in a session of its own included',
  "a person's draft is neither mixed nor overwritten: the prompt waits, says why, and goes when it is gone",
  'a person who types /clear begins another conversation, and prompts, turns and resume follow it',
  'a daemon killed in the middle of a turn goes on with it (live)',
];

/** The stories of a real agent. Without the agent none, but for CI. */
export function tellReal(player: Exclude<Player, 'scripted'>): void {
  const isLeftOut = !agentIsHere(player) && process.env.CI !== 'true';
  describe.skipIf(isLeftOut)(`Claude Code ${player}`, () => {
    tell(ALL, player, { msMax: STORY_MS_MAX, quick: player === '2.1.325' ? NEWEST : OLDER });
    describe('on a pty', () => tell(liveStories('pty'), player, { msMax: STORY_MS_MAX, quick: [] }));
  });
}
