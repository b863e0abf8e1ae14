import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { feed } from '../../journal/feed.ts';
import { decisionOn } from '../gate/answers.ts';
import type { Parts } from '../serve/parts.ts';
import { openQuestions, questionView } from '../views/questions.ts';

type Told = CallOutput<'approval.follow'>;

/** The open questions, then each question as it comes and goes; for one session, until it has ended. */
export async function* approvalFollow(
  parts: Parts,
  input: HandlerInput<'approval.follow'>,
  signal: AbortSignal,
): AsyncGenerator<Told> {
  const { journal } = parts;
  const only = input.session === undefined ? null : parts.sessions.find(input.session).session.id;
  const known = new Set(input.known ?? []);
  // Checked before the changes are read: those of a session that has ended are complete then.
  const hasEnded = (): boolean => only !== null && journal.find(only)?.live !== true;
  const position = journal.head();
  let isOver = hasEnded();
  yield* changesSince(known, parts, only);
  if (isOver) return;
  for await (const _ of feed(journal, position, signal, only)) {
    isOver = hasEnded();
    yield* changesSince(known, parts, only);
    if (isOver) return;
  }
}

/** The approvals that were asked for or are gone since the known ones; updates the known ones. */
function* changesSince(known: Set<string>, parts: Parts, only: string | null): Generator<Told> {
  const open = openQuestions(parts, only);
  for (const id of [...known].filter((each) => !open.some(({ approval }) => approval.id === each))) {
    known.delete(id);
    yield { is: 'gone', id, decided: decisionOn(parts.journal, id) };
  }
  for (const one of open.filter(({ approval }) => !known.has(approval.id))) {
    known.add(one.approval.id);
    const [approval] = questionView(parts, one);
    if (approval !== undefined) yield { is: 'asked', id: approval.id, approval };
  }
}
