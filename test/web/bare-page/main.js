// A page without a user interface: tests use the connection as the real page does.
import { openLive } from '../../../src/page/live/live.ts';

const live = await openLive();
const states = [live.state.value.is];
live.state.subscribe(({ is }) => states.push(is));
const violations = [];
document.addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective));

/** The output of a session until it ends: how many bytes, their hash, and what was wrong with their offsets. */
async function readAll(session) {
  const parts = [];
  const wrong = [];
  let next = 0;
  for await (const piece of live.output(session, { from: 0 })) {
    if (piece.is === 'end') break;
    if (piece.is !== 'bytes' || piece.from !== next) wrong.push(`${piece.is} at ${piece.from} after ${next}`);
    if (piece.is !== 'bytes') continue;
    parts.push(piece.bytes.slice());
    next = piece.from + piece.bytes.length;
    globalThis.bytesRead = next;
  }
  const hash = await crypto.subtle.digest('SHA-256', await new Blob(parts).arrayBuffer());
  const hex = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { bytes: next, hex, wrong };
}

/** The positions of all events, until one of this type comes for this session. */
async function positionsUntil(session, type) {
  const positions = [];
  for await (const { position, event, session: about } of live.outlast.events({ follow: true })) {
    positions.push(position);
    if (event === type && about === session) return positions;
  }
  return positions;
}

Object.assign(globalThis, { live, states, violations, readAll, positionsUntil });
