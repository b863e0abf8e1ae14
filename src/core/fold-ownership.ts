import { unreachable } from '../base/assert.ts';
import { afterDelivery } from './in-turn-update.ts';
import type { OwnershipBody } from './ownership.ts';
import { withChildUpdate } from './ownership.ts';
import type { Session } from './session.ts';

/** Applies an event about an owner and its updates. */
export function applyOwnership(s: Session, body: OwnershipBody, nowMs: number): Session {
  switch (body.type) {
    case 'update.queued':
      return { ...s, ...withChildUpdate(s, { ...body.update, sinceMs: nowMs }) };
    case 'update.delivered': {
      const { prompt: id, text } = body;
      if (body.inTurnUpdate !== undefined)
        return s.inTurnUpdate?.id === body.inTurnUpdate ? { ...s, ...afterDelivery(s, s.inTurnUpdate) } : s;
      const isWhole = text === undefined;
      const prompts = isWhole ? s.prompts : s.prompts.map((p) => (p.id === id ? { ...p, text } : p));
      return { ...s, prompts, childUpdates: [], updatePrompt: isWhole ? { id, chain: body.chain } : s.updatePrompt };
    }
    case 'update.staged': {
      const { type: _, inTurnUpdate: id, ...rest } = body;
      return { ...s, inTurnUpdate: { ...rest, id, sinceMs: nowMs } };
    }
    case 'update.withdrawn':
      return { ...s, inTurnUpdate: null };
    case 'update.read':
      return { ...s, childUpdates: s.childUpdates.filter(({ position }) => !body.positions.includes(position)) };
    case 'update.suppressed':
      return { ...s, childUpdates: s.childUpdates.map((update) => ({ ...update, isUrgent: false })) };
    case 'owner.changed':
      return { ...s, owner: body.owner };
    default:
      return unreachable(body);
  }
}
