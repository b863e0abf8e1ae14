// How the fake agent asks on its screen: it shows a dialog, and a hook of it waits for the answer beside.
import type { ApprovalId } from '../../src/core/session.ts';
import { PERMISSION } from './facts.ts';
import type { Process } from './process.ts';
import type { World } from './world.ts';

/** The hook has a deadline of its own, later than that of the question. */
const HOOK_MS_MAX = 4_500;
/** How long after the answer the agent closes its dialog. */
const DOWN_MS = 150;
const LOOK_MS = 70;

/** Shows the dialog, and continues when it is answered: by the hook, or at the screen. */
export function askOnScreen(world: World, run: number, approval: ApprovalId, goOn: (allowed: boolean) => void): void {
  const { turn } = world.process(run) ?? {};
  const still = (ms: number, fire: (p: Process) => void): void =>
    world.later(ms, run, (p) => p.turn === turn && fire(p), true);
  const closed = (allowed: boolean): void =>
    still(DOWN_MS, (p) => {
      p.dialog = null;
      goOn(allowed);
    });
  const look = (sinceMs: number): void =>
    still(LOOK_MS, (p) => {
      const allowed = world.decided.get(approval);
      const isOver = p.dialog === null || (allowed === undefined && world.nowMs > sinceMs + HOOK_MS_MAX);
      // Whoever sits there has said no, or the hook has waited long enough: the agent ends it.
      if (isOver) world.hook({ type: 'miss', approval, closed: true });
      if (isOver) return closed(false);
      if (allowed === undefined) return look(sinceMs);
      // A daemon that is careless would take any answer for one that is used now.
      if (!world.used.has(approval)) world.hook({ type: 'use', approval });
      return allowed && !world.used.has(approval) ? look(sinceMs) : closed(allowed);
    });
  still(10, (p) => {
    p.dialog = PERMISSION;
    world.hook({ type: 'show', approval, hook: `${approval}/shown` });
    look(world.nowMs);
  });
}

/** A person says no in the dialog about a tool, if there is one. */
export function sayNo(world: World, p: Process): void {
  if (p.dialog?.kind !== PERMISSION.kind) return;
  p.dialog = null;
  p.lastOutputMs = world.nowMs;
}
