// What must be true of the news of every history.
import type { Event } from '../../src/core/event.ts';
import { CHAIN_MAX } from '../../src/core/wake.ts';
import type { Script } from './scripts.ts';

/** News that were told twice, told in the middle of a turn, or went round in circles. */
export function wakeFaults(script: Script, events: readonly Event[]): string[] {
  const faults: string[] = [];
  let waiting = 0;
  const seen = new Set<number>();
  for (const { body } of events) {
    if (body.type === 'wake.queued') {
      if (seen.has(body.wake.position)) faults.push(`the news ${body.wake.position} came twice`);
      seen.add(body.wake.position);
      waiting += 1;
    }
    if (body.type !== 'wake.told') continue;
    if (body.count !== waiting) faults.push(`${body.count} news were told, and ${waiting} were there`);
    waiting = 0;
    if (body.chain > (script.spec.spawn?.chainMax ?? CHAIN_MAX)) faults.push(`a chain of ${body.chain} wakes`);
  }
  return faults;
}
