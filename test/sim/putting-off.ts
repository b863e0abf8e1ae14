// How the fake agent puts a call off, and takes it up again.
import type { Say } from '../../src/core/event.ts';
import type { ApprovalId } from '../../src/core/session.ts';
import { GONE, type Process, type Turn } from './process.ts';
import type { World } from './world.ts';

/**
 * What its hook was told; undefined: nothing yet. Whoever asks again is told what was decided before. What was allowed
 * is done when that is written down, and once.
 */
export function answerOf(world: World, asked: ApprovalId): boolean | undefined {
  const approval = (world.repeated.get(asked) ?? asked) as ApprovalId;
  const allowed = world.decided.get(approval);
  if (allowed !== true || world.script.defers === undefined) return allowed;
  if (world.used.has(approval)) return true;
  world.hook({ type: 'use', approval });
  return undefined;
}

/** Its hook was told to put the call off, before anything else: it writes that down, and ends. */
export function isPutOff(world: World, run: number, p: Process, approval: ApprovalId): boolean {
  const { turn } = p;
  if (turn === null || !world.told.has(approval)) return false;
  world.conversation.defer({ call: callOf(world, turn), tokens: turn.tokens }, world.nowMs);
  p.turn = null;
  world.later(5, run, (now) => Object.assign(now, GONE, { status: 0 }));
  return true;
}

/** The call was decided: it runs, or not, and the turn continues. */
export function goesOn(world: World, turn: Turn): void {
  if (turn.allowed && world.script.defers !== undefined) world.ledger.push(`use ${callOf(world, turn)}`);
  world.conversation.goOn();
}

/** Asks about what was put off, before it hears anything. Without a prompt that is all it is there for. */
export function askAgain(
  world: World,
  run: number,
  say: Say | null,
  await_: (turn: Turn, approval: ApprovalId) => void,
): boolean {
  const { deferred } = world.conversation;
  if (deferred === null && say !== null) return false;
  world.later(10, run, (p) => {
    if (deferred === null) return void Object.assign(p, GONE, { status: 1 });
    const { call, tokens } = deferred;
    const next = say === null ? {} : { next: say.token };
    const turn: Turn = { tokens, turnId: `again ${run}`, hasReported: true, allowed: false, lot: 'answer', ...next };
    p.turn = turn;
    const approval = `${call}/${run}` as ApprovalId;
    const question = { call, tool: 'Bash', input: '{}', hash: 'h', subagent: null, hook: approval };
    const ruling = { verdict: 'ask', rule: null, why: 'no rule allows it' } as const;
    world.hook({ type: 'hook.asked', run, approval, ...question, ruling });
    await_(turn, approval);
  });
  return true;
}

function callOf({ conversation }: World, { tokens }: Turn): string {
  return conversation.deferred?.call ?? `${tokens[0]}/t`;
}
