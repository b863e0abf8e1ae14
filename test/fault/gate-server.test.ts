import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as alone, expect } from 'vitest';
import { isCampaign } from '../campaign.ts';
import { ServerStage, type WireName } from './server-world.ts';

/** Each has its own daemon and mostly waits, so they run in parallel. */
const test = alone.concurrent;

// An agent that asks in messages, and misbehaves. Its behavior is set in the environment of its session, which a probe
// does not have, so its gate counts as proven.

const ALL: readonly WireName[] = ['stdio', 'websocket', 'http'];
const wires = (one: WireName): readonly WireName[] => (isCampaign ? ALL : [one]);

/** A session behind a gate whose agent behaves like this. */
function gated(wire: WireName, behavior: string, config: object = {}): Promise<ServerStage> {
  return ServerStage.open(wire, { gate: { mode: 'gate' }, env: { ECHO_GATE: behavior } }, { config });
}

const BREACHED = { kind: 'abandoned', why: 'shell was used without being allowed' };

test.each([
  ...wires('stdio').map((wire) => [wire, 'rushes'] as const),
  ...wires('websocket').map((wire) => [wire, 'skips'] as const),
])('T-GATE-17: over %s an agent that %s makes a call that nobody allowed, and is ended', async (wire, behavior) => {
  await using stage = await gated(wire, behavior);
  await stage.session.prompt('run touch wild\nwait never\nrun touch more');
  const alarm = await stage.untilEvent('approval.breached');
  expect(alarm.body).toMatchObject({ run: 1, tool: 'shell' });
  await stage.until('ended');
  expect((await stage.view()).outcome).toEqual(BREACHED);
  expect([existsSync(stage.file('wild')), existsSync(stage.file('more'))]).toEqual([true, false]);
  const verified = await stage.world.cli(['audit', 'verify']);
  expect(verified.status).toBe(0);
});

test.each(wires('http'))(
  'T-GATE-17: over %s a failed call without approval is found in the transcript',
  async (wire) => {
    await using stage = await gated(wire, 'rushes');
    await stage.session.prompt('run touch wild; false\nwait never');
    const { body } = await stage.untilEvent('approval.breached');
    expect(body.evidence).toMatch(/^a result of the call \S+ is in .*\.jsonl$/);
    await stage.until('ended');
    expect((await stage.view()).outcome).toEqual(BREACHED);
  },
);

test.each(wires('stdio'))('T-GATE-17: over %s an allowed call is not a breach', async (wire) => {
  await using stage = await gated(wire, 'waits', { rules: { allow: ['Bash(touch:*)'] } });
  expect(await stage.session.converse('run touch tame\nrun touch tame/none\nsay done')).toMatchObject({
    met: 'answered',
  });
  expect(existsSync(stage.file('tame'))).toBe(true);
  const types = (await stage.events()).map(({ event }) => event);
  expect(types).not.toContain('approval.breached');
  await stage.until('idle');
});

test.each(wires('http'))(
  'T-GATE-18: over %s no run is opened with a program whose gate is not proven',
  async (wire) => {
    await using stage = await gated(wire, 'waits');
    await stage.world.kill();
    const file = join(stage.world.state, 'gates.json');
    const proofs = Object.entries(JSON.parse(readFileSync(file, 'utf8'))) as [string, object][];
    expect(proofs).toMatchObject([[expect.any(String), { by: 'protocol', denies: true }]]);
    const failed = proofs.map(([identity, proof]) => [identity, { ...proof, denies: false, why: 'it was changed' }]);
    writeFileSync(file, JSON.stringify(Object.fromEntries(failed)));
    await stage.sendSignal('command', 'SIGKILL');
    await stage.world.start();
    await stage.until('ended');
    const { outcome, resumes } = await stage.view();
    expect([outcome, resumes]).toMatchObject([{ kind: 'abandoned' }, 1]);
    expect(existsSync(stage.files(2).command)).toBe(false);
    const again = stage.world.client.start({
      agent: (await stage.view()).agent,
      drive: 'live',
      gate: { mode: 'gate' },
    });
    await expect(again).rejects.toMatchObject({
      code: 'gate_unsafe',
      message: expect.stringContaining('it was changed'),
    });
  },
);
