import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { signedText } from '../../api/page-shape.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Device } from './devices.ts';

/** What a browser signs to get a bearer. */
export interface Proof {
  readonly device: string;
  readonly nonce: string;
  /** Its wall time. */
  readonly atMs: number;
  readonly signature: string;
}

/** How far the clock of a browser may be off. */
const SKEW_MS_MAX = 60_000;
/** Of one device. One that signs more often keeps out nobody but itself. */
const NONCES_MAX = 1_000;

/** The public key of a browser as we store it; refuses other keys than P-256. */
export function keyFrom(jwk: unknown): string {
  const { kty, crv, x, y } = (jwk ?? {}) as Record<string, unknown>;
  const isRight = kty === 'EC' && crv === 'P-256' && typeof x === 'string' && typeof y === 'string';
  if (!isRight) throw new OutlastError('input_invalid', 'key: not a public P-256 key as JWK');
  try {
    const key = createPublicKey({ key: { kty, crv, x, y } as JsonWebKey, format: 'jwk' });
    return key.export({ type: 'spki', format: 'der' }).toString('base64url');
  } catch (cause) {
    throw new OutlastError('input_invalid', 'key: not a point of P-256', { cause });
  }
}

/** Checks signatures; each counts once. */
export class Proofs {
  readonly #clock: Clock;
  /** The nonces that each device has used, and until when they are remembered. */
  readonly #used = new Map<string, Map<string, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Did this device sign this, for this origin, just now, and is it shown for the first time? */
  isGood(device: Device, origin: string, { nonce, atMs, signature }: Proof): boolean {
    const nowMs = this.#clock.wallMs();
    if (Math.abs(nowMs - atMs) > SKEW_MS_MAX || nonce.length < 16 || nonce.length > 64) return false;
    const key = createPublicKey({ key: Buffer.from(device.key, 'base64url'), format: 'der', type: 'spki' });
    const text = Buffer.from(signedText({ origin, device: device.id, nonce, atMs }));
    const bytes = Buffer.from(signature, 'base64url');
    if (!verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, bytes)) return false;
    return this.#isNew(device.id, nonce);
  }

  #isNew(device: string, nonce: string): boolean {
    const nowMs = this.#clock.steadyMs();
    for (const [id, nonces] of this.#used) {
      for (const [old, untilMs] of nonces) {
        if (untilMs > nowMs) break;
        nonces.delete(old);
      }
      if (nonces.size === 0) this.#used.delete(id);
    }
    const its = this.#used.get(device) ?? new Map<string, number>();
    if (its.has(nonce) || its.size >= NONCES_MAX) return false;
    // A stamp may lie in the future: it counts for twice the time. The clocks may differ a little in that time.
    this.#used.set(device, its.set(nonce, nowMs + 3 * SKEW_MS_MAX));
    return true;
  }
}
