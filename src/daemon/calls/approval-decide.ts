import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Actor } from '../../core/actor.ts';
import { inputId } from '../../core/cause.ts';
import { nameOf } from '../../core/name.ts';
import { postponedOf } from '../../core/postponed.ts';
import { parseRule } from '../../core/rules/grammar.ts';
import { ruleFor, ruleThatFits } from '../../core/rules/rule-for.ts';
import type { Rule } from '../../core/rules/rules.ts';
import { hashOf } from '../../supervisor/questions.ts';
import { describe } from '../../terminal/processes.ts';
import { decisionOn } from '../gate/answers.ts';
import { namedActor } from '../owners/actors.ts';
import { type Decider, deciderOf, refuseOwn } from '../owners/decider.ts';
import { refuseStranger } from '../owners/owners.ts';
import type { Parts } from '../serve/parts.ts';
import { inputOf, type Open, openQuestions } from '../views/questions.ts';

type Wanted = HandlerInput<'approval.decide'>;
type Decided = CallOutput<'approval.decide'>;

/** Allows or denies a tool call, once. Nothing is decided if any part of the request is invalid. */
export function approvalDecide(parts: Parts, input: Wanted): Decided {
  checkWanted(input);
  const decider = known(parts, input);
  const open = openQuestions(parts);
  const meant = meantBy(parts, open, input.which);
  const rule = input.keep === undefined ? null : keptRule(parts, meant, input);
  const edit = input.edit === undefined ? {} : changed(parts, meant, input.edit);
  const others = input.alike ? alikeTo(parts, meant, open, input) : [];
  const by = actorOf(parts, decider, input.by);
  for (const each of [meant, ...others]) refuse(parts, decider, each);
  refuseAgent(parts, input, [meant, ...others]);
  const decision = { type: 'decide', allow: input.allow, by, why: input.why ?? '' } as const;
  const ruled = rule === null ? {} : { rule: { effect: effectOf(input), text: rule, always: input.keep === 'always' } };
  parts.sessions.submit(meant.session, { ...decision, ...edit, ...ruled, approval: meant.approval.id });
  // After the decision: if it fails, its rule must not stay behind.
  if (rule !== null && input.keep === 'always')
    parts.rules.keep(meant.session.spec.workspace, { effect: effectOf(input), text: rule });
  const also = others.filter((each) =>
    isTaken(() => parts.sessions.submit(each.session, { ...decision, approval: each.approval.id })),
  );
  const decided = [meant, ...also].map(({ session, approval }) => ({
    ...{ approval: approval.id, session: session.id, tool: approval.tool, allow: input.allow },
  }));
  return { decided, rule };
}

function effectOf({ allow }: Pick<Wanted, 'allow'>): 'allow' | 'deny' {
  return allow ? 'allow' : 'deny';
}

function checkWanted({ allow, edit, keep, rule, alike }: Wanted): void {
  if (edit !== undefined && !allow) throw invalid('a denied call cannot be changed');
  if (edit !== undefined && (keep !== undefined || alike))
    throw invalid('a changed call cannot be combined with a rule or with similar calls');
  if (rule !== undefined && keep === undefined && !alike)
    throw invalid('a rule needs a scope: the session, always, or all calls that are alike');
}

/** The decider. An agent that tries to decide is worth a line in the log, whatever the result. */
function known({ log }: Parts, { caller, which }: Wanted): Decider {
  try {
    return deciderOf(caller);
  } catch (error) {
    log('a decision was refused', { which, why: String(error) });
    throw error;
  }
}

function refuse(parts: Parts, decider: Decider, { session, approval }: Open): void {
  try {
    refuseOwn(decider, session);
  } catch (error) {
    const by = `process ${decider.pid} (${describe(decider.pid)})`;
    parts.log('an agent tried to decide about its own call', { session: session.id, approval: approval.id, by });
    // Once for each question: an agent that tries again and again must not fill the journal.
    const cause = inputId('refuse', approval.id);
    parts.sessions.submit(session, { type: 'refuse', approval: approval.id, by: { is: 'program', name: by } }, cause);
    throw error;
  }
}

/**
 * An agent decides calls of sessions that it started; behind a gate it cannot allow, and it makes no rule for others.
 */
function refuseAgent({ journal }: Parts, { caller, allow, keep }: Wanted, all: readonly Open[]): void {
  for (const { session } of all) {
    const me = refuseStranger(journal, caller, session);
    const name = me && nameOf(me);
    if (allow && me?.spec.conversation?.gate?.mode === 'gate')
      throw new OutlastError('decider_refused', `${name} is itself behind a gate, and may not allow calls`);
    if (me !== null && keep === 'always')
      throw new OutlastError('decider_refused', `${name} may make rules for the session only, not --always`);
  }
}

/** A question by its id, or the only one of a session. */
function meantBy(parts: Parts, open: readonly Open[], word: string): Open {
  const byId = open.find(({ approval }) => approval.id === word);
  const row = parts.journal.find(word);
  const own = open.filter(({ session }) => session.id === row?.session.id);
  if (byId !== undefined && own.length > 0 && byId.session.id !== row?.session.id)
    throw invalid(`"${word}" is an approval and the name of another session; give the id of the session instead`);
  const [first, second] = byId === undefined ? own : [byId];
  if (second !== undefined) {
    const ids = own.map(({ approval }) => approval.id).join(', ');
    throw invalid(`${word} has ${own.length} pending approvals: ${ids}; give the id of one`);
  }
  if (first !== undefined) return first;
  if (row !== null) throw new OutlastError('approval_unknown', `${word} has no pending approval`);
  const answer = decisionOn(parts.journal, word);
  if (answer === null) throw new OutlastError('approval_unknown', `there is no pending approval "${word}"`);
  const how = answer.allow ? 'allowed' : 'denied';
  throw new OutlastError('approval_decided', `${word} was already ${how} by ${answer.by}`);
}

function callOf(parts: Parts, open: Open) {
  const { tool } = open.approval;
  return parts.rules.callOf(open.session, { tool, input: inputOf(parts, open), cwd: null });
}

function keptRule(parts: Parts, meant: Open, input: Pick<Wanted, 'allow' | 'rule'>): string {
  const rule = ruleOf(parts, meant, input);
  if (rule === null) throw invalid('no rule covers exactly this call; give one with --rule');
  return rule.text;
}

function ruleOf(parts: Parts, meant: Open, { allow, rule: text }: Pick<Wanted, 'allow' | 'rule'>): Rule | null {
  const effect = effectOf({ allow });
  if (text === undefined) return ruleFor(effect, callOf(parts, meant));
  const parsed = parseRule(effect, text);
  if (!parsed.ok) throw invalid(parsed.why);
  const rule = ruleThatFits(effect, text, callOf(parts, meant));
  if (rule === null) throw invalid(`the rule ${text} does not ${effect} this call by itself`);
  return rule;
}

/** The changed input, with its hash. A call must not be changed into one that a rule denies. */
function changed(parts: Parts, meant: Open, edit: Record<string, unknown>): { edit: string; editHash: string } {
  const { session, approval } = meant;
  // When the agent shows a dialog, it compares the call with what it asked about.
  const name = nameOf(session);
  if (postponedOf(session).some((each) => each.approval.id === approval.id))
    throw new OutlastError('not_supported', `${name} does not wait for this call: deny it, and say what to do instead`);
  if (approval.hook === '' || approval.shown) {
    throw new OutlastError(
      'not_supported',
      `${name} shows a dialog about this call: deny it, and say what to do instead`,
    );
  }
  const { verdict, why } = parts.rules.judge(session, { tool: approval.tool, input: edit, cwd: null });
  if (verdict === 'deny') throw invalid(`the changed call is denied by a rule: ${why}`);
  return { edit: JSON.stringify(edit), editHash: hashOf(edit) };
}

/** The other questions that the same rule would decide; without a rule, identical ones. */
function alikeTo(parts: Parts, meant: Open, open: readonly Open[], input: Wanted): Open[] {
  const rule = ruleOf(parts, meant, input);
  const isAlike = (one: Open): boolean => {
    if (rule !== null) return ruleThatFits(effectOf(input), rule.text, callOf(parts, one)) !== null;
    return one.approval.tool === meant.approval.tool && one.approval.hash === meant.approval.hash;
  };
  return open.filter((one) => one.approval.id !== meant.approval.id && isAlike(one));
}

/** The actor of a decision. A caller inside another session is named with it. */
function actorOf({ journal }: Parts, { inside }: Decider, by: string): Actor {
  const [first] = inside;
  const actor = namedActor(by);
  if (first === undefined) return actor;
  const row = journal.find(first);
  return { is: 'program', name: `${by} in ${row === null ? first : nameOf(row.session)}` };
}

/** Runs one of many submissions. One that is already decided does not affect the others. */
function isTaken(take: () => void): boolean {
  try {
    take();
    return true;
  } catch (error) {
    if (error instanceof OutlastError) return false;
    throw error;
  }
}

function invalid(message: string): OutlastError {
  return new OutlastError('input_invalid', message);
}
