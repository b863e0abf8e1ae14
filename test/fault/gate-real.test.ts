import { join } from 'node:path';
import { describe, test } from 'vitest';
import { openStage, type Stage } from '../agents/stage.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';
import { figures, isCampaign } from '../campaign.ts';
import { FAULTS, type Fault, type Place } from './gate-faults.ts';
import { fullDisk, MORE_FAULTS } from './gate-faults-more.ts';
import { checkGate } from './gate-judge.ts';
import { gatedAgent, startOptions, writeSettings } from './gate-world.ts';

import { smallDisk } from './small-disk.ts';

// The faults of gate.test.ts, with the real Claude Code.

const AT_ONCE = 2;

/** The faults that every run tries: the most frequent one. */
const FEW = ['T-GATE-1'];
const ALL = { ...FAULTS, ...MORE_FAULTS };
const chosen = Object.entries(ALL).filter(([id]) => isCampaign || FEW.includes(id));

function placeOn(stage: Stage): Place {
  let count = 0;
  return {
    world: stage.world,
    agent: async (options) => {
      count += 1;
      const workspace = stage.folder(`w${count}`);
      writeSettings(workspace, options);
      const session = await stage.start({ ...startOptions(options), cwd: workspace });
      return { ...gatedAgent(stage.world, session, workspace), behave: () => {} };
    },
  };
}

async function play(id: string, fault: Fault, stage: Stage): Promise<void> {
  const agents = await fault.play(placeOn(stage), isCampaign ? AT_ONCE : 1);
  figures(`${id} with ${CLAUDE_NEWEST.title}`, await checkGate(fault, agents));
}

describe.skipIf(!CLAUDE_NEWEST.isHere() && process.env.CI !== 'true')(CLAUDE_NEWEST.title, () => {
  for (const [id, fault] of chosen)
    test(`${id}: ${fault.what}`, { timeout: 300_000 }, async () => {
      await using stage = await openStage(CLAUDE_NEWEST);
      await play(id, fault, stage);
    });

  if (isCampaign) {
    test('T-GATE-7: the disk of the decision log is full', { timeout: 300_000 }, async () => {
      using disk = smallDisk('24m');
      await using stage = await openStage(CLAUDE_NEWEST, { state: join(disk.path, 'state') });
      await play('T-GATE-7', fullDisk(disk), stage);
    });
  }
});
