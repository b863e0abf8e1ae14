// Invariants of agents that are driven by messages.
import type { EventBody } from '../../src/core/event.ts';
import type { History } from './history.ts';
import type { Script } from './scripts.ts';

/** The states of a prompt that was sent. */
const PROMPT_STATES: readonly EventBody['type'][] = [
  'prompt.sending',
  'prompt.waiting',
  'prompt.unsure',
  'prompt.accepted',
];

/** Violations in what was sent, and in which prompts were left to a person. */
export function serverViolations({ wire, glitch, unrecorded }: Script, history: History): string[] {
  if (wire === undefined) return [];
  const { events, world, faultedAt } = history;
  const violations: string[] = [];
  const states = events.flatMap(({ seq, body }) =>
    'prompt' in body && PROMPT_STATES.includes(body.type) ? [{ seq, type: body.type, prompt: body.prompt }] : [],
  );
  const unsure = states.filter(
    ({ type, prompt }, i) => type === 'prompt.unsure' && !states.slice(i + 1).some((later) => later.prompt === prompt),
  );
  const sentAt = (id: string | null): number =>
    states.findLast(({ type, prompt }) => type === 'prompt.sending' && prompt === id)?.seq ?? 0;
  // A daemon that is still alive knows what it sent. What an earlier daemon sent is known from the messages if the wire
  // keeps them, and from the transcript if the process is dead.
  const isKnown = (prompt: string | null): boolean =>
    wire === 'durable' || !faultedAt.some((seq) => seq >= sentAt(prompt));
  const isRecorded = !unrecorded && glitch !== 'deaf';
  if (isRecorded && unsure.some(({ prompt }) => isKnown(prompt)))
    violations.push('a prompt is unsure although its state is known');
  const { unknownRequests, errorsReceived } = world.server;
  const isMissing = (request: string): boolean => !errorsReceived.includes(request);
  if (wire === 'durable' && new Set(errorsReceived).size < errorsReceived.length)
    violations.push('a request got two errors');
  const lived = unknownRequests.filter(({ run }) => wire === 'durable' && world.server.stoppedRuns().has(run));
  if (lived.some(({ request }) => isMissing(request))) violations.push('an unknown request got no error');
  return violations;
}
