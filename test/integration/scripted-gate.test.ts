import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Manners } from '../../src/agent/claude/stand-in/manners.ts';
import { isCampaign, leftForDeep } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { ANSWERS, deciding } from '../scripted/gate-answers.ts';
import { type AgentBench, askedOf, bash, gateSettings, playScene, story } from '../scripted/gate-bench.ts';
import { CALLS } from '../scripted/gate-calls.ts';
import { LIVE, type LiveBench } from '../scripted/gate-live.ts';
import { Live } from '../scripted/live.ts';
import { ID, type ScriptedWorld, scriptedWorld } from '../scripted/world.ts';

function standIn(world: ScriptedWorld, isOld = false): AgentBench {
  let runs = 0;
  return {
    isOld,
    workspace: world.workspace,
    run: async (prompt, settings, mode, isResumed = false) => {
      const id = `${ID.slice(0, -2)}${10 + (isResumed ? runs : ++runs)}`;
      const conversation = { is: isResumed ? 'resume' : 'new', id } as const;
      const { status, stdout } = await world.print(prompt, { settings, mode, conversation });
      return { status, output: stdout };
    },
  };
}

describe.each<[string, Partial<Manners>]>([
  ['as the newest', {}],
  ['as an old one', { ignoresOnFailure: true }],
])('the scripted agent handles hooks %s', (_, faults) => {
  const told = (tell: (stand: AgentBench) => Promise<void>) => async () => {
    await using world = scriptedWorld(faults);
    await tell(standIn(world, faults.ignoresOnFailure === true));
  };
  for (const [sentence, scene] of Object.entries(ANSWERS))
    test(
      sentence,
      told((stand) => playScene(stand, scene)),
    );
  // Where an old version does not differ, only campaigns test it.
  for (const [sentence, tell] of Object.entries(CALLS)) {
    if (isCampaign || faults.ignoresOnFailure !== true) test(sentence, told(tell));
    else leftForDeep(sentence);
  }
});

function liveStandIn(live: Live): LiveBench {
  return {
    workspace: live.agent.workspace,
    open: async (settings, mode) => {
      await live.open({ settings, mode });
      await live.shows({ is: 'ready' });
    },
    prompt: (text) => live.prompt(text),
    key: (name) => live.keys(name === 'enter' ? 'Enter' : 'Escape'),
    shows: (is) => eventually(async () => (await live.screen()).is === is, { what: `a screen that is ${is}` }),
  };
}

describe('on its full screen', () => {
  for (const [sentence, tell] of Object.entries(LIVE))
    test(sentence, async () => {
      await using live = new Live();
      await tell(liveStandIn(live));
    });
});

test('ignoresHooks: it asks, and runs every tool whatever the answer is', async () => {
  await using world = scriptedWorld({ ignoresHooks: true });
  const stand = standIn(world);
  await stand.run(story(bash('echo x >ran'), { text: 'end' }), gateSettings(deciding('deny'), ':'), 'deny-unlisted');
  expect(existsSync(join(world.workspace, 'ran'))).toBe(true);
  expect(askedOf(stand).map(({ hook_event_name }) => hook_event_name)).toEqual(['PreToolUse', 'PostToolUse']);
});
