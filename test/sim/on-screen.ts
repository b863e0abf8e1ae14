// How the fake agent asks on its screen: it shows a dialog, while one of its hooks waits for the decision.
import type { ApprovalId } from '../../src/core/session.ts';
import { PERMISSION } from './facts.ts';
import type { Process } from './process.ts';
import type { World } from './world.ts';

/** The hook has its own deadline, later than that of the question. */
const HOOK_MS_MAX = 4_500;
/** How long after the answer the agent closes its dialog. */
const DOWN_MS = 150;
const LOOK_MS = 70;

/** Shows the dialog, and continues when it is answered by the hook or on the screen. */
export function askOnScreen(
  world: World,
  run: number,
  approval: ApprovalId,
  proceed: (allowed: boolean) => void,
): void {
  const { turn } = world.process(run) ?? {};
  const still = (ms: number, fire: (p: Process) => void): void =>
    world.later(ms, run, (p) => p.turn === turn && fire(p), true);
  const closed = (allowed: boolean): void =>
    still(DOWN_MS, (p) => {
      p.dialog = null;
      proceed(allowed);
    });
  const look = (sinceMs: number): void =>
    still(LOOK_MS, (p) => {
      const allowed = world.decided.get(approval);
      const isOver = p.dialog === null || (allowed === undefined && world.nowMs > sinceMs + HOOK_MS_MAX);
      // The person has denied it on the screen, or the hook has timed out: the agent closes the dialog.
      if (isOver) world.hook({ type: 'miss', approval, closed: true });
      if (isOver) return closed(false);
      if (allowed === undefined) return look(sinceMs);
      // The hook asks to use denials, too: the daemon must record only the use of a call that was allowed.
      if (!world.used.has(approval)) world.hook({ type: 'use', approval });
      return allowed && !world.used.has(approval) ? look(sinceMs) : closed(allowed);
    });
  still(10, (p) => {
    p.dialog = PERMISSION;
    world.hook({ type: 'show', approval, hook: `${approval}/shown` });
    look(world.nowMs);
  });
}

/** A person denies the call in the dialog about a tool, if there is one. */
export function denyOnScreen(world: World, p: Process): void {
  if (p.dialog?.kind !== PERMISSION.kind) return;
  p.dialog = null;
  p.lastOutputMs = world.nowMs;
}
