import { nameOf } from '../present/state.ts';
import { COMMON, type Command, type Context, command, type Options } from './base/command.ts';
import { EXIT } from './base/exit.ts';
import { oneLine } from './base/print.ts';
import { commandsOf, findCommand, TABLE } from './table.ts';
import { commandOf, stateOf } from './views/view.ts';

interface Candidate {
  readonly word: string;
  readonly says: string;
}

const SESSIONS_MAX = 200;
const PATIENCE_MS = 1_000;

/** `outlast __complete`, which the completion scripts call with the words up to the cursor, the last one unfinished. */
export const complete = command({
  name: '__complete',
  summary: 'Complete a command line.',
  usage: '__complete -- [WORD…]',
  words: { min: 0, max: Number.POSITIVE_INFINITY, are: '' },
  rest: true,
  options: {},
  examples: [['outlast __complete -- ex', 'Prints exec.']],
  async run(context) {
    const unfinished = context.words.at(-1) ?? '';
    const found = await candidates(context.words.slice(0, -1), unfinished, context);
    const fitting = found.filter(({ word }) => word.startsWith(unfinished));
    for (const { word, says } of fitting) await context.print.line(`${word}\t${says}`);
    return EXIT.fine;
  },
});

async function candidates(before: readonly string[], unfinished: string, context: Context): Promise<Candidate[]> {
  const [first] = before;
  if (first === undefined) return commandNames();
  const found = findCommand(before);
  if (found === null)
    return commandsOf(first).map((name) => ({ word: name.split(' ')[1] ?? name, says: TABLE[name]?.summary ?? '' }));
  const its = await found.row.load();
  if (unfinished.startsWith('-') && !(its.rest && hasWord(its, found.rest)))
    return optionNames({ ...its.options, ...COMMON });
  if (its.completes === 'approval') return questions(context);
  if (its.completes === 'session') return sessionNames(context, 'all', unfinished);
  if (its.completes === 'live session') return sessionNames(context, 'live', unfinished);
  if (its.completes === 'ended session') return sessionNames(context, 'ended', unfinished);
  if (its.completes === 'command') return commandNames();
  return (its.completes ?? []).map((word) => ({ word, says: '' }));
}

function commandNames(): Candidate[] {
  const first = new Map<string, string>();
  for (const [name, { summary }] of Object.entries(TABLE)) {
    const [word = name, verb] = name.split(' ');
    if (!first.has(word)) first.set(word, verb === undefined ? summary : `${commandsOf(word).length} commands`);
  }
  return [...first].map(([word, says]) => ({ word, says }));
}

function optionNames(options: Options): Candidate[] {
  return Object.entries(options).map(([name, { sentence }]) => ({ word: `--${name}`, says: sentence }));
}

// After the program, all words are the program's own.
function hasWord(its: Command, words: readonly string[]): boolean {
  return words.some((word, index) => !word.startsWith('-') && !takesValue(its.options, words[index - 1] ?? ''));
}

function takesValue(options: Options, word: string): boolean {
  return Object.entries(options).some(
    ([name, { type, short }]) => type === 'string' && (word === `--${name}` || word === `-${short}`),
  );
}

/** Pending approvals; for a session with only one its name would do, but an id is always right. */
async function questions({ connect, clock }: Context): Promise<Candidate[]> {
  const patience = new AbortController();
  void clock.sleep(PATIENCE_MS).then(() => patience.abort());
  try {
    const open = await connect({ start: false }).approvals.list({}, patience.signal);
    return open.map(({ id, tool, name, session }) => ({
      word: id,
      says: oneLine(`${tool}, ${nameOf({ name, id: session })}`),
    }));
  } catch {
    return [];
  }
}

/** Names, and ids of sessions without a name; the id of a named one only when it is being typed. */
async function sessionNames(
  { connect, clock }: Context,
  state: 'all' | 'live' | 'ended',
  unfinished: string,
): Promise<Candidate[]> {
  const patience = new AbortController();
  void clock.sleep(PATIENCE_MS).then(() => patience.abort());
  try {
    const { sessions } = await connect({ start: false }).list({ limit: SESSIONS_MAX, state }, patience.signal);
    const found = new Map<string, string>();
    for (const each of sessions) {
      const isTyped = unfinished !== '' && each.id.startsWith(unfinished);
      const word = isTyped ? each.id : nameOf(each);
      // Of several with the same name the newest is meant.
      if (!found.has(word)) found.set(word, `${stateOf(each)}, ${commandOf(each).slice(0, 60)}`);
    }
    return [...found].map(([word, says]) => ({ word, says }));
  } catch {
    // No error message in the middle of typing.
    return [];
  }
}
