// What must be true of every history of an agent that is driven by messages.
import type { EventBody } from '../../src/core/event.ts';
import type { History } from './history.ts';
import type { Script } from './scripts.ts';

/** What is known of a prompt that was sent. */
const FATES: readonly EventBody['type'][] = ['prompt.sending', 'prompt.waiting', 'prompt.unsure', 'prompt.accepted'];

/** What is wrong with what was sent, and with what was left to a person. */
export function serverFaults({ wire, trouble, unrecorded }: Script, history: History): string[] {
  if (wire === undefined) return [];
  const { events, world, struckAt } = history;
  const faults: string[] = [];
  const fates = events.flatMap(({ seq, body }) =>
    'prompt' in body && FATES.includes(body.type) ? [{ seq, type: body.type, prompt: body.prompt }] : [],
  );
  const unsure = fates.filter(
    ({ type, prompt }, i) => type === 'prompt.unsure' && !fates.slice(i + 1).some((later) => later.prompt === prompt),
  );
  const sentAt = (id: string | null): number =>
    fates.findLast(({ type, prompt }) => type === 'prompt.sending' && prompt === id)?.seq ?? 0;
  // A daemon that lives knows what it sent. Of what a dead one sent, the messages tell where they are kept, and what
  // the agent wrote down tells about a dead process.
  const isKnown = (prompt: string | null): boolean =>
    wire === 'keeps' || !struckAt.some((seq) => seq >= sentAt(prompt));
  const isTold = !unrecorded && trouble !== 'deaf';
  if (isTold && unsure.some(({ prompt }) => isKnown(prompt))) faults.push('nobody knew what was known');
  const { odd, refused } = world.server;
  const isMissing = (request: string): boolean => !refused.includes(request);
  if (wire === 'keeps' && new Set(refused).size < refused.length) faults.push('a request was refused twice');
  const lived = odd.filter(({ run }) => wire === 'keeps' && world.server.stoppedRuns().has(run));
  if (lived.some(({ request }) => isMissing(request))) faults.push('a request that nobody knows got no answer');
  return faults;
}
