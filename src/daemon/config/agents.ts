import * as z from 'zod';
import { allAgents } from '../../agent/all.ts';
import type { CliEntry } from '../../agent/cli/entry.ts';
import { IMAGE_PLACEHOLDER, PLACEHOLDERS } from '../../agent/cli/launch.ts';
import type { AcpEntry, AgentEntry } from '../../agent/configured.ts';
import { linearPattern } from '../../base/linear-pattern.ts';

const NAME = /^[a-z0-9][a-z0-9-]{0,62}$/;

const wordWith = (placeholders: readonly string[]) =>
  z
    .string()
    .max(4_096)
    .superRefine((text, context) => {
      for (const [each] of text.matchAll(/\{[a-z_]+\}/g))
        if (!placeholders.includes(each))
          context.addIssue(`there is no ${each} here; available: ${placeholders.join(', ')}`);
    });
const word = wordWith(PLACEHOLDERS);
const image = z
  .array(wordWith([IMAGE_PLACEHOLDER]))
  .max(20)
  .refine((words) => words.some((each) => each.includes(IMAGE_PLACEHOLDER)), `needs ${IMAGE_PLACEHOLDER} in a word`);
const ARGV = 'must be a list of the program and its arguments, such as ["llm", "--cid", "{conversation}"]';
const argv = z
  .array(word, ARGV)
  .max(1_000)
  .refine(([program = '']) => program !== '', ARGV);
const path = z.string().regex(/^[^.\s]+(\.[^.\s]+)*$/, 'must be names and numbers with dots between them: a.b.0.c');
const regex = z
  .string()
  .min(1)
  .max(1_000)
  .superRefine((source, context) => {
    const compiled = linearPattern(source);
    if (compiled.is === 'refused') context.addIssue(`is not a usable regular expression: ${compiled.why}`);
  });

const places = {
  json: path.optional().describe('The place of the value in a line of JSON.'),
  when: z
    .record(path, z.union([z.string(), z.number(), z.boolean()]))
    .optional()
    .describe('Only in lines with these values at these places.'),
  regex: regex.optional().describe('An expression; its first group is the value, or all of it.'),
};
type Places = z.output<z.ZodObject<typeof places>>;

/** A finder has one way of finding. */
function oneWay({ json, regex: source, when }: Places, context: z.core.$RefinementCtx): void {
  if ((json === undefined) === (source === undefined)) context.addIssue('needs one of "json" and "regex"');
  if (when !== undefined && json === undefined) context.addIssue('"when" needs "json"');
}

const finder = z.strictObject(places).superRefine(oneWay);
const joined = z
  .strictObject({
    ...places,
    join: z.string().max(16).optional().describe('Put between several matches, which make one reply.'),
  })
  .superRefine(oneWay);

const place = z
  .string()
  .regex(/^(\/|~\/|\{workspace\}\/|\{home\}\/)/, 'must begin with /, ~/, {home}/ or {workspace}/');
const keys = z.array(z.string().min(1)).min(1).max(10);

const transcript = z.strictObject({
  path: place.describe('The file, with `{conversation}`, `{workspace}` and `{home}`.'),
  prompt: finder.describe('The lines of a prompt. Those in a row belong to one prompt.'),
  reply: joined.optional().describe('Where the reply is. Default: all lines between two prompts.'),
  end: finder.optional().describe('What says that a turn is over. Default: a turn with a reply is.'),
});

const live = z.strictObject({
  start: argv.describe('The command line that starts it on its screen.'),
  resume: argv.optional().describe('The command line that starts it on a conversation. Default: `live.start`.'),
  ready: regex.describe('Matches the row that waits for input; its first group is what was typed.'),
  busy: regex.optional().describe('Matches a row while it works. Default: it works whenever it does not wait.'),
  dialog: regex.optional().describe('Matches a row of a question for a person. The session is held then.'),
  command: regex.optional().describe('Matches a text that it takes for a command. Default: begins with `/`.'),
  quit: z.string().min(1).max(100).optional().describe('What is typed to make it exit. Default: `/exit`.'),
  interrupt: keys.optional().describe('The keys that interrupt a turn. Default: `C-c`.'),
  clear: keys.optional().describe('The keys that empty its input line. Default: `C-u`.'),
});

/** What every entry may have. */
const COMMON = {
  env: z
    .array(z.string().regex(/^[A-Za-z_]\w*\*?$/, 'must be the name of a variable, with * at its end for all such'))
    .max(100)
    .optional()
    .describe('Variables of the caller that it gets in addition to the usual ones.'),
  version: z
    .array(z.string())
    .max(20)
    .optional()
    .describe('The arguments that print its version. Default: `--version`.'),
  install: z.string().max(500).optional().describe('How to install it, in a sentence.'),
};

/** A program that is described by its command lines, as in the config file. */
export const configAgent = z
  .strictObject({
    turn: argv
      .optional()
      .describe('The command line of a turn. The prompt is on standard input, or in `{prompt_file}`.'),
    resume: argv.optional().describe('The command line of later turns of a conversation. Default: `turn`.'),
    model: z.array(word).max(20).optional().describe('Words to add for a session with a model, with `{model}`.'),
    image: image.optional().describe('Words to add for each image of a prompt, with `{image}`: the path of its file.'),
    conversation: finder
      .optional()
      .describe('Where it prints the id of the conversation. Default: a UUID of ours, as `{conversation}`.'),
    reply: joined.optional().describe('Where the reply is. Default: all of standard output.'),
    end: finder.optional().describe('What it prints when the turn is over. Default: it exits with 0.'),
    failed: finder.optional().describe('What it prints when the turn failed. Default: it exits with something else.'),
    usage: z
      .strictObject({
        tokens: z.array(finder).min(1).max(8).optional().describe('Numbers of tokens, which are added up.'),
        usd: finder.optional().describe('The cost in dollars.'),
      })
      .optional()
      .describe('Where it prints what the turn used: `tokens`, a list that is added up, and `usd`.'),
    trouble: z
      .strictObject({
        limited: regex.optional().describe('A usage limit.'),
        overloaded: regex.optional().describe('It passes soon.'),
        login: regex.optional().describe('The account is logged out.'),
        billing: regex.optional().describe('No credit.'),
        'too-long': regex.optional().describe('The conversation is too long.'),
      })
      .optional()
      .describe('Expressions for the text of a failure: `limited`, `overloaded`, `login`, `billing`, `too-long`.'),
    transcript: transcript.optional().describe('The file that it writes the conversation to. `live` needs it.'),
    live: live.optional().describe('How it is driven by its screen, with `--live`.'),
    ...COMMON,
  })
  .superRefine(({ turn, live, transcript }, context) => {
    const issue = (key: string, message: string): void => context.addIssue({ code: 'custom', path: [key], message });
    if (turn === undefined && live === undefined) issue('turn', ARGV);
    if (live !== undefined && transcript === undefined)
      issue('transcript', 'is needed with `live`: that a prompt arrived shows only there');
  });

/** A program that speaks the Agent Client Protocol, as in the config file. */
export const configAcpAgent = z.strictObject({
  acp: argv.describe('The command line of a program that speaks the Agent Client Protocol.'),
  ...COMMON,
});

/**
 * Agents that the config names. A wrong entry does not stop the daemon, which runs the sessions of other agents: it
 * becomes an agent that says what is wrong.
 */
export const configAgents = z
  .record(z.string(), z.unknown())
  .transform(
    (entries): Record<string, AgentEntry> =>
      Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, entryOf(name, entry)])),
  );

/** One mistake in an entry: its place in the entry, and what is wrong there. */
export interface EntryMistake {
  readonly path: readonly string[];
  /** Null: there is no such key. */
  readonly says: string | null;
  /** The keys that are known there, if this one is not. */
  readonly known?: readonly string[];
}

/** What is wrong with an entry of `agents`; none: it can be used. */
export function entryMistakes(name: string, entry: unknown): readonly EntryMistake[] {
  if (!NAME.test(name)) return [{ path: [], says: 'its name must be a-z, 0-9 and -, at most 63 characters' }];
  if (isBuiltIn(name)) return [{ path: [], says: 'is the name of a built-in agent; take another one' }];
  const schema = schemaOf(entry);
  const read = schema.safeParse(entry);
  return read.success ? [] : read.error.issues.flatMap((issue) => mistakesOf(schema, issue));
}

function entryOf(name: string, entry: unknown): AgentEntry {
  const mistakes = entryMistakes(name, entry);
  if (mistakes.length > 0) {
    const texts = mistakes.map((mistake) => mistakeText(['agents', name], mistake));
    return { is: 'wrong', why: texts.join('; '), ...(isBuiltIn(name) && { isTaken: true }) };
  }
  const read = schemaOf(entry).parse(entry);
  // The checks above know more than their types: a command line is not empty, a finder has one way.
  if ('acp' in read) return { is: 'acp', acp: read as unknown as AcpEntry };
  return { is: 'cli', cli: read as unknown as CliEntry };
}

function mistakeText(above: readonly string[], { path, says, known = [] }: EntryMistake): string {
  const key = `key "${[...above, ...path].join('.')}"`;
  return says === null ? `unknown ${key}; known here: ${known.join(', ')}` : `${key}: ${says}`;
}

function schemaOf(entry: unknown): typeof configAcpAgent | typeof configAgent {
  return typeof entry === 'object' && entry !== null && 'acp' in entry ? configAcpAgent : configAgent;
}

const isBuiltIn = (name: string): boolean =>
  Object.hasOwn(
    allAgents('', () => ''),
    name,
  );

function mistakesOf(schema: z.core.$ZodType, issue: z.core.$ZodIssue): EntryMistake[] {
  const path = issue.path.map(String);
  if (issue.code !== 'unrecognized_keys') return [{ path, says: issue.message }];
  const known = knownAt(schema, path);
  return issue.keys.map((key) => ({ path: [...path, key], says: null, known }));
}

function knownAt(root: z.core.$ZodType, keys: readonly string[]): readonly string[] {
  const schema = keys.reduce<z.core.$ZodType>((outer, key) => {
    const bare = unwrap(outer);
    if (bare instanceof z.ZodArray) return bare.element;
    return bare instanceof z.ZodObject ? (bare.shape[key] ?? bare) : bare;
  }, root);
  const bare = unwrap(schema);
  return bare instanceof z.ZodObject ? Object.keys(bare.shape) : [];
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}
