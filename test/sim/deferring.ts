// How the fake agent defers a call, and resumes it.
import type { Say } from '../../src/core/event.ts';
import type { ApprovalId } from '../../src/core/session.ts';
import { GONE, type Process, type Turn } from './process.ts';
import type { World } from './world.ts';

/**
 * The decision that the hook gets; undefined: none yet. A repeated question gets the decision of the first one. An
 * allowed call runs once, after the journal has recorded its use.
 */
export function decisionOf(world: World, asked: ApprovalId): boolean | undefined {
  const approval = (world.repeated.get(asked) ?? asked) as ApprovalId;
  const allowed = world.decided.get(approval);
  if (allowed !== true || world.script.defers === undefined) return allowed;
  if (world.used.has(approval)) return true;
  world.hook({ type: 'use', approval });
  return undefined;
}

/** If the hook was told to defer the call, the agent records that and exits. Returns whether it did. */
export function deferIfTold(world: World, run: number, p: Process, approval: ApprovalId): boolean {
  const { turn } = p;
  if (turn === null || !world.toldToDefer.has(approval)) return false;
  world.conversation.defer({ call: callOf(world, turn), tokens: turn.tokens }, world.nowMs);
  p.turn = null;
  world.later(5, run, (now) => Object.assign(now, GONE, { status: 0 }));
  return true;
}

/** The call was decided: it runs, or not, and the turn continues. */
export function continueTurn(world: World, turn: Turn): void {
  if (turn.allowed && (world.script.defers ?? world.script.postpones) !== undefined)
    world.ledger.push(`use ${callOf(world, turn)}`);
  world.conversation.resume();
}

/** Asks again about a deferred call, before the agent receives a prompt. Without a prompt it does only that. */
export function askDeferredAgain(
  world: World,
  run: number,
  say: Say | null,
  awaitDecision: (turn: Turn, approval: ApprovalId) => void,
): boolean {
  const { deferred } = world.conversation;
  if (deferred === null && say !== null) return false;
  world.later(10, run, (p) => {
    if (deferred === null) return void Object.assign(p, GONE, { status: 1 });
    const { call, tokens } = deferred;
    const next = say === null ? {} : { next: say.token };
    const turn: Turn = {
      tokens,
      turnId: `again ${run}`,
      hasReported: true,
      allowed: false,
      outcome: 'answer',
      ...next,
    };
    p.turn = turn;
    const approval = `${call}/${run}` as ApprovalId;
    const question = { call, tool: 'Bash', input: '{}', hash: 'h', subagent: null, hook: approval };
    const ruling = { verdict: 'ask', rule: null, why: 'no rule allows it' } as const;
    world.hook({ type: 'hook.asked', run, approval, ...question, ruling });
    awaitDecision(turn, approval);
  });
  return true;
}

function callOf({ conversation }: World, { tokens }: Turn): string {
  return conversation.deferred?.call ?? `${tokens[0]}/t`;
}
