import { describe } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { isCampaign } from '../campaign.ts';
import type { Player, Stories } from './stage.ts';
import { APART } from './stories-apart.ts';
import { AROUND } from './stories-around.ts';
import { AGENT_DEATHS, DAEMON_DEATHS } from './stories-crash.ts';
import { TRUST } from './stories-held.ts';
import { liveStories, NO_TMUX } from './stories-live.ts';
import { MISSING } from './stories-missing.ts';
import { newsStories } from './stories-news.ts';
import { REAL } from './stories-real.ts';
import { THREADS } from './stories-thread.ts';
import { TURNS } from './stories-turns.ts';
import { chosen, tell } from './tell.ts';

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

/** One for each thing that an agent of any version must be able to do. */
const COMMON = [
  'run waits for the reply, prints it alone, and the session is over',
  'a conversation of many turns needs no bookkeeping: each prompt is heard once, in one conversation',
  'start says when the agent is ready, and a prompt is heard once, as it was given',
  'a prompt with --now goes into the turn that is running, and says so',
  'an interrupted turn is over though no hook says so, and the next prompt arrives alone',
  'prompts of any size and with any character are heard as they were given, but for what the agent itself changes',
  'a fork goes its own way, and the original does not notice (live)',
  'an agent killed in the middle of a turn is resumed on the same conversation (live)',
  'a live agent killed before it wrote anything down is back for the next prompt',
  'an owner at work hears of an end with the result of its tool, and not again (turns)',
];

/** What depends less on the version is told with the newest only; the rest in a campaign. */
const NEWEST = [
  'a failure of the model is a failed prompt, status 8, and the session is of use afterwards',
  'a turn that is interrupted before any output gives its text back, and the next prompt arrives alone',
  'stop leaves nothing running, a tool in a session of its own included',
  'an interrupted turn leaves a session that takes the next prompt',
  "a person's draft is neither mixed nor overwritten: the prompt waits, says why, and goes when it is gone",
  'while a person is attached prompts wait; what they type is their own; leaving gives control back',
  'a person who types /clear begins another conversation, and prompts, turns and resume follow it',
  'an ended session comes back on the same conversation (turns)',
  'a conversation that is gone is held until it is back (live)',
  'a conversation that was emptied is held, and another begins on a word (turns)',
  'a daemon killed in the middle of a turn goes on with it (live)',
  'a daemon killed between paste and Enter: the prompt is neither lost nor doubled',
  'an agent killed in the middle of a turn is resumed on the same conversation (turns)',
  'what a tool of a sub-agent brings is not for it: the agent itself is told (turns)',
];

/** The stories of a real agent: a handful, or in a campaign all there are. Without the agent none, but for CI. */
export function tellReal(player: Exclude<Player, 'scripted'>): void {
  const isLeftOut = !agentIsHere(player) && process.env.CI !== 'true';
  describe.skipIf(isLeftOut)(`Claude Code ${player}`, () => {
    if (isCampaign) {
      tell(ALL, player, STORY_MS_MAX);
      describe('on a pty', () => tell(liveStories('pty'), player, STORY_MS_MAX));
    } else {
      const more = player === '2.1.325' ? NEWEST : [];
      tell(chosen(ALL, ...Object.keys(REAL), ...COMMON, ...more), player, STORY_MS_MAX);
    }
  });
}
