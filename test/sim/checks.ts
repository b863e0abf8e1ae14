// Invariants of every history.
import { actorText, isBound } from '../../src/core/actor.ts';
import type { Event, EventBody } from '../../src/core/event.ts';
import { apply } from '../../src/core/fold.ts';
import { type Outcome, type PromptId, runOf, type Session } from '../../src/core/session.ts';
import { deferredViolations } from './checks-deferred.ts';
import { recoveryViolations } from './checks-recovery.ts';
import { restoredViolations } from './checks-restored.ts';
import { serverViolations } from './checks-server.ts';
import { updateViolations } from './checks-update.ts';
import type { History } from './history.ts';
import type { PromptEnd, Script } from './scripts.ts';

/** The violated invariants of a history; empty if there are none. */
export function violationsOf(script: Script, history: History): string[] {
  const { events, world } = history;
  const count = (type: string): number => events.filter((e) => e.body.type === type).length;
  const last = events.at(-1)?.body;
  const outcome = last?.type === 'session.ended' ? last.outcome : null;
  const violations: string[] = [...world.violations, ...outcomeViolations(script, history, outcome)];
  const expect = (right: boolean, why: string): void => {
    if (!right) violations.push(why);
  };
  expect(count('session.ended') === 1, 'session.ended is not there exactly once');
  expect(count('session.created') === 1, 'session.created is not there exactly once');
  expect(world.aliveMax <= 1, 'two runs alive at once');
  expect(new Set(world.ledger).size === world.ledger.length, `done twice: ${world.ledger.join(', ')}`);
  const left = script.leavesChild && outcome?.kind === 'done' ? 1 : 0;
  expect(world.alive() <= left, 'a process of the ended session is still alive');
  const unready = events.some((e) => e.body.type === 'run.faulted' && e.body.fault.kind === 'unready');
  expect(!unready, 'the agent was ready, and the daemon did not notice');
  const isQuiet = script.glitch === undefined && script.turnOutcomes === undefined;
  const isLarge = (script.inputs ?? []).some(({ input }) => input.type === 'memory');
  const isUndisturbed = isQuiet && !isLarge && history.faultCount === 0;
  expect(!isUndisturbed || count('run.faulted') === 0, 'a run faulted although nothing went wrong');
  const isHang = events.some(({ body }) => body.type === 'turn.interrupting' && isBound(body.by, 'hang'));
  expect(!isHang || script.turnOutcomes !== undefined, 'a turn that did not hang was interrupted');
  expect(
    script.glitch !== 'missing' || count('run.faulted') <= history.powerCuts,
    'resumed a program that cannot start',
  );
  if (script.spec.drive !== 'command')
    violations.push(...promptViolations(script, history), ...approvalViolations(events));
  return [
    ...violations,
    ...stepViolations(events),
    ...recoveryViolations(script, history, outcome),
    ...updateViolations(script, history),
    ...deferredViolations(history),
    ...restoredViolations(history),
    ...serverViolations(script, history),
    ...(history.faultCount === 0 ? eventViolations(script, events) : []),
  ];
}

function outcomeViolations(script: Script, history: History, outcome: Outcome | null): string[] {
  if (outcome === null) return ['the last event is not session.ended'];
  const { powerCuts, faultCount, world } = history;
  const isCommand = script.spec.drive === 'command';
  const kinds: string[] = faultCount === 0 ? [script.ends[0]] : [...script.ends];
  // A power cut may lose the exit of a command, but nothing else.
  if (powerCuts > 0 && isCommand) kinds.push('abandoned', 'done');
  if (unsureOf(history).length > 0) kinds.push('stopped');
  const violations = kinds.includes(outcome.kind) ? [] : [`ended ${outcome.kind}, not ${script.ends}`];
  if (outcome.kind !== 'done' || !isCommand) return violations;
  if (outcome.exit?.status !== 7) violations.push("the exit status is not the command's own");
  if (world.ledger[0] !== 'command') violations.push('done without having run');
  return violations;
}

/** Prompts that are left to a person: a fault came between the intent and its proof, and the agent received nothing. */
export function unsureOf({ events, world, faultCount }: History): PromptId[] {
  const unsure = new Set(events.flatMap((e) => (e.body.type === 'prompt.unsure' ? [e.body.prompt] : [])));
  const sent = (id: PromptId): string | undefined =>
    events
      .flatMap((e) => (e.body.type === 'prompt.sending' && e.body.prompt === id ? [`${id}#${e.body.turn}`] : []))
      .at(-1);
  // Without a transcript this cannot be known afterwards.
  const isReceived = (id: PromptId): boolean =>
    !world.script.unrecorded && world.ledger.includes(`received ${sent(id)}`);
  return faultCount === 0 ? [] : [...unsure].filter((id) => !isReceived(id));
}

function promptViolations(script: Script, history: History): string[] {
  const { events, world, faultCount } = history;
  const violations: string[] = [];
  const isUnsure = unsureOf(history).length > 0;
  for (const [id, may] of Object.entries(script.prompts ?? { p1: ['answered'] as const })) {
    const ends = events.flatMap((e) => endOf(e.body, id));
    if (ends.length > 1) violations.push(`${id} ended ${ends.length} times`);
    const end = ends[0] ?? { how: 'none', reply: id };
    // A person stops a session with an unsure prompt, and that drops the other prompts.
    const allowed: readonly PromptEnd[] =
      faultCount === 0 ? [may[0]] : isUnsure ? [...may, 'none', 'dropped', 'interrupted'] : may;
    if (!allowed.includes(end.how)) violations.push(`${id} is ${end.how}, not ${allowed}`);
    const mixes = script.mayMixReplies === true && faultCount > 0;
    if (end.how === 'answered' && !end.reply.includes(`${id}#`) && !mixes)
      violations.push(`${id} has the reply ${end.reply}`);
    const answered = world.ledger.findIndex((line) => line.startsWith('answer') && line.includes(`${id}#`));
    const received = world.ledger.findLastIndex((line) => line.startsWith(`received ${id}#`));
    // A deferred turn may end before the agent receives the prompt to continue.
    const isAhead = script.defers !== undefined && faultCount > 0;
    if (answered >= 0 && received > answered && !mixes && !isAhead)
      violations.push(`${id} was continued after its reply: ${world.ledger.join(', ')}`);
    const texts: Record<string, string> = { p1: 'Fix the tests', p2: 'And the docs', ...script.texts };
    const wrong = world.sent.find(({ token, text }) => token === `${id}#1` && text !== texts[id]);
    if (wrong !== undefined) violations.push(`${id} was sent as ${wrong.text}`);
  }
  return violations;
}

function endOf(body: EventBody, id: string): { readonly how: PromptEnd; readonly reply: string }[] {
  if (!('prompt' in body) || body.prompt !== id) return [];
  switch (body.type) {
    case 'prompt.answered':
      return [{ how: 'answered', reply: body.reply }];
    case 'prompt.failed':
      return [{ how: 'failed', reply: body.error }];
    case 'prompt.interrupted':
      return [{ how: 'interrupted', reply: actorText(body.by) }];
    case 'prompt.dropped':
      return [{ how: 'dropped', reply: actorText(body.by) }];
    default:
      return [];
  }
}

function approvalViolations(events: readonly Event[]): string[] {
  const violations: string[] = [];
  const asked = events.flatMap((e) => (e.body.type === 'approval.asked' ? [e.body.approval] : []));
  if (new Set(asked).size !== asked.length) violations.push('an approval was requested twice');
  const allowed = events.filter(
    (e) => e.body.type === 'approval.decided' && e.body.allow && isBound(e.body.by, 'timeout'),
  );
  if (allowed.length > 0) violations.push('an approval was allowed by its timeout');
  const denied = new Set<string>();
  for (const { body } of events) {
    if (body.type === 'approval.decided' && !body.allow) denied.add(body.approval);
    if (body.type === 'approval.used' && denied.has(body.approval)) violations.push('a denial was used');
  }
  return violations;
}

/** Events that are wrong in the state that the events before them led to. */
function stepViolations(events: readonly Event[]): string[] {
  const violations: string[] = [];
  let session: Session | null = null;
  const unwanted = new Set<string>();
  for (const event of events) {
    const { body } = event;
    if (session !== null && body.type === 'turn.interrupting' && !isBound(body.by, 'hang')) {
      for (const { id, state } of session.prompts) if (state === 'accepted') unwanted.add(id);
    }
    if (session !== null && body.type === 'prompt.sending') {
      if (session.attendance.control !== null) violations.push('sent while a person has control');
      if (session.phase.at === 'held') violations.push('sent while a person is needed');
      if (unwanted.has(body.prompt)) violations.push('continued a turn that was interrupted on request');
    }
    session = apply(session, event);
    const isOfRun = /^(run|turn|conversation)\./.test(body.type) && 'run' in body;
    if (isOfRun && body.run !== runOf(session)) violations.push(`a report of an older run was accepted: ${body.type}`);
    if (session.phase.at === 'working' && session.run?.openedAtMs === null)
      violations.push('working before the run was seen to be open');
  }
  return violations;
}

/** Expected events that an undisturbed history lacks, in their order, and forbidden ones that it has. */
function eventViolations({ expectedEvents = [], forbiddenEvents = [] }: Script, events: readonly Event[]): string[] {
  const forbidden = forbiddenEvents
    .filter((type) => events.some(({ body }) => body.type === type))
    .map((type) => `has the forbidden ${type}`);
  const rest = events.reduce((left, { body }) => (body.type === left[0] ? left.slice(1) : left), [...expectedEvents]);
  return rest.length === 0 ? forbidden : [...forbidden, `lacks ${rest.join(', ')}`];
}

/** The journal of a history as text. */
export function show(events: readonly Event[]): string {
  return events
    .map(({ seq, steadyMs, body }) => {
      const what = body.type === 'session.created' ? body.type : JSON.stringify(body);
      return `${String(seq).padStart(3)} ${String(steadyMs).padStart(6)}  ${what}`;
    })
    .join('\n');
}
