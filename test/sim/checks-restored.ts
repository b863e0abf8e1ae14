import type { EventBody } from '../../src/core/event.ts';
import type { History } from './history.ts';

const INTENTS: readonly EventBody['type'][] = [
  'run.starting',
  'prompt.sending',
  'prompt.entering',
  'turn.interrupting',
];
const RESUMES: readonly EventBody['type'][] = ['session.released', 'session.resumed'];

/** Work that a restored session started before it was resumed. */
export function restoredViolations({ events }: History): string[] {
  let isWaiting = false;
  const violations: string[] = [];
  for (const { body } of events) {
    if (body.type === 'session.restored') isWaiting = true;
    if (RESUMES.includes(body.type)) isWaiting = false;
    if (isWaiting && INTENTS.includes(body.type))
      violations.push(`${body.type} before the restored session was resumed`);
  }
  return violations;
}
