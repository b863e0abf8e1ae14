import * as z from 'zod';
import { count, which, yes } from './contract-words.ts';
import { later, operation } from './later.ts';
import { caller } from './spawn-shape.ts';

const KINDS = ['prompt', 'reply', 'tool'] as const;

const found = later(() =>
  z.object({
    id: z.number().describe('Of this text in the index, until the index is built again.'),
    kind: z.enum(KINDS).describe('tool: a tool call, its input and the ends of its result.'),
    agent: z.string(),
    conversation: z.string().describe("The agent's own id; empty: it has none."),
    session: z
      .object({ id: z.string(), name: z.string().nullable(), live: z.boolean() })
      .nullable()
      .describe('The session that it belongs to; null: it was not started with Outlast.'),
    workspace: z.string().nullable().describe('The folder that it works in; null: not known.'),
    path: z.string().describe('The file or database with the conversation.'),
    atMs: z.number().describe('When it was said, as far as the agent recorded that.'),
    turn: z.number().nullable().describe('The number of its turn; null: not known.'),
    text: z.string().describe('The part of the text with the match, or with `full` all of it.'),
    marks: z
      .array(z.object({ from: z.number(), to: z.number() }))
      .describe('Where the words are in `text`: from a character to before another one.'),
    cut: z.object({ before: z.boolean(), after: z.boolean() }).describe('There is more of the text on that side.'),
  }),
);

const index = later(() =>
  z
    .object({
      state: z
        .enum(['none', 'building', 'current', 'partial', 'off'])
        .describe('none: the first search builds it. partial: `why` says what is missing. off: `search.enabled`.'),
      why: z.string().nullable().describe('Why it is not complete, or cannot be kept up to date.'),
      progress: z
        .object({ done: z.number(), total: z.number() })
        .nullable()
        .describe('Conversations that are read and that are to be read, newest first; null: none are read now.'),
      conversations: z.number(),
      texts: z.number(),
      bytes: z.number().describe('The size of its files.'),
      bytesMax: z.number(),
      horizonMs: z.number().nullable().describe('Older texts were left out for lack of room; null: none were.'),
      atMs: z.number().nullable().describe('When it was last brought up to date.'),
    })
    .describe('The index.'),
);

/** Input and output of the operations about the search. */
export const SEARCH = {
  'search.query': operation(
    () =>
      z.object({
        words: z
          .string()
          .min(1)
          .max(1_000)
          .describe('All words have to be in a text. "in quotes": in this order. word*: the beginning of a word.'),
        agent: z.string().optional().describe('Only conversations of this agent.'),
        session: which.shape.session.optional(),
        workspace: z.string().optional().describe('Only conversations in this folder, or below it.'),
        newerThanMs: count.optional().describe('Only what was said less than this long ago.'),
        only: z
          .union([z.enum(KINDS), z.array(z.enum(KINDS)).max(3)])
          .optional()
          .describe('Only prompts, replies or tool calls.'),
        limit: count.min(1).max(200).default(20).describe('Maximum number of texts, newest first.'),
        before: count.optional().describe('Continue after this text: `more` of the answer before.'),
        full: yes.default(false).describe('Whole texts instead of the matching parts.'),
        waitMs: count
          .max(600_000)
          .default(1_000)
          .describe('How long to wait for what was said since the last search; then what is known is searched.'),
        caller: caller.optional(),
      }),
    () =>
      z.object({
        found: z.array(found()),
        more: z.number().nullable().describe('There are more: pass this as `before`; null: there are none.'),
        index: index(),
      }),
  ),
  'search.status': operation(
    () => z.object({}),
    () => index(),
  ),
  'search.delete': operation(
    () => z.object({ caller: caller.optional() }),
    () => z.object({ bytes: z.number().describe('The size that it had.') }),
  ),
} as const;

/** A text that was found, and the conversation that it is in. */
export type FoundText = z.infer<ReturnType<typeof found>>;
export type SearchIndexView = z.infer<ReturnType<typeof index>>;
