import type { EventBody } from '../../src/core/event.ts';
import type { History } from './history.ts';

const INTENTS: readonly EventBody['type'][] = [
  'run.starting',
  'prompt.sending',
  'prompt.entering',
  'turn.interrupting',
];
const WORDS: readonly EventBody['type'][] = ['session.released', 'session.resumed'];

/** Work that a restored session started before it was resumed. */
export function restoredFaults({ events }: History): string[] {
  let isWaiting = false;
  const faults: string[] = [];
  for (const { body } of events) {
    if (body.type === 'session.restored') isWaiting = true;
    if (WORDS.includes(body.type)) isWaiting = false;
    if (isWaiting && INTENTS.includes(body.type)) faults.push(`${body.type} before anybody resumed what was restored`);
  }
  return faults;
}
