// What must be true of every history of an agent that is driven by messages.
import type { EventBody } from '../../src/core/event.ts';
import type { History } from './history.ts';
import type { Script } from './scripts.ts';

/** What is known of a prompt that was sent. */
const FATES: readonly EventBody['type'][] = ['prompt.sending', 'prompt.waiting', 'prompt.unsure', 'prompt.accepted'];

/** What is wrong with what was sent, and with what was left to a person. */
export function serverFaults({ wire, trouble, unrecorded }: Script, history: History): string[] {
  if (wire === undefined) return [];
  const { events, world, strikes } = history;
  const faults: string[] = [];
  const fates = events.flatMap(({ body }) => ('prompt' in body && FATES.includes(body.type) ? [body] : []));
  const isUnsure = fates.some(
    ({ type, prompt }, i) => type === 'prompt.unsure' && !fates.slice(i + 1).some((later) => later.prompt === prompt),
  );
  // Where messages are kept, or no process died, it is known what arrived; a record tells about a dead process.
  const isKnown = (wire === 'keeps' || strikes === 0) && !unrecorded && trouble !== 'deaf';
  if (isUnsure && isKnown) faults.push('nobody knew what was known');
  const { odd, refused } = world.server;
  const isMissing = (request: string): boolean => !refused.includes(request);
  if (wire === 'keeps' && new Set(refused).size < refused.length) faults.push('a request was refused twice');
  const lived = odd.filter(({ run }) => wire === 'keeps' && world.server.stoppedRuns().has(run));
  if (lived.some(({ request }) => isMissing(request))) faults.push('a request that nobody knows got no answer');
  return faults;
}
