import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { decisionOn } from '../gate/answers.ts';
import type { Parts } from '../serve/parts.ts';
import { openQuestions, questionView } from '../views/questions.ts';
import { waitForChange } from '../waits/wait-for-change.ts';

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
  while (!signal.aborted) {
    const position = journal.head();
    const isOver = only !== null && journal.find(only)?.live !== true;
    const open = openQuestions(parts, only);
    for (const id of [...known].filter((each) => !open.some(({ approval }) => approval.id === each))) {
      known.delete(id);
      yield { is: 'gone', id, decided: decisionOn(journal, id) };
    }
    for (const one of open.filter(({ approval }) => !known.has(approval.id))) {
      known.add(one.approval.id);
      const [approval] = questionView(parts, one);
      if (approval !== undefined) yield { is: 'asked', id: approval.id, approval };
    }
    if (isOver) return;
    await waitForChange(parts, { session: only, files: [] }, () => journal.head() > position, signal);
  }
}
