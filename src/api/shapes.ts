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
    .describe('It ended by itself, was stopped, its last turn failed, or it could not continue.'),
  by: z.string().optional().describe('Who stopped it: the name of a caller, or the value of `bound`.'),
  bound: z
    .enum(['timeout', 'silence'])
    .optional()
    .describe('Stopped by a limit of its policy: it ran for too long, or printed nothing for too long.'),
  why: z.string().optional().describe('Why it failed or was abandoned.'),
});

export const prompt = z.object({
  id: z.string(),
  state: z
    .enum(['queued', 'sending', 'accepted', 'unsure', 'troubled'])
    .describe('unsure: it is not known whether it arrived; it is never resent automatically.'),
  waiting: z.string().nullable().describe('Why it is not sent yet.'),
  text: z.string().describe('Its beginning.'),
});

export const session = z.object({
  id: z.string().describe('Its full id.'),
  name: z.string().nullable().describe('The name its caller gave it.'),
  agent: z.string().describe('The agent; `command` for a plain command.'),
  terminal: z.enum(['pipe', 'pty', 'tmux']).describe('Where its runs are started.'),
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
  argv: z.array(z.string()).describe('The command line.'),
  createdAtMs: z.number().describe('When it was accepted.'),
  endedAtMs: z.number().nullable().describe('When it ended.'),
  run: z.number().int().describe('The number of its last run; 0 before the first.'),
  pid: z.number().int().nullable().describe('The process id of its command.'),
  exit: exit.nullable().describe('How its last run ended.'),
  outcome: outcome.nullable().describe('Why it ended.'),
  held: z.string().nullable().describe('Why a person is needed.'),
  hold: z
    .object({ kind: z.string(), helps: z.enum(['attach', 'resume']) })
    .nullable()
    .describe('For a held session: the reason in a word, and what ends it: a person at its screen, or a resume.'),
  limitedUntilMs: z
    .number()
    .nullable()
    .describe('When the usage limit resets; the session continues within 5 minutes after that.'),
  usage: z
    .object({ turns: z.number(), tokens: z.number(), usd: z.number().nullable() })
    .describe('Its usage; `usd` as the agent estimates it, null if it does not.'),
  resumes: z.number().int().describe('How often it was resumed after its own faults.'),
  background: z.boolean().describe('No caller waits for it: notices are sent about its end.'),
  outputBytes: z.number().describe('Bytes printed so far, including dropped ones.'),
  droppedBytes: z.number().describe('Dropped from the beginning of the output because of the cap.'),
  incomplete: z.boolean().describe('Output may be missing.'),
  drive: z
    .enum(['command', 'turns', 'live'])
    .describe('How an agent is driven: one process per turn, or one live process.'),
  model: z.string().nullable().describe('The full id of its model; null: the agent default.'),
  thinking: z.string().nullable().describe('How much it thinks before it answers; null: the agent default.'),
  conversation: z.string().nullable().describe("The agent's own id of the conversation."),
  transcript: z.string().nullable().describe('The file that the agent writes the conversation to.'),
  control: z
    .object({ by: z.string(), how: z.enum(['attach', 'handoff']) })
    .nullable()
    .describe('Who has control, if it is a person: prompts wait.'),
  prompts: z.array(prompt).describe('Not answered yet, oldest first.'),
  gate: z
    .enum(['off', 'watch', 'gate'])
    .describe('off: tool calls need no approval. watch: they can be denied in time. gate: they must be approved.'),
  approvals: z.number().int().describe('How many tool calls wait for approval.'),
  owner: ownerView,
  lastTurn: z
    .object({
      how: z.enum(['answered', 'failed', 'interrupted']),
      prompt: z.string(),
      text: z.string().describe('What started it, cut like those of `prompts`.'),
    })
    .nullable()
    .describe('How its last turn ended.'),
  lastSignAtMs: z
    .number()
    .optional()
    .describe(
      'The last activity of the agent: a hook, a line of its transcript or stream. Only list, show and poll check it.',
    ),
  worktree: z
    .object({
      repository: z.string().describe('The repository of the worktree.'),
      branch: z.string().nullable().describe('null: none is checked out.'),
      dirty: z.number().describe('Files that are changed or new, and not committed.'),
      ahead: z.number().describe('Commits that are on no other branch, tag or remote.'),
    })
    .optional()
    .describe('For a session with its own git worktree. Only list and show check it.'),
  waitsForInput: z.boolean().optional().describe('It seems to wait for input. Only list, show and poll check it.'),
  idleMs: z
    .number()
    .optional()
    .describe('How long a running command has printed nothing. Only list, show and poll check it.'),
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
  key: z.string().max(100).optional().describe('Idempotency key: a repeated key is the same session.'),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a name is a-z, 0-9 and -, at most 63 characters')
    .optional()
    .describe('A name to use instead of its id: a-z, 0-9 and -.'),
  argv: z.array(z.string()).optional().describe('The command and its arguments. Either this or `shell`.'),
  shell: z.string().optional().describe('A command line for the shell.'),
  cwd: z.string().describe('The folder to run in, absolute.'),
  worktree: z
    .string()
    .max(200)
    .optional()
    .describe('Give it its own git worktree, on this branch; empty: on a new branch named after it.'),
  env: z.record(z.string(), z.string()).describe('The full environment of the command.'),
  set: z.record(z.string(), z.string()).default({}).describe('Additional variables; forbidden names are refused.'),
  pathPrepend: z.array(z.string()).default([]).describe('Absolute folders to prepend to PATH, in this order.'),
  umask: z.number().int().min(0).max(0o777).default(0o022).describe('File mode mask.'),
  terminal: z
    .enum(['pipe', 'pty', 'tmux'])
    .optional()
    .describe('Where it runs. Default: pipe for a command; for a live agent tmux if it is installed, else pty.'),
  columns: z.number().int().min(10).max(1000).optional().describe('Of its terminal; 120.'),
  rows: z.number().int().min(2).max(1000).optional().describe('Of its terminal; 30.'),
  stdin: z.enum(['open', 'empty']).default('empty').describe('open: it can be written to.'),
  split: z.boolean().default(false).describe('Keep stderr separate.'),
  background: z.boolean().default(true).describe('No caller waits for it.'),
  notify: z
    .enum(['never', 'output', 'always'])
    .default('output')
    .describe('When to send notices about its end; output: unless it succeeds without output.'),
  timeoutMs: z.number().int().positive().optional().describe('Stop it after this long.'),
  silenceMs: z.number().int().positive().optional().describe('Stop it if it prints nothing for this long.'),
  graceMs: z.number().int().min(0).max(600_000).optional().describe('From TERM to KILL.'),
  outputBytesMax: z.number().int().min(65_536).optional().describe('Cap of its output.'),
  agent: z.string().max(63).optional().describe('The agent to start instead of a command, e.g. `claude`.'),
  drive: z
    .enum(['turns', 'live'])
    .default('turns')
    .describe('turns: one process per turn. live: one process with a screen.'),
  prompt: promptText.optional().describe('The first prompt.'),
  asCommand: z.boolean().default(false).describe('Allow the prompt to begin with / or !, as a command to the agent.'),
  model: z.string().max(200).optional().describe('A short name from the routing table, or a full id.'),
  thinking: z
    .string()
    .max(63)
    .optional()
    .describe('How much it thinks before it answers, such as low or high; an unknown level is refused.'),
  agentArgs: z.array(z.string()).max(100).default([]).describe('Arguments for the agent, kept on every run.'),
  envNames: z.array(z.string()).max(100).default([]).describe('Names of additional variables to pass to the agent.'),
  trust: z.boolean().default(false).describe("Trust the workspace's own settings."),
  fork: z.string().optional().describe('A session whose conversation is copied.'),
  after: z.array(z.string()).max(100).default([]).describe('Sessions that must answer before the prompt is sent.'),
  keepOpen: z.boolean().default(true).describe('Stay open when every prompt is answered.'),
  gate: gateInput,
  caller: caller.optional(),
  child: childInput.optional(),
  spawn: spawnInput.optional(),
  policy: policyInput
    .optional()
    .describe('Its limits: the keys of `policy` in the config. For a command only the deadline and the memory apply.'),
});

export const screen = z.object({
  rows: z.array(z.string()),
  columns: z.number(),
  cursor: z.object({ row: z.number(), column: z.number() }),
});

/** A place in the journal. People say its number; programs give the cursor, which says in which journal it is. */
export const place = {
  position: z.number().describe('Its position in the journal.'),
  after: z.string().describe('A cursor, to pass as `after`: the id of the journal and the position.'),
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
  kind: z.enum(['boot', 'wake']).describe('boot: the machine was restarted. wake: it slept.'),
  planned: z.boolean().describe('It was announced, or the machine was shut down cleanly.'),
  fromMs: z.number().nullable().describe('The last heartbeat before it; null: there is none.'),
  toMs: z.number().describe('When it was detected.'),
  boot: z.string().describe('The boot id at that time.'),
});

export const check = z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), hint: z.string().optional() });

export type SessionView = z.infer<typeof session>;
export type EventView = z.infer<typeof event>;
export type ScreenView = z.infer<typeof screen>;
export type PromptView = z.infer<typeof prompt>;
