import { describe, expect, test } from 'vitest';
import { openclawIsHere } from '../../scripts/openclaw.ts';
import { openclawConversations } from '../../src/agent/openclaw/openclaw.ts';
import { isCampaign } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { ClawWorld, killed } from './claw-world.ts';

/** OpenClaw needs ten seconds of CPU to start, and tests share the cores. */
const MS_MAX = 600_000;
const KEY = 'agent:main:test';

const isMissing = !openclawIsHere() && process.env.CI !== 'true';

describe.skipIf(isMissing)('the real OpenClaw', () => {
  test('T-CLAW-6 stores a turn where Outlast finds it, in the format that Outlast reads', {
    timeout: MS_MAX,
  }, async () => {
    await using world = await ClawWorld.open();
    const turn = await world.run('agent', '--local', '--session-key', KEY, '--message', 'is it done?', '--json');
    expect([turn.status, turn.output]).toEqual([0, expect.stringContaining('all of it is done')]);
    const { seen } = await world.look();
    expect(seen.map(({ listed, is, why }) => [listed.key, is, why])).toEqual([[KEY, 'complete', 'it was answered']]);
  });
});

describe.skipIf(isMissing || !isCampaign)('its gateway', () => {
  test('T-CLAW-7 continues by itself after a kill, and resumes exactly the requested conversation', {
    timeout: MS_MAX,
  }, async () => {
    await using world = await ClawWorld.open();
    const verdict = async (): Promise<string> =>
      (await world.look()).seen.find(({ listed }) => listed.key === KEY)?.is ?? 'none';
    const first = world.gateway();
    await eventually(async () => (await world.run('gateway', 'health')).status === 0, { msMax: MS_MAX });
    world.isSilent = true;
    const asking = world.run('agent', '--session-key', KEY, '--message', 'do all of it', '--json');
    await eventually(async () => world.asked > 0 && (await verdict()) === 'alive', { msMax: MS_MAX });
    await killed(first);
    await asking;
    expect(await verdict()).toBe('handled');
    world.isSilent = false;
    world.gateway();
    await eventually(async () => (await verdict()) === 'complete', { msMax: MS_MAX });
    const one = (await world.look()).seen.find(({ listed }) => listed.key === KEY);
    const { resume } = openclawConversations;
    if (one === undefined || resume.as !== 'request')
      throw new Error('expected a conversation that is resumed by a request');
    const asked = world.asked;
    const [, ...words] = resume.argv(one.listed, 'You were interrupted: look, and go on.');
    const resumed = await world.run(...words);
    expect([resumed.status, resumed.output]).toEqual([0, expect.stringContaining('"ok"')]);
    await eventually(() => world.asked > asked, { msMax: MS_MAX });
  });
});
