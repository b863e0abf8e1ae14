import type { CallOutput } from '../../api/contract.ts';
import { cursorOf } from '../../client/cursor.ts';
import type { EventLine, Outlast, SessionView } from '../../client/index.ts';
import { nameOf } from '../../present/state.ts';
import type { Context } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { waitAgain } from '../views/reply.ts';

/** A prompt that was given, and how. */
export interface Given {
  readonly answer: CallOutput<'session.prompt'>;
  readonly now: boolean;
  /** Is its caller interested in what becomes of it in the next moment? */
  readonly patient: boolean;
}

const NEWS_MS_MAX = 2_000;
/** Whoever wants it in the running turn wants to know that it is: also when Enter had to be sent once more. */
const NOW_MS_MAX = 6_000;

/** Says what was given and what happens with it: id and cursor on stdout, the rest on stderr. Gives the exit status. */
export async function tellGiven(context: Context, outlast: Outlast, given: Given): Promise<number> {
  const { answer } = given;
  const { json, print } = context;
  if (!json) await print.line(`${answer.prompt} ${answer.position}`);
  const behind = given.now ? 0 : answer.session.prompts.findIndex(({ id }) => id === answer.prompt);
  const news = behind > 0 || !given.patient ? null : await firstReport(context, outlast, given);
  const status = news?.event === 'prompt.unsure' ? EXIT.held : EXIT.fine;
  if (json) await print.json({ ...answer, behind: Math.max(behind, 0), news: news?.event ?? null, status });
  else if (behind > 0) await print.note(behindText(answer.session, behind));
  else if (given.patient) await print.note(reportText(news, given));
  return status;
}

/** Behind one that nobody is sure of its turn never comes by itself. */
function behindText(session: SessionView, behind: number): string {
  const unsure = session.prompts.find(({ state }) => state === 'unsure')?.id;
  if (unsure === undefined) return `Queued behind ${behind}.`;
  const name = nameOf(session);
  const drop = `outlast prompt ${name} --drop ${unsure}`;
  return `Queued behind ${unsure}; it is not known whether ${name} received that one. Drop it: ${drop}`;
}

/** What the journal says next of this prompt, if it says something soon. */
async function firstReport({ clock }: Context, outlast: Outlast, given: Given): Promise<EventLine | null> {
  const { answer, now } = given;
  const enough = new AbortController();
  void clock.sleep(now ? NOW_MS_MAX : NEWS_MS_MAX, enough.signal).then(() => enough.abort());
  const input = { session: answer.session.id, after: cursorOf(answer), follow: true, types: ['prompt.'] };
  try {
    for await (const event of outlast.events(input, enough.signal)) {
      // Sending says nothing yet: only the agent's own word counts.
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

function reportText(news: EventLine | null, { answer, now }: Given): string {
  const name = nameOf(answer.session);
  const wait = `Wait for the reply: ${waitAgain(answer.session, answer.prompt)}`;
  switch (news?.event) {
    case 'prompt.accepted':
      return `${name} accepted the prompt${now ? ' into the running turn' : ''}. ${wait}`;
    case 'prompt.waiting':
      return `It waits: ${String(news.body.why)}. ${wait}`;
    case 'prompt.unsure':
      return `It is not known whether ${name} received it, so it is not sent again. Look: outlast screen ${name}`;
    case 'prompt.answered':
      return `${name} has answered. ${wait}`;
    case 'prompt.failed':
      return `The turn of ${name} failed: ${String(news.body.error)}`;
    case 'prompt.interrupted':
    case 'prompt.dropped':
      return `It was ${news.event === 'prompt.dropped' ? 'dropped' : 'interrupted'} by ${String(news.body.by)}.`;
    default:
      return `The prompt is queued; ${name} has not accepted it yet. ${wait}`;
  }
}
