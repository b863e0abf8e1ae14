import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Journal, Position, Row } from '../../journal/journal.ts';
import { type OutputFiles, outputSize } from '../../terminal/output.ts';
import { placeAt, positionOf } from '../journal/cursor.ts';
import type { Sessions } from '../start/sessions.ts';
import { filesOf } from '../views/output-files.ts';
import { viewOf } from '../views/view.ts';
import { type FactMet, factLook, stuckOf } from './facts.ts';
import { type OutputLook, type OutputMet, type OutputSeen, outputLook } from './output.ts';
import { waitForChange } from './wait-for-change.ts';
import { type Wanted, wantedOf } from './words.ts';

export interface WaitParts {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly config: { readonly state: string };
}

type Waited = CallOutput<'session.wait'>;

/**
 * Waits for the first of several conditions. The end of the session ends every wait, and so does what only a person can
 * resolve: a dialog, or an unsure prompt; and a usage limit, unless the caller waits through it.
 */
export async function wait(
  parts: WaitParts,
  input: HandlerInput<'session.wait'>,
  signal: AbortSignal,
): Promise<Waited> {
  const { sessions, config, clock } = parts;
  const first = sessions.find(input.session);
  const wanted = wantedOf(input.for);
  refuseIdle(first, wanted);
  const { id } = first.session;
  const after = input.after === undefined ? null : positionOf(parts.journal, input.after);
  const look = lookFor(parts, wanted, first, { ...input, after });
  const deadlineMs = input.timeoutMs === undefined ? Number.POSITIVE_INFINITY : clock.steadyMs() + input.timeoutMs;
  for (;;) {
    // Before the check: output from before the end is checked once more after it.
    const row = sessions.find(id);
    const { met, againMs, seenBytes, watched } = await look(row);
    if (met !== null || clock.steadyMs() >= deadlineMs || signal.aborted) {
      const answer: Met = met ?? { met: 'nothing' };
      const position = answer.met === 'event' ? answer.event.position : Math.max(row.position, after ?? 0);
      const place = placeAt(parts.journal, position);
      return { session: viewOf(config.state, sessions.find(id)), cursor: seenBytes, ...place, ...answer };
    }
    const isChanged = async (): Promise<boolean> =>
      sessions.find(id).position > row.position || (watched !== null && (await outputSize(watched)) > seenBytes);
    const files = watched === null ? [] : [watched.output];
    await waitForChange(
      parts,
      { session: id, files },
      isChanged,
      signal,
      Math.min(againMs, deadlineMs - clock.steadyMs()),
    );
  }
}

type Met = FactMet | OutputMet | { readonly met: 'nothing' };

interface Look {
  readonly met: Met | null;
  readonly againMs: number;
  readonly seenBytes: number;
  /** The output to watch; null when it does not matter. */
  readonly watched: OutputFiles | null;
}

/** A command is never idle: it runs, or it has ended. */
function refuseIdle({ session }: Row, wanted: readonly Wanted[]): void {
  if (session.spec.drive !== 'command' || !wanted.some(({ kind }) => kind === 'idle')) return;
  const name = nameOf(session);
  throw new OutlastError(
    'input_invalid',
    `for: ${name} runs a command, which is never idle; wait for its exit instead`,
  );
}

function lookFor(
  parts: WaitParts,
  wanted: readonly Wanted[],
  first: Row,
  input: Omit<HandlerInput<'session.wait'>, 'after'> & { readonly after: Position | null },
): (row: Row) => Promise<Look> {
  const after = input.after ?? first.position;
  const facts = wanted.flatMap((one) => factLook(parts.journal, one, after) ?? []);
  const lookAtOutput = outputLooks(parts, wanted, first, input.since);
  return async (row) => {
    const { met, ...seen } = await lookAtOutput(row);
    // First: output was printed before the end that is in the journal.
    if (met !== null) return { ...seen, met };
    for (const fact of facts) {
      const found = fact(row);
      if (found !== null) return { ...seen, met: found };
    }
    const stuck = stuckOf(row, input.throughLimits);
    return { ...seen, met: stuck && { met: stuck } };
  };
}

/** Checks the output of the current run: an agent's next run has its own file. */
function outputLooks(
  { clock, config }: WaitParts,
  wanted: readonly Wanted[],
  first: Row,
  since: number | undefined,
): (row: Row) => Promise<OutputSeen & Pick<Look, 'watched'>> {
  const made = (files: OutputFiles, from: number): OutputLook[] =>
    wanted.flatMap((one) => outputLook(clock, one, files, from) ?? []);
  let files = filesOf(config.state, first.session);
  let looks: OutputLook[] | null = null;
  return async (row) => {
    const current = filesOf(config.state, row.session);
    if (looks === null) looks = made(files, since ?? (await outputSize(files)));
    if (current.output !== files.output) looks = made(current, 0);
    files = current;
    let againMs = Number.POSITIVE_INFINITY;
    let seenBytes = looks.length === 0 ? await outputSize(files) : Number.POSITIVE_INFINITY;
    for (const look of looks) {
      const seen = await look(row);
      againMs = Math.min(againMs, seen.againMs);
      // The minimum: the rest is still unread by one of the checks.
      seenBytes = Math.min(seenBytes, seen.met?.cursor ?? seen.seenBytes);
      if (seen.met !== null) return { met: seen.met, againMs, seenBytes, watched: files };
    }
    return { met: null, againMs, seenBytes, watched: looks.length === 0 ? null : files };
  };
}
