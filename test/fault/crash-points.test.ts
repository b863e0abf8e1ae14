import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { times, tried } from '../campaign.ts';
import { World } from '../world.ts';
import { BLOWS, doomedWorld } from './doomed.ts';

// T-CRASH-1: the daemon is killed by the kernel at the Nth write or sync of its journal, for every N. Here it starts
// commands; crash-wishes.test.ts has the rest.

const points = times(2, 40);
const STEP = times(11, 1);

let died = 0;
afterAll(() => {
  // Each test passes also when the fault did not hit, so this checks that most of them did.
  expect(died).toBeGreaterThan((BLOWS.length * points) / 2);
});

for (const blow of BLOWS) {
  for (let i = 0; i < points; i += 1) {
    const nth = 1 + i * STEP;
    test(`${blow.name} number ${nth}, what was accepted is there and has run once`, async () => {
      await using calm = new World();
      const doomed = doomedWorld(calm.state, blow, nth);
      const ledger = join(calm.state, 'ledger');
      const accepted: string[] = [];
      try {
        await doomed.start(3_000);
        for (let n = 0; n < 6; n += 1) {
          const line = `echo ${n} >> '${ledger}'; exit ${n}`;
          const session = await doomed.client.start({ argv: ['sh', '-c', line], key: `k${n}` });
          accepted.push(session.id);
          await session.wait();
        }
      } catch {
        // It died, as intended, somewhere in between.
        died += 1;
        tried('blows to a daemon that writes or syncs', 1);
      }
      doomed.client.close();
      await doomed.kill();
      await calm.start();
      for (const [n, id] of accepted.entries()) {
        const { session } = await calm.client.session(id).wait({ timeoutMs: 20_000 });
        expect(session.exit?.status).toBe(n);
      }
      // The same keys find what was accepted, and start what was not.
      for (let n = 0; n < 6; n += 1) {
        const line = `echo ${n} >> '${ledger}'; exit ${n}`;
        const session = await calm.client.start({ argv: ['sh', '-c', line], key: `k${n}` });
        expect((await session.wait({ timeoutMs: 20_000 })).session.exit?.status).toBe(n);
      }
      const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n') : [];
      expect(lines.sort()).toEqual(['0', '1', '2', '3', '4', '5']);
    });
  }
}
