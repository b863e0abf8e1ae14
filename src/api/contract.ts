import * as z from 'zod';
import { APPROVALS } from './contract-approvals.ts';
import { BOOT } from './contract-boot.ts';
import { DAEMON } from './contract-daemon.ts';
import { DEVICES } from './contract-devices.ts';
import { listedSession, listInput, watchInput, watchLine } from './contract-list.ts';
import { METRICS } from './contract-metrics.ts';
import { NOTICES } from './contract-notices.ts';
import { OUTPUT } from './contract-output.ts';
import { TALK } from './contract-prompt.ts';
import { SCHEDULE } from './contract-schedule.ts';
import { SEARCH } from './contract-search.ts';
import { count, cursor, one, ours, throughLimits, waitMs, which, yes } from './contract-words.ts';
import { operation } from './later.ts';
import { policyView } from './policy-shape.ts';
import type { OperationName } from './routes.ts';
import { event, place } from './shapes.ts';
import { caller } from './spawn-shape.ts';
import { startInput } from './start-shape.ts';
import { tmuxSession, tmuxTarget } from './tmux-shape.ts';
import { UPLOAD } from './upload-shape.ts';

// The input and output of each operation. For a stream, `output` is one line of it. Query parameters arrive as strings,
// so numbers and booleans are coerced here, at the boundary, once.

export const CONTRACT = {
  'session.start': operation(
    () => startInput(),
    () =>
      one().extend({
        warnings: z.array(z.string()),
        ...place,
        prompt: z.string().nullable().describe('The id of the first prompt.'),
      }),
  ),
  'session.list': operation(
    () => listInput(),
    () =>
      z.object({
        sessions: z.array(listedSession()),
        more: z.boolean(),
      }),
  ),
  'session.watch': operation(
    () => watchInput(),
    () => watchLine(),
  ),
  'session.show': operation(
    () => which,
    () =>
      one().extend({
        folder: z.string(),
        columns: z.number(),
        rows: z.number(),
        timeoutMs: z.number().nullable(),
        silenceMs: z.number().nullable().describe('It is stopped if it prints nothing for this long.'),
        inputClosed: z.boolean(),
        processes: z.array(z.object({ pid: z.number(), command: z.string() })),
        eventsFile: z.string().describe('Its events as JSON lines, kept current.'),
        attach: z
          .string()
          .nullable()
          .describe('The command with which a person attaches to it; null: it has no screen.'),
        reply: z.string().nullable().describe('The last reply, or the last error message.'),
        policy: policyView().describe('Its limits.'),
      }),
  ),
  'session.wait': operation(
    () =>
      which.extend({
        for: z
          .string()
          .default('exit')
          .describe(
            'exit, ended, idle, held, approval, event:TYPE, idle-output:2s or text:REGEX; several with commas.',
          ),
        since: count.optional().describe('Only output after this offset counts. Default: from now on.'),
        after: cursor.optional().describe('Only events after this cursor count for event:TYPE. Default: from now on.'),
        timeoutMs: waitMs.optional(),
        throughLimits,
      }),
    () =>
      one().extend({
        met: z
          .enum(['exit', 'idle', 'held', 'limited', 'unsure', 'approval', 'event', 'idle-output', 'text', 'nothing'])
          .describe('nothing: timeout. exit, held, limited and unsure end every wait.'),
        match: z.string().optional(),
        event: event().optional(),
        cursor: z.number().describe('Offset to wait or read from next.'),
        ...place,
      }),
  ),
  ...DEVICES,
  ...OUTPUT,
  'session.write': operation(
    () =>
      ours.extend({
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
    () =>
      z.object({
        bytes: z.number().describe('Accepted.'),
        pendingBytes: z.number().describe('Of those, not yet read by the program; they survive the daemon.'),
        refusedBytes: z
          .number()
          .optional()
          .describe(
            'Not accepted: the command does not read its input. They are not kept, and nothing after them was sent.',
          ),
      }),
  ),
  'session.resize': operation(
    () =>
      ours.extend({
        columns: z.number().int().min(10).max(1000),
        rows: z.number().int().min(2).max(1000),
        control: z.string().optional().describe('Of `session.control`: the size goes back when that control ends.'),
      }),
    () => one(),
  ),
  'session.control': operation(
    () => ours.extend({ by: z.string().max(63).default('a person') }),
    () =>
      z.object({
        control: z.string().optional().describe('In the first line: the id of this control.'),
        ended: z.boolean().optional().describe('In the last line: the run has ended.'),
      }),
  ),
  'session.type': operation(
    () =>
      ours.extend({
        control: z.string().describe('The id that `session.control` returned.'),
        number: z.number().int().min(0).describe('The number of this input, from 0 without a gap.'),
        count: z.number().int().min(1).default(1).describe('How many inputs are in it, when they were joined.'),
        base64: z.string().optional().describe('Bytes.'),
        paste: z.string().optional().describe('A text to paste, instead of bytes.'),
      }),
    () => z.object({ taken: z.number().describe('The number of the next input.') }),
  ),
  'session.interrupt': operation(
    () => ours,
    () => one(),
  ),
  ...TALK,
  ...UPLOAD,
  ...APPROVALS,
  ...SEARCH,
  ...METRICS,
  'session.background': operation(
    () => ours.extend({ by: z.string().max(63).default('caller') }),
    () => one(),
  ),
  'session.stop': operation(
    () =>
      ours.extend({
        by: z.string().max(63).default('caller'),
        graceMs: count.max(600_000).optional().describe('From TERM to KILL.'),
        wait: yes.default(true).describe('Return when it has ended, not when the signal was sent.'),
        force: yes.default(false).describe('Even if a person has control.'),
        leftovers: yes.default(false).describe('End stray processes of an ended session.'),
      }),
    () => one().extend({ leftovers: z.number().optional().describe('How many stray processes were ended.') }),
  ),
  'session.remove': operation(
    () =>
      ours.extend({
        stop: yes.default(false),
        force: yes.default(false),
        discard: yes.default(false).describe('Even with unsaved work in its worktree; a rescue ref keeps it.'),
      }),
    () =>
      z.object({
        id: z.string(),
        rescued: z
          .object({ repository: z.string(), ref: z.string() })
          .optional()
          .describe('Where unsaved work of its worktree is kept: a rescue ref, or its branch.'),
      }),
  ),
  'session.prune': operation(
    () => z.object({ olderThanMs: count, force: yes.default(false), caller: caller.optional() }),
    () => z.object({ removed: z.array(z.string()), kept: z.array(z.object({ id: z.string(), why: z.string() })) }),
  ),
  'session.attach': operation(
    () =>
      ours.extend({
        readOnly: yes.default(false).describe('Watch only: input is ignored.'),
        interrupt: yes.default(false).describe('End the running turn first.'),
      }),
    () => z.object({ argv: z.array(z.string()), detach: z.string() }),
  ),
  'tmux.find': operation(
    () =>
      z.object({
        sockets: z.array(z.string()).default([]).describe('Sockets to check.'),
        folders: z.array(z.string()).default([]).describe('Folders with sockets in them.'),
        query: z.string().optional().describe('Part of a session name, ignoring case.'),
      }),
    () =>
      z.object({
        sessions: z.array(tmuxSession()),
        dead: z.array(z.string()).describe('Sockets without a server.'),
      }),
  ),
  'tmux.capture': operation(
    () => z.object({ ...tmuxTarget(), lines: count.max(100_000).default(0) }),
    () => z.object({ text: z.string() }),
  ),
  'tmux.wait': operation(
    () =>
      z.object({
        ...tmuxTarget(),
        text: z.string().min(1),
        fixed: yes.default(false),
        timeoutMs: waitMs.default(15_000),
        lines: count.default(1000),
      }),
    () => z.object({ met: z.boolean(), match: z.string().optional(), text: z.string() }),
  ),
  ...BOOT,
  ...NOTICES,
  ...DAEMON,
  ...SCHEDULE,
} as const satisfies Record<OperationName, { input: z.ZodType; output: z.ZodType }>;

export type Contract = typeof CONTRACT;
/** The input that a caller gives. */
export type CallInput<N extends OperationName> = z.input<Contract[N]['input']>;
/** The input that a handler gets: checked, with the defaults filled in. */
export type HandlerInput<N extends OperationName> = z.output<Contract[N]['input']>;
export type CallOutput<N extends OperationName> = z.output<Contract[N]['output']>;
