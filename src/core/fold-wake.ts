import type { EventBody } from './event.ts';
import type { Session } from './session.ts';
import { withWake } from './wake.ts';

/** What a fact about an owner and its news changes. */
export function applyWake(s: Session, body: EventBody, nowMs: number): Session {
  switch (body.type) {
    case 'wake.queued':
      return { ...s, ...withWake(s, { ...body.wake, sinceMs: nowMs }) };
    case 'wake.told': {
      const { prompt: id, text } = body;
      const isWhole = text === undefined;
      const prompts = isWhole ? s.prompts : s.prompts.map((p) => (p.id === id ? { ...p, text } : p));
      return { ...s, prompts, wakes: [], wakePrompt: isWhole ? { id, chain: body.chain } : s.wakePrompt };
    }
    case 'wake.stopped':
      return { ...s, wakes: s.wakes.map((wake) => ({ ...wake, isUrgent: false })) };
    case 'owner.changed':
      return { ...s, owner: body.owner };
    default:
      throw new Error(`apply: no such event: ${body.type}`);
  }
}
