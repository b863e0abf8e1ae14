import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import { LIMITS } from '../../base/limits.ts';
import { inputId } from '../../core/cause.ts';
import type { EventBody } from '../../core/event.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import type { Entry, Journal, Position, Row } from '../../journal/journal.ts';
import { placeAt } from '../journal/cursor.ts';
import { viewOf } from '../views/view.ts';
import { stuckOf } from './facts.ts';
import { waitForChange } from './wait-for-change.ts';
import type { WaitParts } from './waits.ts';

type Replied = CallOutput<'session.reply'>;
type Ending = Pick<Replied, 'met' | 'reply' | 'position'>;

/** Waits for the end of one prompt, by its id: the caller gets the reply to this prompt and to no other. */
export async function reply(
  parts: WaitParts,
  input: Omit<HandlerInput<'session.reply'>, 'owner'>,
  signal: AbortSignal,
): Promise<Replied> {
  const { sessions, config, clock } = parts;
  const first = sessions.find(input.session);
  const prompt = promptOf(parts, first, input.prompt);
  const { id } = first.session;
  const deadlineMs = input.timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock.steadyMs() + input.timeoutMs;
  // An old answer can be anywhere in the journal; one that we waited for comes after the last check.
  let openAt = 0 as Position;
  for (;;) {
    const row = sessions.find(id);
    const isOver = clock.steadyMs() >= deadlineMs || signal.aborted;
    const ending =
      endingOf(parts.journal, row, { prompt, after: openAt, throughLimits: input.throughLimits }) ??
      (isOver ? { met: 'nothing' as const, reply: null, position: row.position } : null);
    if (ending !== null) {
      const place = placeAt(parts.journal, ending.position);
      return { session: viewOf(config.state, sessions.find(id)), prompt, ...ending, ...place };
    }
    openAt = row.position;
    const isChanged = (): boolean => sessions.find(id).position > row.position;
    await waitForChange(parts, { session: id, files: [] }, isChanged, signal, deadlineMs - clock.steadyMs());
  }
}

/** The id of the prompt: the named one, else the last one. Null: an ended session never had one. */
function promptOf({ journal }: WaitParts, { session, live }: Row, wanted: string | undefined): string | null {
  const name = nameOf(session);
  if (session.spec.drive === 'command') {
    throw new OutlastError('input_invalid', `${name} runs a command; only an agent replies`);
  }
  if (wanted === undefined) {
    const last = session.prompts.at(-1)?.id ?? session.turn.last?.prompt ?? null;
    if (last !== null || !live) return last;
    throw new OutlastError('prompt_unknown', `${name} has not been given a prompt yet`);
  }
  // Most are known by the input that submitted them; only the first one, and those of templates, are searched for.
  if (isKnown(session, wanted) || journal.taken(inputId('prompt', session.id, wanted)) !== null) return wanted;
  const { events } = journal.session(session.id);
  const isQueued = events.some(({ body }) => body.type === 'prompt.queued' && body.prompt === wanted);
  if (isQueued) return wanted;
  throw new OutlastError('prompt_unknown', `${name} was never given a prompt with the id "${wanted}"`);
}

function isKnown({ prompts, turn: { last } }: Session, wanted: string): boolean {
  return last?.prompt === wanted || prompts.some(({ id }) => id === wanted);
}

interface Sought {
  readonly prompt: string | null;
  readonly after: Position;
  readonly throughLimits: boolean;
}

function endingOf(journal: Pick<Journal, 'read'>, row: Row, sought: Sought): Ending | null {
  const { prompt, after, throughLimits } = sought;
  const isOpen = row.session.prompts.some(({ id }) => id === prompt);
  const entry = isOpen || prompt === null ? null : endOf(journal, row, prompt, after);
  if (entry !== null) return { ...wordsOf(entry.event.body), position: entry.position };
  const stuck = stuckOf(row, throughLimits);
  return stuck && { met: stuck === 'exit' ? 'ended' : stuck, reply: null, position: row.position };
}

function endOf(journal: Pick<Journal, 'read'>, { session }: Row, prompt: string, after: Position): Entry | null {
  for (let from = after; ; ) {
    const page = journal.read(from, LIMITS.feedEventsMax, session.id);
    const found = page.find(({ event: { body } }) => ENDS.has(body.type) && 'prompt' in body && body.prompt === prompt);
    const last = page.at(-1);
    if (found !== undefined || last === undefined) return found ?? null;
    from = last.position;
  }
}

const ENDS: ReadonlySet<string> = new Set([
  'prompt.answered',
  'prompt.failed',
  'prompt.interrupted',
  'prompt.dropped',
] satisfies EventBody['type'][]);

function wordsOf(body: EventBody): Pick<Ending, 'met' | 'reply'> {
  switch (body.type) {
    case 'prompt.answered':
      return { met: 'answered', reply: body.reply };
    case 'prompt.failed':
      return { met: 'failed', reply: body.error };
    case 'prompt.interrupted':
      return { met: 'interrupted', reply: null };
    default:
      return { met: 'dropped', reply: null };
  }
}
