import * as z from 'zod';
import { changes } from './changes-shape.ts';
import { count, cursor, one, ours, throughLimits, waitMs, which, yes } from './contract-words.ts';
import { later, operation } from './later.ts';
import { logLine } from './logs-shape.ts';
import { place } from './shapes.ts';
import { caller } from './spawn-shape.ts';
import { imagePaths, promptText } from './start-shape.ts';
import { usage } from './usage-shape.ts';

const models = later(() =>
  z
    .array(usage().extend({ model: z.string().nullable().describe('null: unknown.') }))
    .describe('By model, most expensive first.'),
);
const sessions = later(() =>
  z
    .array(usage().extend({ session: z.string().describe('Its id.'), name: z.string().nullable() }))
    .describe('By session, including removed ones.'),
);

/** Input and output of the operations that prompt an agent and read its conversation. */
export const TALK = {
  'session.prompt': operation(
    () =>
      ours.extend({
        key: z.string().max(100).optional().describe('Idempotency key: a repeated key is the same prompt.'),
        prompt: promptText.optional().describe('The prompt; required.'),
        text: promptText.optional().describe('The earlier name of `prompt`.'),
        images: imagePaths.default([]),
        now: yes.default(false).describe('Add it to the running turn, instead of after it.'),
        asCommand: yes.default(false).describe('Allow it to begin with / or !, as a command to the agent.'),
      }),
    () =>
      one().extend({
        prompt: z.string().describe('Its id.'),
        ...place,
      }),
  ),
  'session.reply': operation(
    () =>
      which.extend({
        prompt: z.string().optional().describe('Default: the last one.'),
        timeoutMs: waitMs.optional(),
        throughLimits,
        owner: yes
          .default(false)
          .describe('The caller waits for the result; if it disconnects, the session moves to the background.'),
      }),
    () =>
      one().extend({
        prompt: z.string().nullable(),
        met: z
          .enum(['answered', 'failed', 'interrupted', 'dropped', 'unsure', 'held', 'limited', 'ended', 'nothing'])
          .describe('nothing: timeout, it keeps running. limited: it waits for a usage limit, then continues.'),
        reply: z.string().nullable().describe('The reply, or the error message.'),
        ...place,
      }),
  ),
  'session.drop': operation(
    () => ours.extend({ prompt: z.string(), by: z.string().max(63).default('caller') }),
    () => one(),
  ),
  'session.turn': operation(
    () =>
      which.extend({
        number: z.coerce.number().int().default(-1).describe('1 is the first; -1 the last, -2 the one before.'),
        prompt: z.string().optional().describe('The turn that this prompt started, instead of a number.'),
        full: yes.default(false).describe('Full tool results.'),
      }),
    () =>
      z.object({
        number: z.number(),
        count: z.number(),
        markdown: z.string(),
        ended: z.boolean().describe('The session has ended.'),
        turn: z.record(z.string(), z.unknown()),
      }),
  ),
  'session.turns': operation(
    () =>
      which.extend({
        from: z.coerce.number().int().min(1).default(1).describe('The number of the first turn.'),
        follow: yes.default(false).describe('Continue with what the agent records, until the session ends.'),
      }),
    () =>
      z.object({
        turn: z.number().describe('The number of the turn; 1 is the first.'),
        text: z.string().optional().describe('In the first line about a turn: what began it.'),
        prompt: z.string().nullable().optional().describe('In that line: the prompt it is for; null: not one of ours.'),
        continued: z.boolean().optional().describe('In that line: Outlast continues a turn that was interrupted.'),
        index: z.number().optional().describe('The number of the step within the turn, from 0.'),
        step: z
          .record(z.string(), z.unknown())
          .optional()
          .describe(
            'What happened: `is` is text, thinking, call, steering, told or note. One that changed, such as a call ' +
              'that returned, is sent again. `actions` of a call say what it does, whichever tool it uses.',
          ),
      }),
  ),
  'session.logs': operation(
    () =>
      which.extend({
        follow: yes.default(false).describe('Continue until the session ends.'),
        last: count.max(100_000).optional().describe('Only the last N lines of what happened so far.'),
        sinceMs: count.optional().describe('Only what happened since this time.'),
        from: count.optional().describe('Only what happened since the agent had got this many prompts.'),
        full: yes.default(false).describe('Whole inputs and results of calls.'),
      }),
    () => logLine(),
  ),
  'session.changes': operation(
    () =>
      which.extend({
        turn: z.coerce.number().int().optional().describe('Only what this turn changed; -1 is the last.'),
        sinceTurn: z.coerce.number().int().optional().describe('What was changed since this turn began.'),
        stat: yes.default(false).describe('Only the list of files, without a diff.'),
      }),
    () => changes(),
  ),
  'session.report': operation(
    () => which,
    () =>
      z.object({
        session: z.string().describe('Its id.'),
        name: z.string().nullable(),
        head: z.array(z.string()).describe('The first lines: the outcome in one sentence, then its usage.'),
        runs: z
          .array(
            z.object({
              run: z.number(),
              how: z.string().describe('launch, resume, fork or visit.'),
              startedAtMs: z.number(),
              pid: z.number().nullable(),
              endedAtMs: z.number().nullable(),
              end: z.string().nullable().describe('How it ended, or its fault.'),
              signs: z.array(z.string()).describe('The evidence for the fault.'),
              backoffMs: z.number().nullable().describe('The pause before the next try.'),
              remedy: z.string().nullable().describe('What Outlast did about it.'),
            }),
          )
          .describe('Only the first and the last ones if there are many.'),
        timeline: z.array(z.object({ atMs: z.number().nullable(), text: z.string() })).describe('Oldest first.'),
        tools: z.record(z.string(), z.number()).describe('How often each tool was called.'),
        output: z.array(z.string()).describe('The last lines of output; for a live agent, its last screen.'),
        lastTurn: z.string().nullable().describe('The end of the conversation, as Markdown, cut.'),
        changes: z.string().nullable().describe('The changes in the workspace, from git; null: unknown.'),
        usage: usage(),
        markdown: z.string().describe('The whole report, for people.'),
      }),
  ),
  'usage.days': operation(
    () =>
      z.object({
        days: z.coerce.number().int().min(1).max(3_650).default(7).describe('How many days, including today.'),
      }),
    () =>
      z.object({
        timeZone: z.string().describe('The time zone of the days.'),
        total: usage(),
        days: z
          .array(
            usage().extend({ day: z.string().describe('Year, month, day.'), models: models(), sessions: sessions() }),
          )
          .describe('Newest first; days without usage are left out. A turn counts for the day it ended on.'),
        models: models(),
        sessions: sessions(),
      }),
  ),
  'session.resume': operation(
    () =>
      ours.extend({
        by: z.string().max(63).default('caller'),
        trust: yes.default(false).describe("Trust the workspace's own settings."),
        startFresh: yes.default(false).describe('Start a new conversation if the old one is lost.'),
        agent: z.string().max(63).optional().describe('The agent that takes over; default: it continues with its own.'),
        model: z.string().max(200).optional().describe('The model of the agent that takes over.'),
        thinking: z.string().max(63).optional().describe('The thinking level of the agent that takes over.'),
      }),
    () => one().extend(place),
  ),
  'session.tell': operation(
    () =>
      z.object({
        key: z.string().max(100).optional().describe('Idempotency key: a repeated key is sent once.'),
        text: promptText.refine((text) => text.length <= 4_000, 'a message to an owner has at most 4000 characters'),
        caller: caller.optional(),
      }),
    () =>
      z.object({
        owner: z.string().describe('The session that gets the message.'),
        wake: z.boolean().describe('It starts a turn.'),
      }),
  ),
  'session.acknowledge': operation(
    () =>
      ours.extend({
        position: cursor.optional().describe('The position of the answer that was read. Default: the end.'),
      }),
    () => z.object({ count: z.number().describe('How many updates were dropped.') }),
  ),
  'session.handoff': operation(
    () => ours.extend({ back: yes.default(false), by: z.string().max(63).default('a person') }),
    () => one(),
  ),
} as const;
