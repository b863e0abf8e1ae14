import * as z from 'zod';
import { cursor, one, ours, throughLimits, waitMs, which, yes } from './contract-words.ts';
import { place, promptText } from './shapes.ts';
import { caller } from './spawn-shape.ts';

const sum = z.object({
  turns: z.number(),
  tokens: z.number(),
  usd: z.number().nullable().describe('As the agents reckon; null: none of them says.'),
});
const models = z
  .array(sum.extend({ model: z.string().nullable().describe('null: the agent does not say.') }))
  .describe('By model, what cost most first.');
const sessions = z
  .array(sum.extend({ session: z.string().describe('Its id.'), name: z.string().nullable() }))
  .describe('By session, removed ones too.');

/** What goes in and out when somebody talks with an agent. */
export const TALK = {
  'session.prompt': {
    input: ours.extend({
      key: z.string().max(100).optional().describe('The same key twice is one prompt.'),
      text: promptText,
      now: yes.default(false).describe('Into the turn that is running, instead of after it.'),
      asCommand: yes.default(false).describe('It may begin with / or !, and is then a command of the agent.'),
    }),
    output: one.extend({
      prompt: z.string().describe('Its id.'),
      ...place,
    }),
  },
  'session.reply': {
    input: which.extend({
      prompt: z.string().optional().describe('Default: the last one given.'),
      timeoutMs: waitMs.optional(),
      throughLimits,
      owner: yes
        .default(false)
        .describe('The caller waits for the result; if it leaves, the session goes to the background.'),
    }),
    output: one.extend({
      prompt: z.string().nullable(),
      met: z
        .enum(['answered', 'failed', 'interrupted', 'dropped', 'unsure', 'held', 'limited', 'ended', 'nothing'])
        .describe('nothing: the time was up, and it goes on. limited: it waits for a usage limit, and goes on.'),
      reply: z.string().nullable().describe('The reply, or the words of the error.'),
      ...place,
    }),
  },
  'session.drop': {
    input: ours.extend({ prompt: z.string(), by: z.string().max(63).default('caller') }),
    output: one,
  },
  'session.turn': {
    input: which.extend({
      number: z.coerce.number().int().default(-1).describe('1 is the first; -1 the last, -2 the one before.'),
      prompt: z.string().optional().describe('The turn that this prompt began, instead of a number.'),
      full: yes.default(false).describe('Whole results of tools.'),
    }),
    output: z.object({
      number: z.number(),
      count: z.number(),
      markdown: z.string(),
      ended: z.boolean().describe('The session has ended.'),
      turn: z.record(z.string(), z.unknown()),
    }),
  },
  'session.report': {
    input: which,
    output: z.object({
      session: z.string().describe('Its id.'),
      name: z.string().nullable(),
      head: z.array(z.string()).describe('The first lines: the outcome in one sentence, then what it took.'),
      runs: z
        .array(
          z.object({
            run: z.number(),
            how: z.string().describe('launch, resume, fork or visit.'),
            startedAtMs: z.number(),
            pid: z.number().nullable(),
            endedAtMs: z.number().nullable(),
            end: z.string().nullable().describe('How it ended, or why it broke.'),
            signs: z.array(z.string()).describe('What was seen that led to the verdict.'),
            backoffMs: z.number().nullable().describe('The pause before the next try.'),
            remedy: z.string().nullable().describe('What was done about its end.'),
          }),
        )
        .describe('The first and the last ones, when there are many.'),
      timeline: z.array(z.object({ atMs: z.number().nullable(), text: z.string() })).describe('Oldest first.'),
      tools: z.record(z.string(), z.number()).describe('How often each tool was called.'),
      output: z.array(z.string()).describe('The last lines it printed; of a live agent its last screen.'),
      lastTurn: z.string().nullable().describe('The end of the conversation, as Markdown, cut.'),
      changes: z.string().nullable().describe('What git says has changed in the workspace; null: nobody could say.'),
      usage: z.object({ turns: z.number(), tokens: z.number(), usd: z.number().nullable() }),
      markdown: z.string().describe('All of it, for people.'),
    }),
  },
  'usage.days': {
    input: z.object({
      days: z.coerce.number().int().min(1).max(3_650).default(7).describe('Today, and those before.'),
    }),
    output: z.object({
      timeZone: z.string().describe('Whose days these are.'),
      total: sum,
      days: z
        .array(sum.extend({ day: z.string().describe('Year, month, day.'), models, sessions }))
        .describe('Newest first; a day without any use is left out. A turn counts for the day it ended on.'),
      models,
      sessions,
    }),
  },
  'session.resume': {
    input: ours.extend({
      by: z.string().max(63).default('caller'),
      trust: yes.default(false).describe("The caller's word that the workspace's own settings may run."),
      anew: yes.default(false).describe('Where its conversation is gone, another one is begun.'),
    }),
    output: one.extend(place),
  },
  'session.tell': {
    input: z.object({
      key: z.string().max(100).optional().describe('The same key twice is told once.'),
      text: promptText.refine((text) => text.length <= 4_000, 'a message to an owner has at most 4000 characters'),
      caller: caller.optional(),
    }),
    output: z.object({ owner: z.string().describe('Who is told.'), wake: z.boolean().describe('It begins a turn.') }),
  },
  'session.seen': {
    input: ours.extend({ position: cursor.optional().describe('The answer that was read. Default: the end.') }),
    output: z.object({ count: z.number().describe('How many news were taken back.') }),
  },
  'session.handoff': {
    input: ours.extend({ back: yes.default(false), by: z.string().max(63).default('a person') }),
    output: one,
  },
} as const;
