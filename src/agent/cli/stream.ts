import type { ConversationId } from '../../core/session.ts';
import type { HookReport } from '../seam/hooks.ts';
import type { Listener, RunExit, TurnEnd, TurnsDrive } from '../seam/turns.ts';
import type { CliEntry } from './entry.ts';
import { type Find, findBy, PrintedLine } from './finder.ts';
import { type ReplyText, replyBy } from './reply.ts';
import { troublesBy } from './trouble.ts';

/** What the output of a turn has shown so far. Bounded, however much is printed. */
interface Known {
  readonly reply: ReplyText;
  readonly isOver: boolean;
  readonly failure: string | null;
  /** The last number of each finder of tokens; null: none yet. */
  readonly tokens: readonly (number | null)[];
  readonly usd: number | null;
}

type Stream = TurnsDrive['stream'];

/** Reads how a turn ended: by the expressions of the config, else by the exit status of its process. */
export function cliStream(entry: CliEntry): Stream {
  const reply = replyBy(entry.reply);
  const [end, failed] = [finder(entry.end), finder(entry.failed)];
  const tokens = (entry.usage?.tokens ?? []).map(findBy);
  const usd = finder(entry.usage?.usd);
  const troubleOf = troublesBy(entry);
  const after = (known: Known, line: PrintedLine): Known => ({
    reply: reply.add(known.reply, line),
    isOver: known.isOver || end(line) !== null,
    failure: failed(line) ?? known.failure,
    tokens: tokens.map((find, i) => numberIn(find(line)) ?? known.tokens[i] ?? null),
    usd: numberIn(usd(line)) ?? known.usd,
  });
  const view = (known: Known, exit: RunExit | undefined): TurnEnd | null => {
    const all = exit === undefined || exit.rest === '' ? known : after(known, lineOf(exit.rest));
    const used = usedOf(all);
    const fail = (text: string): TurnEnd => ({ turn: 'failed', reply: text, trouble: troubleOf(text), ...used });
    if (all.failure !== null) return fail(all.failure);
    const isOver = all.isOver || (entry.end === undefined && exit?.status === 0);
    if (isOver) return { turn: 'closed', reply: reply.text(all.reply), ...used };
    // A process that was killed has said nothing about its turn.
    if (exit === undefined || exit.status > KILLED) return null;
    return fail(failureOf(exit, reply.text(all.reply)));
  };
  return {
    empty: { reply: reply.empty, isOver: false, failure: null, tokens: [], usd: null },
    read: (known, lines) => linesOf(lines).reduce((all, line) => after(all, line), known as Known),
    view: (known) => (_nowMs, exit) => view(known as Known, exit),
  } satisfies Stream;
}

/** Reports what a program without hooks shows of itself: that it works, and its conversation, if it names one. */
export function cliListener({ conversation }: CliEntry): (run: number) => Listener {
  const find = finder(conversation);
  return (run) => {
    const done = { isPrompted: false, isNamed: false };
    return (line) => {
      const prompted = done.isPrompted ? [] : [{ ...PROMPTED, run }];
      done.isPrompted = true;
      const id = done.isNamed ? null : find(new PrintedLine(line));
      if (id === null || !isConversationId(id)) return prompted;
      done.isNamed = true;
      return [opened(run, id), ...prompted];
    };
  };
}

/** The prompt on its standard input. A program that prints something has begun with it. */
const PROMPTED = { type: 'hook.prompted', token: null, turnId: null, text: '' } as const;

/** It becomes a word of a command line: no program takes this for an option or a path. */
function isConversationId(id: string): boolean {
  return /^\w[\w.:-]{0,199}$/.test(id);
}

function opened(run: number, id: string): HookReport {
  return { type: 'hook.opened', run, conversation: id as ConversationId, transcript: null, source: 'startup' };
}

/** The status of a process that was killed is higher. */
const KILLED = 128;

const NOTHING: Find = () => null;

function finder(of: Parameters<typeof findBy>[0] | undefined): Find {
  return of === undefined ? NOTHING : findBy(of);
}

function linesOf(text: string): PrintedLine[] {
  return text.split('\n').slice(0, -1).map(lineOf);
}

/** Programs for terminals end lines with a carriage return too. A line that is too long is given as a NUL. */
function lineOf(row: string): PrintedLine {
  if (row === '\0') return new PrintedLine('[a line that is too long was left out]');
  return new PrintedLine(row.endsWith('\r') ? row.slice(0, -1) : row);
}

function numberIn(text: string | null): number | null {
  const number = Number((text ?? '').replaceAll(/[, _]/g, '') || Number.NaN);
  return Number.isFinite(number) && number >= 0 ? number : null;
}

function usedOf({ tokens, usd }: Known): Pick<TurnEnd, 'used'> {
  if (usd === null && tokens.every((count) => count === null)) return {};
  return { used: { tokens: tokens.reduce<number>((sum, count) => sum + (count ?? 0), 0), usd } };
}

/** Programs say why on their error output, or as the last thing that they print. */
function failureOf({ status, errors }: RunExit, printed: string): string {
  const said = errors.trim() || printed.trim();
  return said === '' ? `it exited with ${status} and said nothing` : said.slice(-FAILURE_CHARS_MAX);
}

const FAILURE_CHARS_MAX = 4_096;
