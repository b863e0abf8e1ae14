import type { CallOutput } from '../../api/contract.ts';
import { cursorOf } from '../../client/cursor.ts';
import type { EventLine, Outlast, SessionView } from '../../client/index.ts';
import { nameOf } from '../../present/state.ts';
import type { Context } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { waitAgain } from '../views/reply.ts';

/** A prompt that was sent, and how. */
export interface Given {
  readonly answer: CallOutput<'session.prompt'>;
  readonly now: boolean;
  /** Does the caller wait a moment for the result? */
  readonly patient: boolean;
}

const REPORT_MS_MAX = 2_000;
/** A caller that adds to the running turn wants confirmation, also when Enter had to be sent again. */
const NOW_MS_MAX = 6_000;

/**
 * Prints what was queued and what happens with it: id and cursor on stdout, the rest on stderr. Returns the exit
 * status.
 */
export async function tellGiven(context: Context, outlast: Outlast, given: Given): Promise<number> {
  const { answer } = given;
  const { json, print } = context;
  if (!json) await print.line(`${answer.prompt} ${answer.position}`);
  const behind = given.now ? 0 : answer.session.prompts.findIndex(({ id }) => id === answer.prompt);
  const report = behind > 0 || !given.patient ? null : await firstReport(context, outlast, given);
  const status = report?.event === 'prompt.unsure' ? EXIT.held : EXIT.fine;
  if (json) await print.json({ ...answer, behind: Math.max(behind, 0), event: report?.event ?? null, status });
  else if (behind > 0) await print.note(behindText(answer.session, behind));
  else if (given.patient) await print.note(reportText(report, given));
  return status;
}

/** Behind an unsure prompt it is never sent automatically. */
function behindText(session: SessionView, behind: number): string {
  const unsure = session.prompts.find(({ state }) => state === 'unsure')?.id;
  if (unsure === undefined) return `Queued behind ${behind}.`;
  const name = nameOf(session);
  const drop = `outlast prompt ${name} --drop ${unsure}`;
  return `Queued behind ${unsure}; it is not known whether ${name} received that one. Drop it: ${drop}`;
}

/** The next event about this prompt, if one comes soon. */
async function firstReport({ clock }: Context, outlast: Outlast, given: Given): Promise<EventLine | null> {
  const { answer, now } = given;
  const enough = new AbortController();
  void clock.sleep(now ? NOW_MS_MAX : REPORT_MS_MAX, enough.signal).then(() => enough.abort());
  const input = { session: answer.session.id, after: cursorOf(answer), follow: true, types: ['prompt.'] };
  try {
    for await (const event of outlast.events(input, enough.signal)) {
      // That it is being sent proves nothing: only a report of the agent counts.
      const isReport = event.event !== 'prompt.queued' && event.event !== 'prompt.sending';
      if (event.body.prompt === answer.prompt && isReport && event.event !== 'prompt.entering') return event;
    }
    return null;
  } catch (error) {
    if (!enough.signal.aborted) throw error;
    return null;
  } finally {
    enough.abort();
  }
}

function reportText(report: EventLine | null, { answer, now }: Given): string {
  const name = nameOf(answer.session);
  const wait = `Wait for the reply: ${waitAgain(answer.session, answer.prompt)}`;
  switch (report?.event) {
    case 'prompt.accepted':
      return `${name} accepted the prompt${now ? ' into the running turn' : ''}. ${wait}`;
    case 'prompt.waiting':
      return `It is waiting: ${String(report.body.why)}. ${wait}`;
    case 'prompt.unsure':
      return `It is not known whether ${name} received it, so it is not sent again. See: outlast screen ${name}`;
    case 'prompt.answered':
      return `${name} has answered. ${wait}`;
    case 'prompt.failed':
      return `The turn of ${name} failed: ${String(report.body.error)}`;
    case 'prompt.interrupted':
    case 'prompt.dropped':
      return `It was ${report.event === 'prompt.dropped' ? 'dropped' : 'interrupted'} by ${String(report.body.by)}.`;
    default:
      return `The prompt is queued; ${name} has not accepted it yet. ${wait}`;
  }
}
