import * as z from 'zod';
import type { Action } from '../core/rules/action.ts';
import { count, yes } from './contract-words.ts';
import { caller } from './spawn-shape.ts';

const id = z.string().min(1, 'give the id of a question').describe('The id of a question.');
const ACTIONS = ['shell', 'read', 'write', 'fetch', 'mcp', 'agent', 'other'] as const satisfies readonly Action['is'][];
const effect = z.enum(['allow', 'deny']);

/** A tool call that waits for an answer. */
export const approval = z.object({
  id,
  session: z.string().describe('The id of its session.'),
  name: z.string().nullable().describe('The name of its session.'),
  workspace: z.string().describe('The folder the agent works in.'),
  run: z.number().int(),
  call: z.string().nullable().describe("The agent's own id of the call."),
  tool: z.string(),
  input: z.unknown().describe('What the tool would be given, whole.'),
  hash: z.string().describe('SHA-256 of the input, whatever the order of its fields: an answer is about this.'),
  subagent: z.string().nullable().describe('The sub-agent that called.'),
  why: z.string().describe('Why it is asked about.'),
  actions: z
    .array(z.object({ is: z.enum(ACTIONS), text: z.string().describe('The command, path, address or prompt.') }))
    .optional()
    .describe('What the call would do, whatever the agent calls its tool. Rules look at these.'),
  diff: z.string().nullable().describe('Of a change to files: the change to them as they are now.'),
  diffFields: z.array(z.string()).optional().describe('The fields of the input that the diff shows.'),
  rule: z.string().nullable().describe('The narrowest rule that says the same the next time; null: there is none.'),
  mode: z.enum(['watch', 'gate']),
  askedAtMs: z.number(),
  leftMs: z
    .number()
    .nullable()
    .describe('Until it is denied, or in `watch` let through, without an answer; null: it waits as long as it takes.'),
});

const decision = z.object({ approval: id, session: z.string(), tool: z.string(), allow: z.boolean() });

/** What goes in and out when somebody decides about tool calls. */
export const APPROVALS = {
  'approval.list': {
    input: z.object({ session: z.string().optional().describe('Only of this session, by id or name.') }),
    output: z.object({ approvals: z.array(approval) }),
  },
  'approval.follow': {
    input: z.object({
      session: z.string().optional().describe('Only of this session, by id or name.'),
      known: z
        .union([z.array(z.string()), z.string().transform((word) => [word])])
        .optional()
        .describe('Questions that the reader knows of: only what is new, or gone since, is told.'),
    }),
    output: z.object({
      is: z.enum(['asked', 'gone']),
      id,
      approval: approval.optional().describe('Of one that is asked.'),
      decided: z
        .object({ allow: z.boolean(), by: z.string(), why: z.string() })
        .nullable()
        .optional()
        .describe('Of one that is gone: the answer; null: nobody waits for one any more.'),
    }),
  },
  'approval.decide': {
    input: z.object({
      which: z.string().min(1).describe('The id of a question, or a session that has exactly one.'),
      allow: z.boolean().describe('false: the call is refused.'),
      why: z.string().max(10_000).optional().describe('Reaches the agent.'),
      edit: z.record(z.string(), z.unknown()).optional().describe('What the tool is given instead.'),
      keep: z
        .enum(['session', 'always'])
        .optional()
        .describe('Make a rule of it: for the rest of the session, or for this workspace.'),
      rule: z.string().max(4_096).optional().describe('That rule, instead of the narrowest one.'),
      alike: yes.default(false).describe('Also every other question, of any session, that such a rule would decide.'),
      by: z.string().min(1).max(63).default('caller').describe('Who decides.'),
      caller: caller.optional(),
    }),
    output: z.object({
      decided: z.array(decision).describe('The one that was meant first.'),
      rule: z.string().nullable().describe('The rule that was made of it.'),
    }),
  },
  'rule.list': {
    input: z.object({}),
    output: z.object({ rules: z.array(z.object({ workspace: z.string(), effect, text: z.string() })) }),
  },
  'rule.remove': {
    input: z.object({ workspace: z.string(), effect, text: z.string(), caller: caller.optional() }),
    output: z.object({}),
  },
  'audit.read': {
    input: z.object({
      session: z.string().optional().describe('Only of this session, by id or name.'),
      tool: z.string().optional(),
      by: z.string().optional().describe('Only what this one decided: a name, `rules` or `timeout`.'),
      sinceMs: count.optional().describe('Wall-clock time.'),
      after: count.default(0).describe('Only rows after this number.'),
    }),
    output: z.object({
      number: z.number().int(),
      ts: z.string().describe('When, as ISO 8601.'),
      record: z
        .record(z.string(), z.unknown())
        .describe('event, session, name, workspace, tool, by, and the fields of the event as in docs/events.md.'),
      prev: z.string().describe('The hash of the row before.'),
      hash: z.string(),
    }),
  },
  'audit.verify': {
    input: z.object({
      head: z
        .string()
        .regex(/^\d{1,15}:[0-9a-f]{64}$/, 'a head is a number, a colon and 64 hexadecimal digits')
        .optional()
        .describe('A head that was kept elsewhere, NUMBER:HASH: that row must be there and the same.'),
    }),
    output: z.object({
      ok: z.boolean(),
      fault: z.string().nullable().describe('The first thing that is wrong.'),
      row: z.number().int().nullable().describe('Its number.'),
      rows: z.number().int().describe('How many rows were found in order.'),
      head: z.string().describe('The last row now, NUMBER:HASH. Keep it elsewhere: it proves later what was there.'),
    }),
  },
} as const;

export type ApprovalView = z.infer<typeof approval>;
export type { CallerProof } from './spawn-shape.ts';
