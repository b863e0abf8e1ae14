import * as z from 'zod';
import { APPROVALS } from './contract-approvals.ts';
import { BOOT } from './contract-boot.ts';
import { DAEMON } from './contract-daemon.ts';
import { listInput } from './contract-list.ts';
import { TALK } from './contract-talk.ts';
import { count, cursor, one, ours, throughLimits, view, waitMs, which, yes } from './contract-words.ts';
import { outputPage } from './output-shape.ts';
import { policyView } from './policy-shape.ts';
import type { OperationName } from './routes.ts';
import { event, place, screen, session, startInput } from './shapes.ts';
import { caller } from './spawn-shape.ts';
import { tmuxSession, tmuxTarget } from './tmux-shape.ts';

// What goes into each operation and what comes out. For a stream, `output` is one line of it.
// Query parameters arrive as words, so numbers and yes/no are coerced here, at the border, once.

export const CONTRACT = {
  'session.start': {
    input: startInput,
    output: one.extend({
      warnings: z.array(z.string()),
      ...place,
      prompt: z.string().nullable().describe('The id of the first prompt.'),
    }),
  },
  'session.list': {
    input: listInput,
    output: z.object({
      sessions: z.array(session.extend({ tail: z.array(z.string()).optional() })),
      more: z.boolean(),
    }),
  },
  'session.show': {
    input: which,
    output: one.extend({
      folder: z.string(),
      columns: z.number(),
      rows: z.number(),
      timeoutMs: z.number().nullable(),
      silenceMs: z.number().nullable().describe('It is stopped if it prints nothing for this long.'),
      inputClosed: z.boolean(),
      processes: z.array(z.object({ pid: z.number(), command: z.string() })),
      eventsFile: z.string().describe('Its events as JSON lines, kept current.'),
      attach: z.string().describe('The command with which a person attaches to it.'),
      reply: z.string().nullable().describe('The last reply, or the last error message.'),
      policy: policyView.describe('Its limits.'),
    }),
  },
  'session.wait': {
    input: which.extend({
      for: z
        .string()
        .default('exit')
        .describe('exit, ended, idle, held, approval, event:TYPE, idle-output:2s or text:REGEX; several with commas.'),
      since: count.optional().describe('Only output after this offset counts. Default: from now on.'),
      after: cursor.optional().describe('Only events after this cursor count for event:TYPE. Default: from now on.'),
      timeoutMs: waitMs.optional(),
      throughLimits,
    }),
    output: one.extend({
      met: z
        .enum(['exit', 'idle', 'held', 'limited', 'unsure', 'approval', 'event', 'idle-output', 'text', 'nothing'])
        .describe('nothing: timeout. exit, held, limited and unsure end every wait.'),
      match: z.string().optional(),
      event: event.optional(),
      cursor: z.number().describe('Offset to wait or read from next.'),
      ...place,
    }),
  },
  'session.events': {
    input: z.object({
      after: cursor.default(0).describe('A cursor or a position; 0 is the beginning.'),
      session: z.string().optional(),
      follow: yes.default(false),
      limit: count.optional(),
      last: count.max(100_000).optional().describe('Only the last N.'),
      types: z
        .union([z.array(z.string()), z.string().transform((word) => [word])])
        .optional()
        .describe('Only these types; `tool.` matches all types that begin with it.'),
    }),
    output: event,
  },
  'session.output': {
    input: which.extend({
      view,
      stream: z.enum(['output', 'stderr']).default('output').describe('stderr: for a session with separate stderr.'),
      from: count.optional().describe('Byte offset to read from.'),
      bytes: count
        .max(1024 * 1024)
        .optional()
        .describe('Maximum number of bytes.'),
      offset: count.optional().describe('Line to read from, counted from 0 at the first that is retained.'),
      limit: count.optional().describe('Lines to read, starting at `offset` or `from`.'),
      tail: count.optional().describe('Last lines only.'),
    }),
    output: outputPage,
  },
  'session.follow': {
    input: which.extend({
      view,
      from: count.optional().describe('Default: from now on.'),
      stream: z.enum(['output', 'stderr']).default('output'),
      owner: yes
        .default(false)
        .describe('The caller waits for the result; if it disconnects, the session moves to the background.'),
    }),
    output: z.object({
      text: z.string().optional(),
      base64: z.string().optional(),
      stream: z.enum(['output', 'stderr']).optional(),
      next: z.number().optional(),
      droppedBytes: z.number().optional().describe('Dropped at the cap right before this text.'),
      session: session.optional().describe('In the last line: how it ended.'),
    }),
  },
  'session.poll': {
    input: ours.extend({
      reader: z.string().max(63).default('poll'),
      timeoutMs: waitMs.default(0),
      bytes: count
        .max(1024 * 1024)
        .optional()
        .describe('Maximum number of bytes.'),
      lease: yes
        .default(false)
        .describe('Other pollers with this name and a lease wait until you acknowledge or disconnect, at most 30 s.'),
    }),
    output: one.extend({
      text: z.string(),
      from: z.number(),
      next: z.number().describe('Acknowledge this when you have read the text.'),
      more: z.boolean().describe('There is text at `next` already.'),
      notices: z.array(z.string()).describe('Notes about missing text, to be shown before it.'),
      retryInMs: z.number().optional().describe('When to poll again, if you do not wait. Missing after the end.'),
    }),
  },
  'session.ack': {
    input: ours.extend({ reader: z.string().max(63).default('poll'), cursor: count }),
    output: z.object({}),
  },
  'session.screen': { input: which, output: screen },
  'session.write': {
    input: ours.extend({
      base64: z.string().optional().describe('Raw bytes. Order: base64, hex, keys, paste, submit, eof.'),
      hex: z.array(z.string()).optional(),
      keys: z.array(z.string()).optional(),
      delayMs: count
        .max(10_000)
        .default(0)
        .describe('Pause between two keys, so that Escape and a letter are not read as Alt.'),
      paste: z.string().optional(),
      submit: yes.default(false),
      eof: yes.default(false),
    }),
    output: z.object({
      bytes: z.number().describe('Accepted.'),
      pendingBytes: z.number().describe('Of those, not yet read by the program; they survive the daemon.'),
      refusedBytes: z
        .number()
        .optional()
        .describe(
          'Not accepted: the command does not read its input. They are not kept, and nothing after them was sent.',
        ),
    }),
  },
  'session.resize': {
    input: ours.extend({ columns: z.number().int().min(10).max(1000), rows: z.number().int().min(2).max(1000) }),
    output: one,
  },
  'session.interrupt': { input: ours, output: one },
  ...TALK,
  ...APPROVALS,
  'session.background': { input: ours.extend({ by: z.string().max(63).default('caller') }), output: one },
  'session.stop': {
    input: ours.extend({
      by: z.string().max(63).default('caller'),
      graceMs: count.max(600_000).optional().describe('From TERM to KILL.'),
      wait: yes.default(true).describe('Return when it has ended, not when the signal was sent.'),
      force: yes.default(false).describe('Also if a person has control.'),
      leftovers: yes.default(false).describe('End stray processes of an ended session.'),
    }),
    output: one.extend({ leftovers: z.number().optional().describe('How many stray processes were ended.') }),
  },
  'session.remove': {
    input: ours.extend({
      stop: yes.default(false),
      force: yes.default(false),
      discard: yes.default(false).describe('Also unsaved work in its worktree; a rescue ref keeps it.'),
    }),
    output: z.object({
      id: z.string(),
      rescued: z
        .object({ repository: z.string(), ref: z.string() })
        .optional()
        .describe('Where unsaved work of its worktree is kept: a rescue ref, or its branch.'),
    }),
  },
  'session.prune': {
    input: z.object({ olderThanMs: count, force: yes.default(false), caller: caller.optional() }),
    output: z.object({ removed: z.array(z.string()), kept: z.array(z.object({ id: z.string(), why: z.string() })) }),
  },
  'session.attach': {
    input: ours.extend({
      readOnly: yes.default(false).describe('Watch only: input is ignored.'),
      interrupt: yes.default(false).describe('End the running turn first.'),
    }),
    output: z.object({ argv: z.array(z.string()), detach: z.string() }),
  },
  'tmux.find': {
    input: z.object({
      sockets: z.array(z.string()).default([]).describe('Sockets to check.'),
      folders: z.array(z.string()).default([]).describe('Folders with sockets in them.'),
      query: z.string().optional().describe('Part of a session name, ignoring case.'),
    }),
    output: z.object({
      sessions: z.array(tmuxSession),
      dead: z.array(z.string()).describe('Sockets without a server.'),
    }),
  },
  'tmux.capture': {
    input: z.object({ ...tmuxTarget, lines: count.max(100_000).default(0) }),
    output: z.object({ text: z.string() }),
  },
  'tmux.wait': {
    input: z.object({
      ...tmuxTarget,
      text: z.string().min(1),
      fixed: yes.default(false),
      timeoutMs: waitMs.default(15_000),
      lines: count.default(1000),
    }),
    output: z.object({ met: z.boolean(), match: z.string().optional(), text: z.string() }),
  },
  ...BOOT,
  ...DAEMON,
} as const satisfies Record<OperationName, { input: z.ZodType; output: z.ZodType }>;

export type Contract = typeof CONTRACT;
/** What a caller gives. */
export type CallInput<N extends OperationName> = z.input<Contract[N]['input']>;
/** What a handler gets: checked, with the defaults filled in. */
export type HandlerInput<N extends OperationName> = z.output<Contract[N]['input']>;
export type CallOutput<N extends OperationName> = z.output<Contract[N]['output']>;
