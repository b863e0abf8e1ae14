import { describe, expect, test } from 'vitest';
import { openStage } from '../agents/stage.ts';
import { GOOSE_1_52 } from '../agents/under-test/goose.ts';

// What Goose does that no story of the suite asks for.

const isHere = GOOSE_1_52.isHere() || process.env.CI === 'true';

describe.skipIf(!isHere)('Goose 1.52.0', () => {
  test('run prints only the reply, and ends the session', async () => {
    await using stage = await openStage(GOOSE_1_52);
    const ran = await stage.cli(['run', 'hello there', '--name', 'once']);
    expect([ran.status, ran.stdout]).toEqual([0, 'You said: hello there\n']);
    expect((await stage.world.client.show('once')).session).toMatchObject({ agent: 'goose', phase: 'ended' });
  });
});
