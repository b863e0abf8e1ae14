import * as z from 'zod';
import { later } from './later.ts';
import { ownerView } from './spawn-shape.ts';
import { usage } from './usage-shape.ts';

// What crosses the socket. Times are wall-clock milliseconds; sizes are bytes.

const exit = later(() =>
  z.object({
    status: z.number().int().describe('As a shell reports it, 0 to 255.'),
    text: z.string().describe('For people: "exit 7", or "signal 9 KILL (or exit 137)".'),
  }),
);

export const outcome = later(() =>
  z.object({
    kind: z
      .enum(['done', 'stopped', 'failed', 'abandoned'])
      .describe('It ended by itself, was stopped, its last turn failed, or it could not continue.'),
    by: z.string().optional().describe('Who stopped it: the name of a caller, or the value of `bound`.'),
    bound: z
      .enum(['timeout', 'silence'])
      .optional()
      .describe('Stopped by a limit of its policy: it ran for too long, or printed nothing for too long.'),
    why: z.string().optional().describe('Why it failed or was abandoned.'),
  }),
);

export const prompt = later(() =>
  z.object({
    id: z.string(),
    state: z
      .enum(['queued', 'sending', 'accepted', 'unsure', 'troubled'])
      .describe('unsure: it is not known whether it arrived; it is never resent automatically.'),
    waiting: z.string().nullable().describe('Why it is not sent yet.'),
    text: z.string().describe('Its beginning.'),
    images: z.number().optional().describe('How many images it has; missing: none.'),
  }),
);

/** Where a session is in its life. */
export const phase = z.enum([
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
]);

export const session = later(() =>
  z.object({
    id: z.string().describe('Its full id.'),
    name: z.string().nullable().describe('The name its caller gave it.'),
    agent: z.string().describe('The agent; `command` for a plain command.'),
    earlierAgents: z
      .array(z.object({ agent: z.string(), conversation: z.string().nullable() }))
      .optional()
      .describe('The agents it had before, oldest first, and their conversations; missing: none.'),
    terminal: z.enum(['pipe', 'pty', 'tmux']).describe('Where its runs are started.'),
    phase,
    workspace: z.string().describe('The folder it runs in.'),
    argv: z.array(z.string()).describe('The command line.'),
    createdAtMs: z.number().describe('When it was accepted.'),
    endedAtMs: z.number().nullable().describe('When it ended.'),
    run: z.number().int().describe('The number of its last run; 0 before the first.'),
    pid: z.number().int().nullable().describe('The process id of its command.'),
    exit: exit().nullable().describe('How its last run ended.'),
    outcome: outcome().nullable().describe('Why it ended.'),
    held: z.string().nullable().describe('Why a person is needed.'),
    hold: z
      .object({ kind: z.string(), helps: z.enum(['attach', 'resume']) })
      .nullable()
      .describe('For a held session: the reason in a word, and what ends it: a person at its screen, or a resume.'),
    limitedUntilMs: z
      .number()
      .nullable()
      .describe('When the usage limit resets; the session continues within 5 minutes after that.'),
    usage: usage().describe('Its usage so far.'),
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
    prompts: z.array(prompt()).describe('Not answered yet, oldest first.'),
    gate: z
      .enum(['off', 'watch', 'gate'])
      .describe('off: tool calls need no approval. watch: they can be denied in time. gate: they must be approved.'),
    approvals: z.number().int().describe('How many tool calls wait for approval.'),
    owner: ownerView(),
    schedule: z
      .object({ id: z.string(), name: z.string().nullable(), plannedAtMs: z.number() })
      .optional()
      .describe('The schedule that started it, and its planned time; missing: none did.'),
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
        'Last activity of the agent: a hook, a line of its transcript or stream. Only list, show and poll check it.',
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
  }),
);

export const screen = later(() =>
  z.object({
    rows: z.array(z.string()),
    columns: z.number(),
    cursor: z.object({ row: z.number(), column: z.number() }),
  }),
);

/** A place in the journal. People use its number; programs pass the cursor, which includes the id of the journal. */
export const place = {
  position: z.number().describe('Its position in the journal.'),
  after: z.string().describe('A cursor, to pass as `after`: the id of the journal and the position.'),
};

export const event = later(() =>
  z.object({
    ...place,
    session: z.string(),
    seq: z.number(),
    ts: z.string().describe('When, as ISO 8601.'),
    event: z.string().describe('Its type, e.g. `run.ended`.'),
    body: z.record(z.string(), z.unknown()),
  }),
);

export const away = later(() =>
  z.object({
    kind: z.enum(['boot', 'wake']).describe('boot: the machine was restarted. wake: it slept.'),
    planned: z.boolean().describe('It was announced, or the machine was shut down cleanly.'),
    fromMs: z.number().nullable().describe('The last heartbeat before it; null: there is none.'),
    toMs: z.number().describe('When it was detected.'),
    boot: z.string().describe('The boot id at that time.'),
  }),
);

export const check = later(() =>
  z.object({ name: z.string(), ok: z.boolean(), detail: z.string(), hint: z.string().optional() }),
);

export type SessionView = z.infer<ReturnType<typeof session>>;
export type EventView = z.infer<ReturnType<typeof event>>;
export type ScreenView = z.infer<ReturnType<typeof screen>>;
export type PromptView = z.infer<ReturnType<typeof prompt>>;
