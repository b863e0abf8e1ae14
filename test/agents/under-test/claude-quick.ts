// The stories that real agents, which are slow, run in every test run. In campaigns they run all.

/** What every version must prove. */
export const OLDER_QUICK = [
  'its trust dialog holds the session; no key is pressed; it continues when a person answers',
  'start returns when the agent is ready, and a prompt arrives once and unchanged',
  'an interrupted turn ends without a report of a hook, and the next prompt arrives alone',
  'an agent killed in the middle of a turn is resumed on the same conversation (live)',
  'an agent killed in a call: one conversation, one reply, and nothing is done twice (live)',
  'an agent killed while a command runs is resumed, and its prompt names the command',
  'a call that a rule allows runs at once; one that a rule denies does not, and the agent gets the reason (live)',
  'a pending approval outlives its process and the daemon; the decision resumes the turn, and the call runs once',
];

/** The newest version runs one story per behaviour, in one drive. Its messages have their own tests. */
export const NEWEST_QUICK = [
  ...OLDER_QUICK.filter((sentence) => !sentence.startsWith('a call that a rule allows')),
  'model and arguments reach the API on every turn',
  'an image, a list of results and two parallel tools are in the turn as Markdown',
  'run waits for the reply, prints only the reply, and ends the session',
  'a prompt with --now is sent into the running turn, and the command says so',
  'prompts of any size and with any character arrive unchanged, except for what the agent itself changes',
  'an owner in a turn gets an update about an end with the result of its tool, and only once (turns)',
  'a failure of the model fails the prompt with status 8, and the session stays usable',
  'stop ends every process, including a tool in its own process session',
  "a person's draft is left alone: the prompt waits with a reason, and is sent when the draft is gone",
  '/clear typed by a person starts another conversation, and prompts, turns and resume follow it',
  'a daemon killed in the middle of a turn continues it after the restart (live)',
  'a conversation that is too long is compacted, and the prompt is continued (turns)',
  'a five-hour limit suspends the session and the account until it resets, and resume continues the prompt (turns)',
  'a stream that only pings is a hang: reported with its signs, resumed and answered (turns)',
  'a tool call without a result continues in a copy once, then the session is held as poisoned',
  'an overloaded API is retried, and the prompt is answered once (turns)',
  'an agent killed while it asks a person something is not resumed',
  'a call that a rule allows runs at once; one that a rule denies does not, and the agent gets the reason (turns)',
  'an approved call runs; a denied one does not, and the agent gets the reason (live)',
  'an edited call runs instead of the original one',
  'a person at the screen approves the call: it runs, and the journal records who approved it',
  'a call of a sub-agent has its own approval, under the name of the sub-agent',
  'an approval pending when the daemon is killed can be decided after the restart (turns)',
  'a killed hook allows nothing',
  'a folder that switches hooks off does not open the gate',
  'a folder that allows everything does not open the gate',
];
