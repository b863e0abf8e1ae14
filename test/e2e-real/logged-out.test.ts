import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openStage, type Stage } from '../agents/stage.ts';
import type { AgentUnderTest } from '../agents/under-test/agent.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';
import { CODEX_0_169 } from '../agents/under-test/codex.ts';
import { COPILOT_1_0 } from '../agents/under-test/copilot.ts';
import { GEMINI_0_61 } from '../agents/under-test/gemini.ts';
import { GOOSE_1_52 } from '../agents/under-test/goose.ts';
import { PI_0_87 } from '../agents/under-test/pi.ts';
import { QWEN_0_24 } from '../agents/under-test/qwen.ts';
import { isCampaign, leftForDeep } from '../campaign.ts';

// Agents that nobody is logged in to: each says so in its own way, before it asks any model.

/** How nobody is logged in, and how somebody is again. */
interface LoggedOut {
  readonly agent: AgentUnderTest;
  /** The variables of the caller that are the login. */
  readonly without?: RegExp;
  logOut?(stage: Stage): void;
  /** Absent: the login is in variables, which a session keeps. */
  logIn?(stage: Stage): void;
  readonly says: RegExp;
  readonly kind: 'login' | 'agent';
}

const models = (stage: Stage): string => join(stage.config, 'pi/models.json');

const LOGGED_OUT: readonly LoggedOut[] = [
  {
    agent: PI_0_87,
    logOut: (stage) => renameSync(models(stage), `${models(stage)}.kept`),
    logIn: (stage) => renameSync(`${models(stage)}.kept`, models(stage)),
    says: /^No (API key|models) /,
    kind: 'login',
  },
  {
    agent: GOOSE_1_52,
    without: /^GOOSE_(PROVIDER|MODEL)$/,
    logIn: (stage) => {
      mkdirSync(join(stage.config, 'goose/config'), { recursive: true });
      writeFileSync(join(stage.config, 'goose/config/config.yaml'), 'GOOSE_PROVIDER: openai\nGOOSE_MODEL: gpt-4o\n');
    },
    says: /Configuration value not found: GOOSE_PROVIDER/,
    kind: 'agent',
  },
  {
    agent: GEMINI_0_61,
    without: /^(GEMINI_API_KEY|GOOGLE_)/,
    logOut: ({ config }) => {
      const path = join(config, '.gemini/settings.json');
      writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), security: {} }));
    },
    says: /^Please set an Auth method/,
    kind: 'login',
  },
  { agent: COPILOT_1_0, without: /^COPILOT_PROVIDER_/, says: /^Offline mode requires a local model/, kind: 'login' },
  { agent: QWEN_0_24, without: /^OPENAI_/, says: /^No auth type is selected/, kind: 'login' },
  { agent: CLAUDE_NEWEST, without: /^ANTHROPIC_API_KEY$/, says: /^Not logged in/, kind: 'login' },
  {
    agent: CODEX_0_169,
    logOut: ({ config }) => {
      const path = join(config, 'config.toml');
      const isMissing = 'env_key = "A_KEY_THAT_IS_MISSING"';
      writeFileSync(path, readFileSync(path, 'utf8').replace(/^\[model_providers\..*\]$/m, `$&\n${isMissing}`));
    },
    says: /A_KEY_THAT_IS_MISSING/,
    kind: 'login',
  },
];

const installed = LOGGED_OUT.filter(({ agent }) => agent.isHere() || process.env.CI === 'true');
const played = isCampaign ? installed : installed.slice(0, 2);
if (!isCampaign) leftForDeep('the other agents that nobody is logged in to');

describe.for(played)('$agent.title', { timeout: 240_000 }, ({ agent, without, logOut, logIn, says, kind }) => {
  test('without a login the session is held with what the agent says, and the prompt is kept', async () => {
    await using stage = await openStage(agent);
    logOut?.(stage);
    const env = Object.fromEntries(Object.entries(stage.env).filter(([name]) => without?.test(name) !== true));
    const session = await stage.start({ env });
    const first = await session.converse('hello', { timeoutMs: 60_000 });
    expect([first.met, first.session.hold]).toEqual(['held', { kind, helps: 'resume' }]);
    expect(first.session.held).toMatch(says);
    expect(first.session.prompts).toMatchObject([{ text: 'hello' }]);
    expect((await stage.cli(['report', session.id])).stdout).toMatch(new RegExp(says.source.replace('^', '')));
    expect(await stage.eventNames(session.id, 'session.held')).toHaveLength(1);
    if (logIn === undefined) return;
    logIn(stage);
    expect((await stage.cli(['resume', session.id])).status).toBe(0);
    const { reply } = await session.reply({ prompt: first.prompt ?? '', timeoutMs: 60_000 });
    expect(reply).toContain('hello');
  });
});
