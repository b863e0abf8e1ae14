// What must be true of the updates of every history.
import type { Event } from '../../src/core/event.ts';
import { apply } from '../../src/core/fold.ts';
import { CHAIN_MAX } from '../../src/core/ownership.ts';
import type { Session } from '../../src/core/session.ts';
import type { History } from './history.ts';
import type { Script } from './scripts.ts';

/** Updates that were delivered twice, delivered in the middle of a turn, or went in circles. */
export function wakeFaults(script: Script, { events, world }: History): string[] {
  const faults: string[] = [];
  const seen = new Set<number>();
  const waiting = new Set<number>();
  const offers = new Map<string, readonly number[]>();
  for (const { body } of events) {
    if (body.type === 'update.queued') {
      const { position } = body.update;
      if (seen.has(position)) faults.push(`the news ${position} came twice`);
      seen.add(position);
      waiting.add(position);
    }
    if (body.type === 'update.read') for (const position of body.positions) waiting.delete(position);
    if (body.type === 'update.staged') offers.set(body.inTurnUpdate, body.positions);
    if (body.type !== 'update.delivered') continue;
    const offered = body.inTurnUpdate === undefined ? null : (offers.get(body.inTurnUpdate) ?? []);
    if (offered === null && body.count !== waiting.size)
      faults.push(`${body.count} news were told, and ${waiting.size} were there`);
    for (const position of offered ?? [...waiting]) waiting.delete(position);
    if (body.chain > (script.spec.spawn?.chainMax ?? CHAIN_MAX)) faults.push(`a chain of ${body.chain} wakes`);
  }
  return [...faults, ...unheard([...seen], events, world.ledger)];
}

/**
 * Updates that are gone from the session, and that the agent never received. Those of unsure prompts may be among them.
 */
function unheard(seen: readonly number[], events: readonly Event[], ledger: readonly string[]): string[] {
  if (seen.length === 0 || events.some(({ body }) => body.type === 'prompt.unsure')) return [];
  const last = events.reduce<Session | null>(apply, null);
  const closing = events.findIndex(({ body }) => body.type === 'session.closing');
  const early = events
    .slice(0, closing)
    .flatMap(({ body }) => (body.type === 'update.queued' ? [body.update.position] : []));
  const isDone = last?.phase.at === 'ended' && last.phase.outcome.kind === 'done';
  const urgent = (last?.updates.queued ?? []).filter(({ isUrgent, position }) => isUrgent && early.includes(position));
  if (isDone && urgent.length > 0) return ['ended before it was told'];
  const read = events.flatMap(({ body }) => (body.type === 'update.read' ? body.positions : []));
  const left = new Set([...(last?.updates.queued ?? []).map(({ position }) => position), ...read]);
  const gone = seen.filter((position) => !left.has(position) && !ledger.includes(`news ${position}`));
  return gone.map((position) => `the news ${position} were never heard`);
}
