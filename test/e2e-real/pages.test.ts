import { describe, expect, test as one } from 'vitest';
import { openModelProxy } from '../agents/model-proxy.ts';
import { openStage } from '../agents/stage.ts';
import type { AgentUnderTest } from '../agents/under-test/agent.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';
import { CODEX_0_169 } from '../agents/under-test/codex.ts';
import { COPILOT_1_0 } from '../agents/under-test/copilot.ts';
import { GEMINI_0_61 } from '../agents/under-test/gemini.ts';
import { GOOSE_1_52 } from '../agents/under-test/goose.ts';
import { OPENCODE_1_18 } from '../agents/under-test/opencode.ts';
import { PI_0_87 } from '../agents/under-test/pi.ts';
import { QWEN_0_24 } from '../agents/under-test/qwen.ts';
import { deepTest } from '../campaign.ts';
import { pathWithOutlast } from '../e2e/live.ts';
import { pageText, stepsOf } from '../pages/page.ts';
import { type AGENT_SECTIONS, PAGE_WORLDS } from '../pages/page-worlds.ts';
import { Shell, shownLines } from '../pages/shell.ts';
import { expectShown, expectTrue } from '../pages/told.ts';

// Pages about real agents, typed by a user without root and with an empty home: Claude Code and a scripted model. The
// sections about the other agents are typed beside each of those.

const isHere = CLAUDE_NEWEST.isHere() || process.env.CI === 'true';
const real = Object.entries(PAGE_WORLDS).filter(([, { hasClaude }]) => hasClaude);

describe.skipIf(!isHere)('every command prints what the page shows', { timeout: 300_000 }, () => {
  for (const [page, { isQuick }] of real) (isQuick ? one : deepTest)(page, () => expectTrue(page));
});

const SECTIONS: Readonly<Record<(typeof AGENT_SECTIONS)[number], AgentUnderTest>> = {
  Codex: CODEX_0_169,
  OpenCode: OPENCODE_1_18,
  'Copilot CLI': COPILOT_1_0,
  pi: PI_0_87,
  'Gemini CLI': GEMINI_0_61,
  Goose: GOOSE_1_52,
  'Qwen Code': QWEN_0_24,
};

describe('every command for an agent prints what docs/guides/agents.md shows', { timeout: 300_000 }, () => {
  for (const [section, agent] of Object.entries(SECTIONS))
    deepTest(section, async () => {
      expect(agent.isHere()).toBe(true);
      await using stage = await openStage(agent);
      await using proxy = await openModelProxy(stage);
      const replies = {
        'fix the tests': stage.script({ say: 'The tests pass.' }),
        'upgrade the dependencies': stage.script({ run: 'npm update' }, { say: 'They are the newest now.' }),
      };
      proxy.rewrite = (body) =>
        Object.entries(replies).reduce(
          (text, [prompt, script]) => text.replaceAll(prompt, `${prompt} ${JSON.stringify(script).slice(1, -1)}`),
          body,
        );
      const outlast = pathWithOutlast(stage.world).split(':')[0];
      const env = { ...(stage.world.env as Record<string, string>), ...proxy.env, NO_COLOR: '1' };
      const shell = new Shell({
        argv: [],
        cwd: stage.workspace,
        env: { ...env, PATH: `${outlast}:${proxy.env.PATH}` },
      });
      const steps = stepsOf(pageText('docs/guides/agents.md')).filter(({ heading }) => heading === section);
      expect(steps.length).toBeGreaterThan(1);
      for (const step of steps) {
        const shown = await shownLines(await shell.type(step.command));
        expectShown(step, shown.replace('; as root, that is anything on this machine', ''));
      }
      shell.close();
    });
});
