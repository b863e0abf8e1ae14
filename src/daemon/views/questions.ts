import type { ApprovalView } from '../../api/contract-approvals.ts';
import type { Clock } from '../../base/clock.ts';
import { openQuestionsOf } from '../../core/postponed.ts';
import type { Action } from '../../core/rules/action.ts';
import { ruleFor } from '../../core/rules/rule-for.ts';
import type { Approval, Session } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import type { GateRules } from '../gate/rules.ts';
import { actionText } from './action-text.ts';
import { editDiff } from './edit-diff.ts';

/** An open question, and its session. */
export interface Open {
  readonly session: Session;
  readonly approval: Approval;
}

interface Asking {
  readonly sessions: { asking(): readonly Session[] };
}

interface ViewParts {
  readonly journal: Pick<Journal, 'event'>;
  readonly rules: Pick<GateRules, 'callOf'>;
  readonly clock: Clock;
}

/** The questions of all sessions, or of one, oldest first. */
export function openQuestions({ sessions }: Asking, only: string | null = null): Open[] {
  const all = sessions
    .asking()
    .flatMap((session) => openQuestionsOf(session).map((approval) => ({ session, approval })));
  return all
    .filter(({ session }) => only === null || session.id === only)
    .sort((a, b) => a.approval.askedAtMs - b.approval.askedAtMs);
}

/** The tool input of a question. */
export function inputOf({ journal }: Pick<ViewParts, 'journal'>, { session, approval }: Open): unknown {
  const body = journal.event(session.id, approval.askedSeq)?.body;
  return body?.type === 'approval.asked' ? JSON.parse(body.input) : undefined;
}

/** A question in the API; empty when its record cannot be read. */
export function questionView(parts: ViewParts, { session, approval }: Open): ApprovalView[] {
  const { spec } = session;
  const asked = parts.journal.event(session.id, approval.askedSeq);
  // An unreadable record holds its session: a call that cannot be shown cannot be decided.
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

/** The input fields that the diff already shows. */
function fieldsOf(action: Action): readonly string[] {
  return action.is === 'write' ? (action.change?.fields ?? []) : [];
}
