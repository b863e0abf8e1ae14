import type { CallerProof } from '../../api/contract-approvals.ts';
import { type OperationName, ROUTES, type Route } from '../../api/routes.ts';
import { OutlastError } from '../../base/errors.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import { refuseStranger } from '../owners/owners.ts';
import type { Sessions } from '../start/sessions.ts';
import type { Handlers } from './http.ts';

type Changing = { [N in OperationName]: (typeof ROUTES)[N]['does'] extends 'changes' ? N : never }[OperationName];
type AnyHandler = (input: { session: string; caller?: CallerProof }, signal: AbortSignal) => unknown;

/** The dependencies of the guard. */
export interface GuardParts {
  readonly journal: Journal;
  readonly sessions: Pick<Sessions, 'find'>;
}

/** Wraps the handlers so that a session can change only the sessions that it started. */
export function guarded({ journal, sessions }: GuardParts, handlers: Handlers): Handlers {
  const made = Object.entries(handlers).map(([name, handler]) => {
    if (!isChanging(name)) return [name, handler];
    const { types }: Route = ROUTES[name];
    const handle = handler as unknown as AnyHandler;
    const guard: AnyHandler = (input, signal) => {
      const { session } = sessions.find(input.session);
      const me = refuseStranger(journal, input.caller, session);
      if (me !== null && types === true) refuseAnswers(me, session);
      return handle(input, signal);
    };
    return [name, guard];
  });
  return Object.fromEntries(made) as Handlers;
}

function isChanging(name: string): name is Changing {
  return ROUTES[name as OperationName].does === 'changes';
}

/** Behind a gate no session may press keys that could allow a call: neither on its own screen, nor on one below it. */
function refuseAnswers(me: Session, target: Session): void {
  if (me.spec.conversation?.gate?.mode !== 'gate' || target.spec.drive === 'command') return;
  const name = nameOf(me);
  throw new OutlastError('decider_refused', `${name} is behind a gate, and could answer a question by typing`);
}
