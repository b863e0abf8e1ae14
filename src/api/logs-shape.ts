import * as z from 'zod';
import { later } from './later.ts';

/** What a line of the logs is about. */
const KINDS = [
  ...['prompt', 'steering', 'text', 'piece', 'thinking', 'call', 'note'],
  ...['question', 'decision', 'fault', 'event', 'end'],
] as const;

/** A tool call in the logs. */
const call = later(() =>
  z.object({
    id: z.string().nullable().describe("The agent's own id of it."),
    name: z.string(),
    input: z.unknown(),
    actions: z.array(z.record(z.string(), z.unknown())).describe('What it does, whichever tool it uses.'),
    result: z
      .object({ text: z.string(), images: z.number(), isError: z.boolean() })
      .nullable()
      .describe('Null: it has not returned, or the agent does not record results.'),
    ended: z.boolean(),
    error: z.string().nullable().describe('Why it failed; null if it did not.'),
    tookMs: z.number().nullable(),
    subagent: z.string().nullable().describe('The sub-agent that called; null for the agent itself.'),
  }),
);

/** One line of the logs of a session. */
export const logLine = later(() =>
  z.object({
    id: z
      .string()
      .describe('What it is about. A later line with this id replaces this one: a call that returned, for example.'),
    is: z
      .enum(KINDS)
      .describe(
        'prompt: given to the agent. steering: a text for the running turn. text, thinking: by the agent. piece: the ' +
          'next part of a text that the agent is still writing; the whole text follows as `text`. call: of a tool. ' +
          'question, decision: an approval. fault: what went wrong. event: anything else that happened. end: how the ' +
          'session ended. note: added by the agent program.',
      ),
    atMs: z.number().nullable().describe('When; for what the agent records without a time, the last time before it.'),
    turn: z.number().describe('How many prompts the agent has got so far.'),
    text: z.string(),
    prompt: z.string().optional().describe('Of a prompt: its id, if a caller gave it.'),
    from: z.number().optional().describe('Of a piece: where in its text it begins, in characters.'),
    event: z.string().optional().describe('The type of the event that it tells.'),
    approval: z.string().optional().describe('The id of the approval.'),
    agent: z.string().optional().describe('Of a text: the agent that wrote it, if the session had several.'),
    call: call().optional(),
    cutChars: z.number().optional().describe('How many characters were left out of its texts; `full` has them.'),
  }),
);

export type LogLine = z.infer<ReturnType<typeof logLine>>;
export type LogCall = z.infer<ReturnType<typeof call>>;
