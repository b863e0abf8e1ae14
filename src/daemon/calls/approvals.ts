import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { ApprovalView } from '../../api/contract-approvals.ts';
import type { Action } from '../../core/rules/action.ts';
import { ruleFor } from '../../core/rules/rule-for.ts';
import type { Approval, Session, SessionId } from '../../core/session.ts';
import { decisionOn } from '../gate/answers.ts';
import { actionText } from '../views/action-text.ts';
import { editDiff } from '../views/edit-diff.ts';
import { waitForChange } from '../waits/wait-for-change.ts';
import type { Parts } from './parts.ts';

/** A question that is open, and whose it is. */
export interface Open {
  readonly session: Session;
  readonly approval: Approval;
}

type Told = CallOutput<'approval.follow'>;

/** The questions of all sessions, or of one, oldest first. */
export function openQuestions({ sessions }: Pick<Parts, 'sessions'>, only: string | null = null): Open[] {
  const all = sessions.asking().flatMap((session) => session.gate.approvals.map((approval) => ({ session, approval })));
  return all
    .filter(({ session }) => only === null || session.id === only)
    .sort((a, b) => a.approval.askedAtMs - b.approval.askedAtMs);
}

/** Lists what waits for an answer. */
export function list(parts: Parts, input: HandlerInput<'approval.list'>): CallOutput<'approval.list'> {
  return { approvals: openQuestions(parts, idOf(parts, input.session)).flatMap((open) => viewOf(parts, open)) };
}

/** What waits for an answer now, then each question that comes and goes; of one session, until it has ended. */
export async function* follow(
  parts: Parts,
  input: HandlerInput<'approval.follow'>,
  signal: AbortSignal,
): AsyncGenerator<Told> {
  const { journal } = parts;
  const only = idOf(parts, input.session);
  const told = new Set(input.known ?? []);
  while (!signal.aborted) {
    const position = journal.head();
    const isOver = only !== null && journal.find(only)?.live !== true;
    const open = openQuestions(parts, only);
    for (const id of [...told].filter((each) => !open.some(({ approval }) => approval.id === each))) {
      told.delete(id);
      yield { is: 'gone', id, decided: decisionOn(journal, id) };
    }
    for (const one of open.filter(({ approval }) => !told.has(approval.id))) {
      told.add(one.approval.id);
      const [approval] = viewOf(parts, one);
      if (approval !== undefined) yield { is: 'asked', id: approval.id, approval };
    }
    if (isOver) return;
    await waitForChange(parts, { session: only, files: [] }, () => journal.head() > position, signal);
  }
}

/** What the tool of a question would be given. */
export function inputOf({ journal }: Pick<Parts, 'journal'>, { session, approval }: Open): unknown {
  const body = journal.event(session.id, approval.askedSeq)?.body;
  return body?.type === 'approval.asked' ? JSON.parse(body.input) : undefined;
}

function viewOf(parts: Parts, { session, approval }: Open): ApprovalView[] {
  const { spec } = session;
  const asked = parts.journal.event(session.id, approval.askedSeq);
  // A record that cannot be read holds its session: nobody can decide about what nobody can see.
  if (asked?.body.type !== 'approval.asked') return [];
  const { run, call: id, tool, hash, subagent, why } = asked.body;
  const input: unknown = JSON.parse(asked.body.input);
  const call = parts.rules.callOf(session, { tool, input, cwd: null });
  const diff = editDiff(call.actions, spec.workspace);
  const { approvalMsMax } = spec.policy;
  return [
    {
      id: approval.id,
      session: session.id,
      name: spec.name,
      workspace: spec.workspace,
      ...{ run, call: id, tool, input, hash, subagent, why },
      actions: call.actions.map((action) => ({ is: action.is, text: actionText(action) })),
      diff,
      ...(diff !== null && { diffFields: call.actions.flatMap(fieldsOf) }),
      rule: ruleFor('allow', call)?.text ?? null,
      mode: spec.conversation?.gate?.mode ?? 'gate',
      askedAtMs: asked.atMs,
      leftMs: approvalMsMax === null ? null : Math.max(0, approval.askedAtMs + approvalMsMax - parts.clock.steadyMs()),
    },
  ];
}

/** What of the input the diff shows. */
function fieldsOf(action: Action): readonly string[] {
  return action.is === 'write' ? (action.change?.fields ?? []) : [];
}

function idOf({ sessions }: Parts, word: string | undefined): SessionId | null {
  return word === undefined ? null : sessions.find(word).session.id;
}
