import { randomUUID } from 'node:crypto';
import { describe, test } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { ANSWERS } from '../scripted/gate-answers.ts';
import { CALLS } from '../scripted/gate-calls.ts';
import { playScene, type Stand } from '../scripted/gate-stand.ts';
import { type ClaudeWorld, claudeWorld } from './claude-world.ts';

function standIn(world: ClaudeWorld, isOld: boolean): Stand {
  let id = '';
  return {
    isOld,
    workspace: world.workspace,
    run: (prompt, settings, mode, isResumed = false) => {
      id = isResumed ? id : randomUUID();
      return world.turn(prompt, { is: isResumed ? 'resume' : 'new', id }, { settings, mode });
    },
  };
}

describe.each(['2.1.325', '2.1.197'] as const)(
  'Claude Code %s reads its hooks as the scripted agent does',
  (version) => {
    const told = (tell: (stand: Stand) => Promise<void>) => async () => {
      await using world = await claudeWorld({ version });
      await tell(standIn(world, version === '2.1.197'));
    };
    describe.skipIf(!agentIsHere(version) && process.env.CI !== 'true')('headless', () => {
      for (const [sentence, scene] of Object.entries(ANSWERS))
        test(
          sentence,
          told((stand) => playScene(stand, scene)),
        );
      for (const [sentence, tell] of Object.entries(CALLS)) test(sentence, told(tell));
    });
  },
);
