import { join } from 'node:path';
import { describe, test } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { openStage, type Stage } from '../agents/stage.ts';
import { claudeOf } from '../agents/under-test/claude.ts';
import { figures, isCampaign } from '../campaign.ts';
import { FAULTS, type Fault, type Place } from './gate-faults.ts';
import { fullDisk, MORE_FAULTS } from './gate-faults-more.ts';
import { judged } from './gate-judge.ts';
import { settle, told, wishOf } from './gate-world.ts';

import { smallDisk } from './small-disk.ts';

// The same faults around the gate of the real Claude Code.

const VERSION = '2.1.325';
const AT_ONCE = 2;

/** In every run of the tests: what happens most often. */
const FEW = ['T-GATE-1'];
const ALL = { ...FAULTS, ...MORE_FAULTS };
const chosen = Object.entries(ALL).filter(([id]) => isCampaign || FEW.includes(id));

function placeOn(stage: Stage): Place {
  let count = 0;
  return {
    world: stage.world,
    agent: async (wish) => {
      count += 1;
      const workspace = stage.folder(`w${count}`);
      settle(workspace, wish);
      const session = await stage.start({ ...wishOf(wish), cwd: workspace });
      return { ...told(stage.world, session, workspace), behave: () => {} };
    },
  };
}

async function play(id: string, fault: Fault, stage: Stage): Promise<void> {
  const agents = await fault.play(placeOn(stage), isCampaign ? AT_ONCE : 1);
  figures(`${id} with Claude Code ${VERSION}`, await judged(fault, agents));
}

describe.skipIf(!agentIsHere(VERSION) && process.env.CI !== 'true')(`Claude Code ${VERSION}`, () => {
  for (const [id, fault] of chosen)
    test(`${id}: ${fault.what}`, { timeout: 300_000 }, async () => {
      await using stage = await openStage(claudeOf(VERSION));
      await play(id, fault, stage);
    });

  if (isCampaign) {
    test('T-GATE-7: the disk of the decision log is full', { timeout: 300_000 }, async () => {
      using disk = smallDisk('24m');
      await using stage = await openStage(claudeOf(VERSION), { state: join(disk.path, 'state') });
      await play('T-GATE-7', fullDisk(disk), stage);
    });
  }
});
