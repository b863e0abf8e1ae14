import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { times, tried } from '../campaign.ts';
import { World } from '../world.ts';
import { failingWorld, INJECTED_FAULTS } from './failing-daemon.ts';

// T-CRASH-1: the daemon is killed by the kernel at the Nth write or sync of its journal, for every N. Here it starts
// commands; crash-calls.test.ts has the other calls.

const points = times(2, 40);
const STEP = times(11, 1);

let died = 0;
afterAll(() => {
  // A test also passes when the fault did not happen, so this checks that most of them did.
  expect(died).toBeGreaterThan((INJECTED_FAULTS.length * points) / 2);
});

for (const injected of INJECTED_FAULTS) {
  for (let i = 0; i < points; i += 1) {
    const nth = 1 + i * STEP;
    test(`${injected.name} number ${nth}, accepted commands are in the journal and have run once`, async () => {
      await using healthy = new World();
      const failing = failingWorld(healthy.state, injected, nth);
      const ledger = join(healthy.state, 'ledger');
      const accepted: string[] = [];
      try {
        await failing.start(3_000);
        for (let n = 0; n < 6; n += 1) {
          const line = `echo ${n} >> '${ledger}'; exit ${n}`;
          const session = await failing.client.start({ argv: ['sh', '-c', line], key: `k${n}` });
          accepted.push(session.id);
          await session.wait();
        }
      } catch {
        // The daemon died, as intended.
        died += 1;
        tried('faults injected into a daemon that writes or syncs', 1);
      }
      failing.client.close();
      await failing.kill();
      await healthy.start();
      for (const [n, id] of accepted.entries()) {
        const { session } = await healthy.client.session(id).wait({ timeoutMs: 20_000 });
        expect(session.exit?.status).toBe(n);
      }
      // The same keys find the accepted sessions, and start the others.
      for (let n = 0; n < 6; n += 1) {
        const line = `echo ${n} >> '${ledger}'; exit ${n}`;
        const session = await healthy.client.start({ argv: ['sh', '-c', line], key: `k${n}` });
        expect((await session.wait({ timeoutMs: 20_000 })).session.exit?.status).toBe(n);
      }
      const lines = existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n') : [];
      expect(lines.sort()).toEqual(['0', '1', '2', '3', '4', '5']);
    });
  }
}
