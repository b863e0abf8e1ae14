// Invariants of the updates of child sessions.
import type { Event } from '../../src/core/event.ts';
import { apply } from '../../src/core/fold.ts';
import { CHAIN_MAX } from '../../src/core/ownership.ts';
import type { Session } from '../../src/core/session.ts';
import type { History } from './history.ts';
import type { Script } from './scripts.ts';

/** Updates that were delivered twice, were lost, or started each other endlessly. */
export function updateViolations(script: Script, { events, world }: History): string[] {
  const violations: string[] = [];
  const seen = new Set<number>();
  const waiting = new Set<number>();
  const staged = new Map<string, readonly number[]>();
  for (const { body } of events) {
    if (body.type === 'update.queued') {
      const { position } = body.update;
      if (seen.has(position)) violations.push(`update ${position} was queued twice`);
      seen.add(position);
      waiting.add(position);
    }
    if (body.type === 'update.read') for (const position of body.positions) waiting.delete(position);
    if (body.type === 'update.staged') staged.set(body.inTurnUpdate, body.positions);
    if (body.type !== 'update.delivered') continue;
    const inTurn = body.inTurnUpdate === undefined ? null : (staged.get(body.inTurnUpdate) ?? []);
    if (inTurn === null && body.count !== waiting.size)
      violations.push(`${body.count} updates were delivered, and ${waiting.size} were queued`);
    for (const position of inTurn ?? [...waiting]) waiting.delete(position);
    if (body.chain > (script.spec.spawn?.chainMax ?? CHAIN_MAX)) violations.push(`a chain of ${body.chain} updates`);
  }
  return [...violations, ...lostUpdates([...seen], events, world.ledger)];
}

/**
 * Updates that are gone from the session, and that the agent never received. Those of unsure prompts may be among them.
 */
function lostUpdates(seen: readonly number[], events: readonly Event[], ledger: readonly string[]): string[] {
  if (seen.length === 0 || events.some(({ body }) => body.type === 'prompt.unsure')) return [];
  const last = events.reduce<Session | null>(apply, null);
  const closing = events.findIndex(({ body }) => body.type === 'session.closing');
  const early = events
    .slice(0, closing)
    .flatMap(({ body }) => (body.type === 'update.queued' ? [body.update.position] : []));
  const isDone = last?.phase.at === 'ended' && last.phase.outcome.kind === 'done';
  const urgent = (last?.updates.queued ?? []).filter(({ isUrgent, position }) => isUrgent && early.includes(position));
  if (isDone && urgent.length > 0) return ['ended before an urgent update was delivered'];
  const read = events.flatMap(({ body }) => (body.type === 'update.read' ? body.positions : []));
  const left = new Set([...(last?.updates.queued ?? []).map(({ position }) => position), ...read]);
  const gone = seen.filter((position) => !left.has(position) && !ledger.includes(`update ${position}`));
  return gone.map((position) => `update ${position} never reached the agent`);
}
