import * as z from 'zod';
import type { Action } from '../core/rules/action.ts';
import { count, yes } from './contract-words.ts';
import { later, operation } from './later.ts';
import { caller } from './spawn-shape.ts';

const id = z.string().min(1, 'give the id of an approval').describe('The id of an approval.');
const ACTIONS = ['shell', 'read', 'write', 'fetch', 'mcp', 'agent', 'other'] as const satisfies readonly Action['is'][];
const effect = z.enum(['allow', 'deny']);

/** A tool call that waits for approval. */
export const approval = later(() =>
  z.object({
    id,
    session: z.string().describe('The id of its session.'),
    name: z.string().nullable().describe('The name of its session.'),
    workspace: z.string().describe('The folder the agent works in.'),
    run: z.number().int(),
    call: z.string().nullable().describe("The agent's own id of the call."),
    tool: z.string(),
    input: z.unknown().describe('The full input of the tool call.'),
    hash: z
      .string()
      .describe('SHA-256 of the input, independent of the order of its fields. A decision applies to this hash.'),
    subagent: z.string().nullable().describe('The sub-agent that called.'),
    why: z.string().describe('Why it needs approval.'),
    actions: z
      .array(z.object({ is: z.enum(ACTIONS), text: z.string().describe('The command, path, address or prompt.') }))
      .optional()
      .describe('What the call would do, whichever tool it uses. Rules match these.'),
    diff: z.string().nullable().describe('For a change to files: a diff against the current files.'),
    diffFields: z.array(z.string()).optional().describe('The fields of the input that the diff shows.'),
    rule: z.string().nullable().describe('The narrowest rule that would match this call; null: there is none.'),
    mode: z.enum(['watch', 'gate']),
    askedAtMs: z.number(),
    leftMs: z
      .number()
      .nullable()
      .describe('Time until it is denied, or in `watch` allowed, without a decision; null: no timeout.'),
  }),
);

const decision = later(() => z.object({ approval: id, session: z.string(), tool: z.string(), allow: z.boolean() }));

/** Input and output of the operations about approvals, rules and the audit. */
export const APPROVALS = {
  'approval.list': operation(
    () => z.object({ session: z.string().optional().describe('Only of this session, by id or name.') }),
    () => z.object({ approvals: z.array(approval()) }),
  ),
  'approval.follow': operation(
    () =>
      z.object({
        session: z.string().optional().describe('Only of this session, by id or name.'),
        known: z
          .union([z.array(z.string()), z.string().transform((word) => [word])])
          .optional()
          .describe('Approvals that the reader already knows: only new ones, and those that are gone since, are sent.'),
      }),
    () =>
      z.object({
        is: z.enum(['asked', 'gone']),
        id,
        approval: approval().optional().describe('For `asked`.'),
        decided: z
          .object({ allow: z.boolean(), by: z.string(), why: z.string() })
          .nullable()
          .optional()
          .describe('For `gone`: the decision; null: the call no longer waits.'),
      }),
  ),
  'approval.decide': operation(
    () =>
      z.object({
        which: z.string().min(1).describe('The id of an approval, or a session that has exactly one.'),
        allow: z.boolean().describe('false: the call is denied.'),
        why: z.string().max(10_000).optional().describe('The reason, which is given to the agent.'),
        edit: z.record(z.string(), z.unknown()).optional().describe('A changed input for the tool.'),
        keep: z
          .enum(['session', 'always'])
          .optional()
          .describe('Save it as a rule: for the rest of the session, or for this workspace.'),
        rule: z.string().max(4_096).optional().describe('Save this rule, instead of the narrowest one.'),
        alike: yes
          .default(false)
          .describe('Also decide every other pending approval, of any session, that this rule matches.'),
        by: z.string().min(1).max(63).default('caller').describe('Who decides.'),
        caller: caller.optional(),
      }),
    () =>
      z.object({
        decided: z.array(decision()).describe('The named one first.'),
        rule: z.string().nullable().describe('The rule that was saved.'),
      }),
  ),
  'rule.list': operation(
    () => z.object({}),
    () => z.object({ rules: z.array(z.object({ workspace: z.string(), effect, text: z.string() })) }),
  ),
  'rule.remove': operation(
    () => z.object({ workspace: z.string(), effect, text: z.string(), caller: caller.optional() }),
    () => z.object({}),
  ),
  'audit.read': operation(
    () =>
      z.object({
        session: z.string().optional().describe('Only of this session, by id or name.'),
        tool: z.string().optional(),
        by: z.string().optional().describe('Only decisions by this name, or by `rules` or `timeout`.'),
        sinceMs: count.optional().describe('Wall-clock time.'),
        after: count.default(0).describe('Only rows after this number.'),
      }),
    () =>
      z.object({
        number: z.number().int(),
        ts: z.string().describe('When, as ISO 8601.'),
        record: z
          .record(z.string(), z.unknown())
          .describe('event, session, name, workspace, tool, by, and the fields of the event as in docs/events.md.'),
        prev: z.string().describe('The hash of the previous row.'),
        hash: z.string(),
      }),
  ),
  'audit.verify': operation(
    () =>
      z.object({
        head: z
          .string()
          .regex(/^\d{1,15}:[0-9a-f]{64}$/, 'a head is a number, a colon and 64 hexadecimal digits')
          .optional()
          .describe('A head that was stored elsewhere, NUMBER:HASH: that row must exist and be unchanged.'),
      }),
    () =>
      z.object({
        ok: z.boolean(),
        fault: z.string().nullable().describe('The first problem.'),
        row: z.number().int().nullable().describe('Its number.'),
        rows: z.number().int().describe('How many rows are intact.'),
        head: z.string().describe('The last row now, NUMBER:HASH. Store it elsewhere to verify the audit later.'),
      }),
  ),
} as const;

export type ApprovalView = z.infer<ReturnType<typeof approval>>;
export type { CallerProof } from './spawn-shape.ts';
