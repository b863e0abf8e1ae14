import type { CallOutput } from '../../api/contract.ts';
import { shellWord } from '../../base/shell-word.ts';
import { cursorOf } from '../../client/cursor.ts';
import { type Outlast, OutlastError, type Replied } from '../../client/index.ts';
import { nameOf } from '../../present/state.ts';
import { type Context, command, SESSION } from '../base/command.ts';
import { countOf, cursorWord, durationOf } from '../base/duration.ts';
import { EXIT, errorStatus } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { errorText } from '../base/print.ts';
import { type Patience, throughLimit } from '../views/limit.ts';
import { replyStatus, whyNoReply } from '../views/reply.ts';
import { spin } from '../views/spinner.ts';
import { helpText, stateOf } from '../views/view.ts';
import { waitStatus, worstStatus } from '../views/wait-status.ts';

const OPTIONS = {
  for: {
    type: 'string',
    value: 'WHAT',
    completes: 'wait',
    sentence: 'What to wait for; separate several with commas.',
    otherwise: 'idle,ended for agents, exit for commands',
  },
  any: { type: 'boolean', sentence: 'Return with the first session that finishes or needs attention.' },
  all: { type: 'boolean', sentence: 'Wait for all sessions (the default).' },
  after: {
    type: 'string',
    value: 'POS',
    sentence: 'Only events after this position count for event:TYPE.',
    otherwise: 'from now on',
  },
  since: {
    type: 'string',
    value: 'CURSOR',
    sentence: 'Only output after this offset counts for text:REGEX.',
    otherwise: 'from now on',
  },
  timeout: { type: 'string', value: 'D', sentence: 'Timeout.', otherwise: 'none' },
} as const;

type Waiting = Context<typeof OPTIONS>;

/** The result of the wait for one session: for programs, for people, and as a status. */
interface Ended {
  readonly status: number;
  readonly value: object;
  /** On stdout. */
  readonly line: string | null;
  /** On stderr. */
  readonly note: string | null;
  /** The session whose end or answer is printed with it, and so acknowledged. */
  readonly read?: { readonly session: string; readonly position?: string | number };
}

/** For sessions that are no longer waited for. */
const NEVER = new Promise<never>(() => {});

/** `outlast wait` */
export const wait = command({
  name: 'wait',
  summary: 'Wait for a reply, an end, an event or a text.',
  usage: 'wait S… [--for WHAT] [OPTIONS]',
  words: {
    min: 1,
    max: Number.POSITIVE_INFINITY,
    are: [
      SESSION,
      'WHAT: idle, ended (or exit), held, approval, reply, reply:PROMPT, event:TYPE, text:REGEX, idle-output:2s.',
      'Every wait also ends when the session ends or needs a person; `reply` prints the reply.',
      'A usage limit ends it with 7 and prints the reset time, unless the limit resets within --timeout.',
      'Status: 0 it happened, 3 not found, 4 stopped or ended before, 6 timeout, 7 a person is needed, 8 ended badly.',
      'With several sessions, the worst status: 8, then 7, 4, 6.',
    ].join('\n'),
  },
  completes: 'session',
  options: OPTIONS,
  examples: [
    ['outlast wait fix-tests && echo green', 'Until it ends; fails if it failed.'],
    ['outlast wait a b c --for reply --timeout 10m', 'The replies of all three.'],
    ['outlast wait a b c --any --for idle', 'The first that is idle.'],
    ["outlast wait server --for 'text:listening on \\d+' --timeout 30s", 'Until the text appears.'],
    ['outlast wait api --for event:tool.called --after 4711', 'The next tool call after that position.'],
    ['outlast wait repl --for idle-output:2s', 'Until it has been silent for two seconds.'],
  ],
  async run(context) {
    const { values, words, json, print } = context;
    const asked = askedBy(values);
    const outlast = context.connect();
    const over = new AbortController();
    const many = words.length > 1;
    const waitings = words.map(async (word) => {
      const ended = await waitForOne(context, outlast, { ...asked, session: word }, over.signal).catch((error) =>
        over.signal.aborted ? NEVER : failed(error, many),
      );
      // With --any the first one wins, and the others are not reported.
      if (over.signal.aborted) return NEVER;
      if (values.any) over.abort();
      // Printed as it comes, because the others may take long; of one alone, when its spinner is gone.
      if (many) await tell(ended);
      return ended;
    });
    const what = `waiting for ${values.for ?? 'the end'} of ${words.join(', ')}`;
    const all = values.any ? Promise.race(waitings).then((first) => [first]) : Promise.all(waitings);
    const ends = await (many ? all : spin(context, what, all));
    if (!many) for (const ended of ends) await tell(ended);
    return worstStatus(ends.map(({ status }) => status));

    async function tell({ value, line, note, read }: Ended): Promise<void> {
      if (json) await print.json(value);
      else if (line !== null) await print.text(`${line}\n`);
      if (!json && note !== null) await print.note(note);
      if (read !== undefined) await outlast.acknowledge(read.session, read.position);
    }
  },
});

interface Asked {
  readonly for: string | undefined;
  readonly after: string | number | undefined;
  readonly since: number | undefined;
  readonly timeoutMs: number | undefined;
}

function askedBy(values: Waiting['values']): Asked {
  if (values.any && values.all) throw wrongCall('wait: choose one of --any and --all');
  const what = values.for;
  if (what?.includes(',') && /(^|,)reply(:|,|$)/.test(what))
    throw wrongCall('wait: reply cannot be combined; it also ends when the session ends or needs a person');
  return {
    for: what,
    after: cursorWord('--after', values.after),
    since: countOf('--since', values.since),
    timeoutMs: durationOf('--timeout', values.timeout),
  };
}

async function waitForOne(
  context: Waiting,
  outlast: Outlast,
  asked: Asked & { readonly session: string },
  signal: AbortSignal,
): Promise<Ended> {
  const { session, timeoutMs } = asked;
  // A caller without a timeout wants to know about a limit, not to wait for days.
  const patience = { timeoutMs, endures: false };
  const reply = /^reply(?::(.*))?$/.exec(asked.for ?? '');
  if (reply !== null) {
    const named = reply[1] === undefined ? {} : { prompt: reply[1] };
    const ask = (how: Patience) => outlast.reply({ session, ...named, ...how }, signal);
    return replied(context, await throughLimit(context, patience, ask));
  }
  const what = asked.for ?? (await outlast.usualWait(session, timeoutMs, signal));
  const ask = (how: Patience) => outlast.wait({ ...asked, for: what, ...how }, signal);
  return waited(what, await throughLimit(context, patience, ask));
}

function replied({ words, clock }: Waiting, result: Replied): Ended {
  const status = replyStatus(result);
  const text = (result.reply ?? '').replace(/\n$/, '');
  // One reply is printed alone, so that it can be piped; several have their names.
  const line = words.length === 1 ? text : `# ${nameOf(result.session)}\n${text}\n`;
  const isAnswer = result.met === 'answered';
  const value = { ...result, status };
  const note = isAnswer ? null : whyNoReply(result, clock.wallMs());
  const { session, met } = result;
  const isOver = isAnswer || met === 'failed';
  const read = isOver
    ? { session: session.id, position: cursorOf(result) }
    : met === 'ended'
      ? { session: session.id }
      : null;
  return { status, value, line: isAnswer ? line : null, note, ...(read && { read }) };
}

function waited(what: string, result: CallOutput<'session.wait'>): Ended {
  const { session, match, event } = result;
  const status = waitStatus(result, what);
  const value = { ...result, status };
  const name = nameOf(session);
  if (status === EXIT.tooSlow) return { status, value, line: null, note: `outlast: ${timeUp(what, result)}` };
  if (match !== undefined) return { status, value, line: clean(match), note: null };
  const detail = event === undefined ? stateOf(session) : `${event.event} at ${event.position}`;
  const early = status === EXIT.stopped && result.met === 'exit' ? ', before the condition was met' : '';
  const isAsking = result.met === 'approval';
  const help = isAsking ? `  Decide: outlast approvals ${name}` : status === EXIT.held ? helpText(session) : null;
  const line = `${name}: ${detail}${early}${turnText(result)}`;
  return { status, value, line, note: help, ...(result.met === 'exit' && { read: { session: session.id } }) };
}

function timeUp(what: string, { session, position, cursor }: CallOutput<'session.wait'>): string {
  const from = what.includes('event:') ? ` --after ${position}` : what.includes('text:') ? ` --since ${cursor}` : '';
  const name = nameOf(session);
  const again = `outlast wait ${name} --for ${shellWord(what)}${from}`;
  return `timeout; ${name} is ${stateOf(session)}\n  Wait again: ${again}`;
}

// That an agent is free does not say how its turn ended.
function turnText({ met, session }: CallOutput<'session.wait'>): string {
  const how = session.lastTurn?.how;
  return met === 'idle' && (how === 'failed' || how === 'interrupted') ? `; its last turn was ${WAS[how]}` : '';
}

const WAS = { failed: 'a failure', interrupted: 'interrupted' } as const;

/** A session that cannot be waited for does not affect the others. */
function failed(error: unknown, many: boolean): Ended {
  if (!many || !(error instanceof OutlastError)) throw error;
  const { code, message, hint } = error;
  const value = { error: { code, message, hint } };
  return { status: errorStatus(error), value, line: null, note: errorText({ message, hint }) };
}

function clean(match: string): string {
  return match.replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '');
}
