import * as z from 'zod';
import { gateInput } from './gate-shape.ts';
import { later } from './later.ts';
import { policyInput } from './policy-shape.ts';
import { caller, childInput, spawnInput } from './spawn-shape.ts';

/** A prompt; anything larger belongs in a file that the agent can read. */
export const promptText = z
  .string()
  .min(1, 'a prompt cannot be empty')
  .refine((text) => text.trim() !== '', 'a prompt cannot be blank')
  .refine(
    (text) => text.length <= 1024 * 1024,
    'a prompt may have at most 1 MiB; put the rest into a file and name it',
  );

/** The images of a prompt. */
export const imagePaths = z
  .array(z.string().min(1))
  .max(100)
  .describe('Images for it: absolute paths on the machine of the daemon, which copies them. PNG, JPEG, GIF or WebP.');

export const startInput = later(() =>
  z.object({
    key: z.string().max(100).optional().describe('Idempotency key: a repeated key is the same session.'),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'use only a-z, 0-9 and -, at most 63 characters, such as fix-tests')
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
      .describe('turns: one process per turn. live: one process that stays.'),
    tui: z.boolean().default(false).describe('Live: run its own screen, also where messages would do.'),
    prompt: promptText.optional().describe('The first prompt.'),
    images: imagePaths.default([]),
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
    keepOpen: z.boolean().default(true).describe('Stay open after every prompt is answered.'),
    gate: gateInput(),
    caller: caller.optional(),
    child: childInput().optional(),
    spawn: spawnInput().optional(),
    policy: policyInput()
      .optional()
      .describe(
        'Its limits: the keys of `policy` in the config. For a command only the deadline and the memory apply.',
      ),
  }),
);
