import { actorText, isBound } from '../../src/core/actor.ts';
// What must be true of every history.
import type { Event, EventBody } from '../../src/core/event.ts';
import { apply } from '../../src/core/fold.ts';
import { type Outcome, type PromptId, runOf, type Session } from '../../src/core/session.ts';
import { deferredFaults } from './checks-deferred.ts';
import { recoveryFaults } from './checks-recovery.ts';
import { restoredFaults } from './checks-restored.ts';
import { serverFaults } from './checks-server.ts';
import { wakeFaults } from './checks-update.ts';
import type { History } from './history.ts';
import type { End, Script } from './scripts.ts';

/** What is wrong with a history; nothing, if all is right. */
export function faultsOf(script: Script, history: History): string[] {
  const { events, world } = history;
  const count = (type: string): number => events.filter((e) => e.body.type === type).length;
  const last = events.at(-1)?.body;
  const outcome = last?.type === 'session.ended' ? last.outcome : null;
  const faults: string[] = [...world.wrongs, ...outcomeFaults(script, history, outcome)];
  const expect = (right: boolean, why: string): void => {
    if (!right) faults.push(why);
  };
  expect(count('session.ended') === 1, 'ended other than once');
  expect(count('session.created') === 1, 'created other than once');
  expect(world.aliveMax <= 1, 'two runs alive at once');
  expect(new Set(world.ledger).size === world.ledger.length, `done twice: ${world.ledger.join(', ')}`);
  const left = script.leaves && outcome?.kind === 'done' ? 1 : 0;
  expect(world.alive() <= left, 'a process is left of an ended session');
  const unready = events.some((e) => e.body.type === 'run.faulted' && e.body.fault.kind === 'unready');
  expect(!unready, 'the agent was ready, and nobody heard');
  const isQuiet = script.trouble === undefined && script.lots === undefined;
  const isLarge = (script.wishes ?? []).some(({ input }) => input.type === 'memory');
  const calm = isQuiet && !isLarge && history.strikes === 0;
  expect(!calm || count('run.faulted') === 0, 'a fault without any trouble');
  const isHang = events.some(({ body }) => body.type === 'turn.interrupting' && isBound(body.by, 'hang'));
  expect(!isHang || script.lots !== undefined, 'what did not hang was interrupted');
  expect(script.trouble !== 'missing' || count('run.faulted') <= history.powerCuts, 'resumed what cannot start');
  if (script.spec.drive !== 'command') faults.push(...promptFaults(script, history), ...approvalFaults(events));
  return [
    ...faults,
    ...stepFaults(events),
    ...recoveryFaults(script, history, outcome),
    ...wakeFaults(script, history),
    ...deferredFaults(history),
    ...restoredFaults(history),
    ...serverFaults(script, history),
    ...(history.strikes === 0 ? untold(script, events) : []),
  ];
}

function outcomeFaults(script: Script, history: History, outcome: Outcome | null): string[] {
  if (outcome === null) return ['the last event is not session.ended'];
  const { powerCuts, strikes, world } = history;
  const isCommand = script.spec.drive === 'command';
  const kinds: string[] = strikes === 0 ? [script.ends[0]] : [...script.ends];
  // A cut of the power may cost a command its end, but never more than that.
  if (powerCuts > 0 && isCommand) kinds.push('abandoned', 'done');
  if (unsureOf(history).length > 0) kinds.push('stopped');
  const faults = kinds.includes(outcome.kind) ? [] : [`ended ${outcome.kind}, not ${script.ends}`];
  if (outcome.kind !== 'done' || !isCommand) return faults;
  if (outcome.exit?.status !== 7) faults.push("the exit status is not the command's own");
  if (world.ledger[0] !== 'command') faults.push('done without having run');
  return faults;
}

/** Struck between the intent and its proof, and never received by the agent: the one case that is left to a person. */
export function unsureOf({ events, world, strikes }: History): PromptId[] {
  const unsure = new Set(events.flatMap((e) => (e.body.type === 'prompt.unsure' ? [e.body.prompt] : [])));
  const sent = (id: PromptId): string | undefined =>
    events
      .flatMap((e) => (e.body.type === 'prompt.sending' && e.body.prompt === id ? [`${id}#${e.body.turn}`] : []))
      .at(-1);
  // Without a record it cannot be known afterwards.
  const isHeard = (id: PromptId): boolean => !world.script.unrecorded && world.ledger.includes(`hear ${sent(id)}`);
  return strikes === 0 ? [] : [...unsure].filter((id) => !isHeard(id));
}

function promptFaults(script: Script, history: History): string[] {
  const { events, world, strikes } = history;
  const faults: string[] = [];
  const isUnsure = unsureOf(history).length > 0;
  for (const [id, may] of Object.entries(script.prompts ?? { p1: ['answered'] as const })) {
    const ends = events.flatMap((e) => endOf(e.body, id));
    if (ends.length > 1) faults.push(`${id} ended ${ends.length} times`);
    const end = ends[0] ?? { how: 'none', reply: id };
    // A person stops a session with an unsure prompt, and that drops the other prompts.
    const allowed: readonly End[] =
      strikes === 0 ? [may[0]] : isUnsure ? [...may, 'none', 'dropped', 'interrupted'] : may;
    if (!allowed.includes(end.how)) faults.push(`${id} is ${end.how}, not ${allowed}`);
    const mixes = script.mayMix === true && strikes > 0;
    if (end.how === 'answered' && !end.reply.includes(`${id}#`) && !mixes)
      faults.push(`${id} has the reply ${end.reply}`);
    const answered = world.ledger.findIndex((line) => line.startsWith('answer') && line.includes(`${id}#`));
    const heard = world.ledger.findLastIndex((line) => line.startsWith(`hear ${id}#`));
    // What was put off may end its turn before the agent hears that it shall go on.
    const isAhead = script.defers !== undefined && strikes > 0;
    if (answered >= 0 && heard > answered && !mixes && !isAhead)
      faults.push(`${id} went on after its answer: ${world.ledger.join(', ')}`);
    const texts: Record<string, string> = { p1: 'Fix the tests', p2: 'And the docs', ...script.texts };
    const wrong = world.said.find(({ token, text }) => token === `${id}#1` && text !== texts[id]);
    if (wrong !== undefined) faults.push(`${id} was told as ${wrong.text}`);
  }
  return faults;
}

function endOf(body: EventBody, id: string): { readonly how: End; readonly reply: string }[] {
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

function approvalFaults(events: readonly Event[]): string[] {
  const faults: string[] = [];
  const asked = events.flatMap((e) => (e.body.type === 'approval.asked' ? [e.body.approval] : []));
  if (new Set(asked).size !== asked.length) faults.push('an approval was asked twice');
  const allowed = events.filter(
    (e) => e.body.type === 'approval.decided' && e.body.allow && isBound(e.body.by, 'timeout'),
  );
  if (allowed.length > 0) faults.push('an approval was allowed by silence');
  const denied = new Set<string>();
  for (const { body } of events) {
    if (body.type === 'approval.decided' && !body.allow) denied.add(body.approval);
    if (body.type === 'approval.used' && denied.has(body.approval)) faults.push('an answer of no was used');
  }
  return faults;
}

/** What each event may not do, given what was before it. */
function stepFaults(events: readonly Event[]): string[] {
  const faults: string[] = [];
  let session: Session | null = null;
  const unwanted = new Set<string>();
  for (const event of events) {
    const { body } = event;
    if (session !== null && body.type === 'turn.interrupting' && !isBound(body.by, 'hang')) {
      for (const { id, state } of session.prompts) if (state === 'accepted') unwanted.add(id);
    }
    if (session !== null && body.type === 'prompt.sending') {
      if (session.attendance.control !== null) faults.push('sent while a person has control');
      if (session.phase.at === 'held') faults.push('sent while a person is needed');
      if (unwanted.has(body.prompt)) faults.push('went on with what somebody wanted to end');
    }
    session = apply(session, event);
    const isOfRun = /^(run|turn|conversation)\./.test(body.type) && 'run' in body;
    if (isOfRun && body.run !== runOf(session)) faults.push(`old news believed: ${body.type}`);
    if (session.phase.at === 'working' && session.run?.openedAtMs === null) faults.push('works, and nobody saw it');
  }
  return faults;
}

/** What an undisturbed history lacks of what it must tell, in its order. */
function untold({ tells = [], lacks = [] }: Script, events: readonly Event[]): string[] {
  const odd = lacks.filter((type) => events.some(({ body }) => body.type === type)).map((type) => `tells of ${type}`);
  const rest = events.reduce((left, { body }) => (body.type === left[0] ? left.slice(1) : left), [...tells]);
  return rest.length === 0 ? odd : [...odd, `does not tell of ${rest.join(', ')}`];
}

/** The journal of a history, for people. */
export function show(events: readonly Event[]): string {
  return events
    .map(({ seq, steadyMs, body }) => {
      const what = body.type === 'session.created' ? body.type : JSON.stringify(body);
      return `${String(seq).padStart(3)} ${String(steadyMs).padStart(6)}  ${what}`;
    })
    .join('\n');
}
