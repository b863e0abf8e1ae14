import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Grant } from '../../src/api/grants.ts';
import { signedText } from '../../src/api/page-shape.ts';
import type { Clock } from '../../src/base/clock.ts';
import { SignIn } from '../../src/web/sign-in/sign-in.ts';

const folder = mkdtempSync(join(tmpdir(), 'outlast-sign-in-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ORIGIN = 'http://127.0.0.1:7717';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;

/** A clock that a test sets. */
class SetClock implements Clock {
  nowMs = 1_800_000_000_000;
  wallMs = (): number => this.nowMs;
  steadyMs = (): number => this.nowMs;
  sleep = async (): Promise<void> => {};
}

const peer = { address: '127.0.0.1', signal: new AbortController().signal };

async function signedIn(signIn: SignIn, grants: readonly Grant[] = ['read']) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const code = signIn.link({ origin: ORIGIN, grants }).url.split('#code=')[1];
  const { device } = await signIn.exchange({ code, key: publicKey.export({ format: 'jwk' }), name: 'Test' }, peer);
  const proof = (atMs: number) => {
    const what = { device: device.id, nonce: randomBytes(18).toString('base64url'), atMs };
    const how = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const;
    const signature = sign('sha256', Buffer.from(signedText({ ...what, origin: ORIGIN })), how).toString('base64url');
    return { ...what, signature };
  };
  return { device, proof };
}

test('a link works for a minute, and never for more than five', async () => {
  const clock = new SetClock();
  const signIn = new SignIn(folder, clock);
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const tried = (ms: number | undefined, laterMs: number): Promise<unknown> => {
    const { url } = signIn.link({ origin: ORIGIN, grants: ['read'], ms });
    clock.nowMs += laterMs;
    return signIn.exchange({ code: url.split('#code=')[1], key, name: 'Late' }, peer);
  };
  await expect(tried(undefined, MINUTE_MS - 1)).resolves.toMatchObject({ device: { grants: ['read'] }, by: null });
  await expect(tried(undefined, MINUTE_MS)).rejects.toMatchObject({ code: 'link_spent' });
  await expect(tried(DAY_MS, 5 * MINUTE_MS - 1)).resolves.toBeDefined();
  await expect(tried(DAY_MS, 5 * MINUTE_MS)).rejects.toMatchObject({ code: 'link_spent' });
});

test('a bearer lasts fifteen minutes, and a ticket half a minute', async () => {
  const clock = new SetClock();
  const signIn = new SignIn(folder, clock);
  const { device, proof } = await signedIn(signIn);
  const { token } = await signIn.bearer(proof(clock.nowMs), ORIGIN, peer);
  clock.nowMs += 15 * MINUTE_MS - 1;
  const found = signIn.deviceOf(`Bearer ${token}`);
  expect(found.id).toBe(device.id);
  const [good, late] = [signIn.ticket(found).ticket, signIn.ticket(found).ticket];
  clock.nowMs += MINUTE_MS / 2 - 1;
  expect(signIn.redeem(good)?.id).toBe(device.id);
  expect(signIn.redeem(good)).toBeNull();
  clock.nowMs += 1;
  expect(signIn.redeem(late)).toBeNull();
  expect(() => signIn.deviceOf(`Bearer ${token}`)).toThrow('not signed in');
});

test('a device that nobody uses is forgotten after thirty days, also by the next server', async () => {
  const clock = new SetClock();
  const gone: [string, string][] = [];
  const signIn = new SignIn(folder, clock);
  signIn.devices.onGone = ({ id }, by) => gone.push([id, by]);
  const [used, idle] = [await signedIn(signIn), await signedIn(signIn)];
  clock.nowMs += 29 * DAY_MS;
  await signIn.bearer(used.proof(clock.nowMs), ORIGIN, peer);
  clock.nowMs += DAY_MS + 1;
  await expect(signIn.bearer(idle.proof(clock.nowMs), ORIGIN, peer)).rejects.toMatchObject({ code: 'signed_out' });
  expect(gone).toContainEqual([idle.device.id, 'disuse']);
  const next = new SignIn(folder, clock);
  expect(next.devices.find(idle.device.id)).toBeNull();
  await expect(next.bearer(used.proof(clock.nowMs), ORIGIN, peer)).resolves.toMatchObject({ ms: 15 * MINUTE_MS });
});

test('a used signature is remembered for as long as its time counts', async () => {
  const clock = new SetClock();
  const signIn = new SignIn(folder, clock);
  const { proof } = await signedIn(signIn);
  const early = proof(clock.nowMs + MINUTE_MS);
  await signIn.bearer(early, ORIGIN, peer);
  for (const laterMs of [1, MINUTE_MS, MINUTE_MS - 1, MINUTE_MS]) {
    clock.nowMs += laterMs;
    await expect(signIn.bearer(early, ORIGIN, peer)).rejects.toMatchObject({ code: 'signed_out' });
  }
});
