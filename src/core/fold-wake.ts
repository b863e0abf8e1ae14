import { unreachable } from '../base/assert.ts';
import { offerTold } from './offer.ts';
import type { Session } from './session.ts';
import type { WakeBody } from './wake.ts';
import { withWake } from './wake.ts';

/** What a fact about an owner and its news changes. */
export function applyWake(s: Session, body: WakeBody, nowMs: number): Session {
  switch (body.type) {
    case 'wake.queued':
      return { ...s, ...withWake(s, { ...body.wake, sinceMs: nowMs }) };
    case 'wake.told': {
      const { prompt: id, text } = body;
      if (body.offer !== undefined) return s.offer?.id === body.offer ? { ...s, ...offerTold(s, s.offer) } : s;
      const isWhole = text === undefined;
      const prompts = isWhole ? s.prompts : s.prompts.map((p) => (p.id === id ? { ...p, text } : p));
      return { ...s, prompts, wakes: [], wakePrompt: isWhole ? { id, chain: body.chain } : s.wakePrompt };
    }
    case 'wake.offered': {
      const { type: _, offer: id, ...offer } = body;
      return { ...s, offer: { ...offer, id, sinceMs: nowMs } };
    }
    case 'wake.withdrawn':
      return { ...s, offer: null };
    case 'wake.read':
      return { ...s, wakes: s.wakes.filter(({ position }) => !body.positions.includes(position)) };
    case 'wake.stopped':
      return { ...s, wakes: s.wakes.map((wake) => ({ ...wake, isUrgent: false })) };
    case 'owner.changed':
      return { ...s, owner: body.owner };
    default:
      return unreachable(body);
  }
}
