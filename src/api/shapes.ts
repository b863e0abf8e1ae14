import * as z from 'zod';
import { gateInput } from './gate-shape.ts';
import { policyInput } from './policy-shape.ts';
import { caller, childInput, ownerView, spawnInput } from './spawn-shape.ts';

// What crosses the socket. Times are wall-clock milliseconds; sizes are bytes.

const exit = z.object({
  status: z.number().int().describe('As a shell reports it, 0 to 255.'),
  text: z.string().describe('For people: "exit 7", or "signal 9 (or exit 137)".'),
});

export const outcome = z.object({
  kind: z
    .enum(['done', 'stopped', 'failed', 'abandoned'])
    .describe('Ended by itself, was stopped, its last turn failed, or it could not go on.'),
  by: z.string().optional().describe('Who stopped it, in a word: the name of a caller, or what `bound` says.'),
  bound: z
    .enum(['timeout', 'silence'])
    .optional()
    .describe('Stopped by a bound of its policy: it ran for too long, or printed nothing for too long.'),
  why: z.string().optional().describe('Why it failed or was given up.'),
});

export const prompt = z.object({
  id: z.string(),
  state: z
    .enum(['queued', 'sending', 'accepted', 'unsure', 'troubled'])
    .describe('unsure: it may have been heard and may not; it is never sent again by itself.'),
  waiting: z.string().nullable().describe('Why it is not sent yet.'),
  text: z.string().describe('Its beginning.'),
});

export const session = z.object({
  id: z.string().describe('Its full id.'),
  name: z.string().nullable().describe('The name its caller gave it.'),
  agent: z.string().describe('What kind of thing runs in it; `command` for a plain command.'),
  terminal: z.enum(['pipe', 'pty', 'tmux']).describe('Where its runs live.'),
  phase: z.enum([
    'queued',
    'opening',
    'starting',
    'idle',
    'working',
    'blocked',
    'recovering',
    'held',
    'limited',
    'visited',
    'closing',
    'ended',
  ]),
  workspace: z.string().describe('The folder it runs in.'),
  argv: z.array(z.string()).describe('What it runs.'),
  createdAtMs: z.number().describe('When it was accepted.'),
  endedAtMs: z.number().nullable().describe('When it ended.'),
  run: z.number().int().describe('The number of its last run; 0 before the first.'),
  pid: z.number().int().nullable().describe('Of its command.'),
  exit: exit.nullable().describe('How its last run ended.'),
  outcome: outcome.nullable().describe('Why it is over.'),
  held: z.string().nullable().describe('Why a person is needed.'),
  hold: z
    .object({ kind: z.string(), helps: z.enum(['attach', 'resume']) })
    .nullable()
    .describe('Of what is held: what it is about in a word, and what ends it: a person at its screen, or a resume.'),
  limitedUntilMs: z
    .number()
    .nullable()
    .describe('A usage limit ends then; it goes on by itself within 5 minutes after.'),
  usage: z
    .object({ turns: z.number(), tokens: z.number(), usd: z.number().nullable() })
    .describe('What it has used up; `usd` as the agent reckons, null when it does not say.'),
  resumes: z.number().int().describe('How often it was taken up again after a fault of its own.'),
  background: z.boolean().describe('Nobody waits for it: its end is announced.'),
  outputBytes: z.number().describe('Printed so far, also what was dropped.'),
  droppedBytes: z.number().describe('Freed from the beginning of the output to keep within the cap.'),
  incomplete: z.boolean().describe('Output may be missing.'),
  drive: z
    .enum(['command', 'turns', 'live'])
    .describe('How an agent is driven: a process per turn, or one that lives.'),
  model: z.string().nullable().describe('The full id of its model; null: the agent default.'),
  thinking: z.string().nullable().describe('How much it thinks before it answers; null: the agent default.'),
  conversation: z.string().nullable().describe("The agent's own id of the conversation."),
  transcript: z.string().nullable().describe('Where the agent writes the conversation down.'),
  control: z
    .object({ by: z.string(), how: z.enum(['attach', 'handoff']) })
    .nullable()
    .describe('Who types, when it is a person: prompts wait meanwhile.'),
  prompts: z.array(prompt).describe('Not answered yet, oldest first.'),
  gate: z
    .enum(['off', 'watch', 'gate'])
    .describe('Who decides about its tool calls: nobody, whoever says no in time, or somebody who must say yes.'),
  approvals: z.number().int().describe('Tool calls of it that wait for an answer.'),
  owner: ownerView,
  lastTurn: z
    .object({
      how: z.enum(['answered', 'failed', 'interrupted']),
      prompt: z.string(),
      text: z.string().describe('What began it, cut like those of `prompts`.'),
    })
    .nullable()
    .describe('How its last turn ended.'),
  lastSignAtMs: z
    .number()
    .optional()
    .describe(
      'When the agent last gave a sign: a hook, a line of its transcript or stream. Only list, show and poll look.',
    ),
  worktree: z
    .object({
      repository: z.string().describe('What it is a worktree of.'),
      branch: z.string().nullable().describe('null: none is checked out.'),
      dirty: z.number().describe('Files that are changed or new, and not committed.'),
      ahead: z.number().describe('Commits that are on no other branch, tag or remote.'),
    })
    .optional()
    .describe('Of a session with a git worktree of its own. Only list and show look.'),
  waitsForInput: z.boolean().optional().describe('It seems to wait for input. Only list, show and poll look.'),
  idleMs: z
    .number()
    .optional()
    .describe('For how long a command that runs has printed nothing. Only list, show and poll look.'),
});

/** A prompt: what is larger is a file that the agent can read. */
export const promptText = z
  .string()
  .min(1, 'a prompt cannot be empty')
  .refine((text) => text.trim() !== '', 'a prompt cannot be blank')
  .refine(
    (text) => text.length <= 1024 * 1024,
    'a prompt may have at most 1 MiB; put the rest into a file and name it',
  );

export const startInput = z.object({
  key: z.string().max(100).optional().describe('The same key twice starts one session.'),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a name is a-z, 0-9 and -, at most 63 characters')
    .optional()
    .describe('What it can be called by, beside its id: a-z, 0-9 and -.'),
  argv: z.array(z.string()).optional().describe('What to run, as it is. Either this or `shell`.'),
  shell: z.string().optional().describe('What to run through the shell.'),
  cwd: z.string().describe('The folder to run in, absolute.'),
  worktree: z
    .string()
    .max(200)
    .optional()
    .describe('Give it a git worktree of its own, on this branch; empty: on a new one that is named after it.'),
  env: z.record(z.string(), z.string()).describe('The whole environment of the command.'),
  set: z.record(z.string(), z.string()).default({}).describe('Set on top, after the check for forbidden names.'),
  pathPrepend: z
    .array(z.string())
    .default([])
    .describe('Folders, absolute, that are searched for programs first, in this order.'),
  umask: z.number().int().min(0).max(0o777).default(0o022).describe('File mode mask.'),
  terminal: z
    .enum(['pipe', 'pty', 'tmux'])
    .optional()
    .describe('Where it runs. A command: pipe. A live agent: tmux where it is installed, else pty.'),
  columns: z.number().int().min(10).max(1000).optional().describe('Of its terminal; 120.'),
  rows: z.number().int().min(2).max(1000).optional().describe('Of its terminal; 30.'),
  stdin: z.enum(['open', 'empty']).default('empty').describe('open: it can be written to.'),
  split: z.boolean().default(false).describe('Keep stderr apart.'),
  background: z.boolean().default(true).describe('Nobody waits for it.'),
  notify: z
    .enum(['never', 'output', 'always'])
    .default('output')
    .describe('Announce its end: output: unless it succeeded silently.'),
  timeoutMs: z.number().int().positive().optional().describe('Stop it after this long.'),
  silenceMs: z.number().int().positive().optional().describe('Stop it when it prints nothing for so long.'),
  graceMs: z.number().int().min(0).max(600_000).optional().describe('From TERM to KILL.'),
  outputBytesMax: z.number().int().min(65_536).optional().describe('Kept of its output.'),
  agent: z.string().max(63).optional().describe('The agent to start instead of a command, e.g. `claude`.'),
  drive: z.enum(['turns', 'live']).default('turns').describe('turns: a process per turn. live: one with a screen.'),
  prompt: promptText.optional().describe('The first prompt.'),
  asCommand: z
    .boolean()
    .default(false)
    .describe('The prompt may begin with / or !, and is then a command of the agent.'),
  model: z.string().max(200).optional().describe('A short name from the routing table, or a full id.'),
  thinking: z
    .string()
    .max(63)
    .optional()
    .describe(
      'How much it thinks before it answers, such as low or high; one that the agent does not know is refused.',
    ),
  agentArgs: z.array(z.string()).max(100).default([]).describe('Arguments for the agent, kept on every run.'),
  envNames: z
    .array(z.string())
    .max(100)
    .default([])
    .describe('Names of variables that pass to the agent besides the usual ones.'),
  trust: z.boolean().default(false).describe("The caller's word that the workspace's own settings may run."),
  fork: z.string().optional().describe('A session whose conversation is copied.'),
  after: z.array(z.string()).max(100).default([]).describe('Sessions that must answer before the prompt is sent.'),
  keepOpen: z.boolean().default(true).describe('Stay idle when every prompt is answered, instead of ending.'),
  gate: gateInput,
  caller: caller.optional(),
  child: childInput.optional(),
  spawn: spawnInput.optional(),
  policy: policyInput
    .optional()
    .describe(
      'How far it may go by itself: the keys of `policy` in the config. A command takes the deadline and the memory.',
    ),
});

export const screen = z.object({
  rows: z.array(z.string()),
  columns: z.number(),
  cursor: z.object({ row: z.number(), column: z.number() }),
});

/** A place in the journal. People say its number; programs give the cursor, which says in which journal it is. */
export const place = {
  position: z.number().describe('Its number in the journal.'),
  after: z.string().describe('A cursor, to be given as `after`: the id of the journal and the position.'),
};

export const event = z.object({
  ...place,
  session: z.string(),
  seq: z.number(),
  ts: z.string().describe('When, as ISO 8601.'),
  event: z.string().describe('Its type, e.g. `run.ended`.'),
  body: z.record(z.string(), z.unknown()),
});

export const away = z.object({
  kind: z.enum(['boot', 'wake']).describe('boot: the machine was started anew. wake: it slept.'),
  planned: z.boolean().describe('Somebody said so before, or the machine was shut down in order.'),
  fromMs: z.number().nullable().describe('The last sign of life before; null: there is none.'),
  toMs: z.number().describe('When it was noticed.'),
  boot: z.string().describe('The boot it was noticed in.'),
});

export const check = z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), hint: z.string().optional() });

export type SessionView = z.infer<typeof session>;
export type EventView = z.infer<typeof event>;
export type ScreenView = z.infer<typeof screen>;
export type PromptView = z.infer<typeof prompt>;
