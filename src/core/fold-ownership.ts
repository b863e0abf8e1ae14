import { unreachable } from '../base/assert.ts';
import { afterDelivery } from './in-turn-update.ts';
import { type OwnershipBody, withChildUpdate } from './ownership.ts';
import { changed } from './parts.ts';
import type { Session } from './session.ts';

/** Applies an event about an owner and its updates. */
export function applyOwnership(s: Session, body: OwnershipBody, nowMs: number): Session {
  const { queued, inTurn } = s.updates;
  switch (body.type) {
    case 'update.queued':
      return changed(s, 'updates', withChildUpdate(s.updates, { ...body.update, sinceMs: nowMs }));
    case 'update.delivered': {
      const { prompt: id, text } = body;
      if (body.inTurnUpdate !== undefined)
        return inTurn?.id === body.inTurnUpdate ? changed(s, 'updates', afterDelivery(s.updates, inTurn)) : s;
      const isWhole = text === undefined;
      const prompts = isWhole ? s.prompts : s.prompts.map((p) => (p.id === id ? { ...p, text } : p));
      const prompt = isWhole ? { id, chain: body.chain } : s.updates.prompt;
      return changed({ ...s, prompts }, 'updates', { queued: [], prompt });
    }
    case 'update.staged': {
      const { type: _, inTurnUpdate: id, ...rest } = body;
      return changed(s, 'updates', { inTurn: { ...rest, id, sinceMs: nowMs } });
    }
    case 'update.withdrawn':
      return changed(s, 'updates', { inTurn: null });
    case 'update.read':
      return changed(s, 'updates', { queued: queued.filter(({ position }) => !body.positions.includes(position)) });
    case 'update.suppressed':
      return changed(s, 'updates', { queued: queued.map((update) => ({ ...update, isUrgent: false })) });
    case 'owner.changed':
      return { ...s, owner: body.owner };
    default:
      return unreachable(body);
  }
}
