import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentIsHere, agentProgram, type RealAgent } from '../../scripts/agents.ts';
import { claude } from '../../src/agent/claude/claude.ts';
import { codex } from '../../src/agent/codex/codex.ts';
import { copilot } from '../../src/agent/copilot/copilot.ts';
import { gemini } from '../../src/agent/gemini/gemini.ts';
import { goose } from '../../src/agent/goose/goose.ts';
import { opencode } from '../../src/agent/opencode/opencode.ts';
import { pi } from '../../src/agent/pi/pi.ts';
import { qwen } from '../../src/agent/qwen/qwen.ts';
import type { Agent } from '../../src/agent/seam/agent.ts';
import type { ServerDrive, ServerReport } from '../../src/agent/seam/server.ts';
import { realClock } from '../../src/base/clock.ts';
import type { Launch } from '../../src/core/launch.ts';
import { type HookingAgent, probeGate } from '../../src/daemon/gate/gate-probe.ts';
import type { ProbeResult } from '../../src/daemon/gate/probe-calls.ts';
import { type AskingAgent, probeProtocol } from '../../src/daemon/gate/protocol-probe.ts';
import { CLAUDE_NEWEST } from '../agents/under-test/claude.ts';
import { CODEX_0_169 } from '../agents/under-test/codex.ts';
import { COPILOT_1_0 } from '../agents/under-test/copilot.ts';
import { GEMINI_0_61 } from '../agents/under-test/gemini.ts';
import { GOOSE_1_52 } from '../agents/under-test/goose.ts';
import { OPENCODE_1_18 } from '../agents/under-test/opencode.ts';
import { PI_0_87 } from '../agents/under-test/pi.ts';
import { QWEN_0_24 } from '../agents/under-test/qwen.ts';
import { isCampaign, leftForDeep } from '../campaign.ts';

// One thing that keeps a gate closed is taken out of each adapter. The gate probe of the real agent finds it.

interface Weakened {
  readonly what: string;
  readonly version: string | null;
  readonly agent: HookingAgent | AskingAgent;
  /** Which case falls. */
  readonly why: string;
}

const OPENED = 'files of the folder or of the user open it: ';
const RAN = 'a call ran that should have been held back';

const weakened: readonly Weakened[] = [
  {
    what: 'Claude Code with the settings of the folder',
    version: CLAUDE_NEWEST.version,
    agent: launched(claude, (launch) => ({ ...launch, argv: without(launch.argv, '--setting-sources', 1) })),
    why: `${OPENED}${RAN} (`,
  },
  {
    what: 'Codex with the rules of a folder that it trusts',
    version: CODEX_0_169.version,
    agent: {
      ...codex,
      server: {
        ...codex.server,
        hello: (...given) =>
          JSON.parse(JSON.stringify(codex.server.hello(...given)).replace('"untrusted"}', '"trusted"}')),
      },
    },
    why: `${OPENED}${RAN} (denied`,
  },
  {
    what: 'Codex that does not tell of calls',
    version: CODEX_0_169.version,
    agent: { ...codex, server: silent(codex.server), gate: { ...codex.gate, seenCalls: () => [] } },
    why: 'a call that another client allowed was not noticed (stolen)',
  },
  {
    what: 'OpenCode with plugins',
    version: OPENCODE_1_18.version,
    agent: launched(opencode, (launch) => ({ ...launch, env: withoutNames(launch.env, 'OPENCODE_PURE') })),
    why: `${OPENED}something ran without a question (opened)`,
  },
  {
    what: 'OpenCode that does not tell of calls',
    version: OPENCODE_1_18.version,
    agent: { ...opencode, server: silent(opencode.server), gate: { ...opencode.gate, seenCalls: () => [] } },
    why: 'a call that another client allowed was not noticed (stolen)',
  },
  {
    what: 'Qwen Code with the settings of the folder',
    version: QWEN_0_24.version,
    agent: launched(qwen, (launch) => ({
      ...launch,
      env: withoutNames(launch.env, 'QWEN_CODE_SYSTEM_SETTINGS_PATH', 'QWEN_CODE_TRUSTED_FOLDERS_PATH'),
    })),
    why: `${RAN} (denied`,
  },
  {
    what: 'Gemini CLI in a folder that it trusts',
    version: GEMINI_0_61.version,
    agent: launched(gemini, (launch) => ({ ...launch, env: { ...launch.env, GEMINI_CLI_TRUST_WORKSPACE: 'true' } })),
    why: OPENED,
  },
  {
    what: 'Goose with the permissions of the user',
    version: GOOSE_1_52.version,
    agent: launched(goose as AskingAgent, (launch, env) => ({
      ...launch,
      env: { ...launch.env, GOOSE_PATH_ROOT: env.GOOSE_PATH_ROOT ?? '' },
    })),
    why: `${OPENED}${RAN} (denied`,
  },
  {
    what: 'pi with extensions',
    version: PI_0_87.version,
    agent: launched(pi, (launch) => ({ ...launch, argv: without(launch.argv, '--no-extensions', 0) })),
    why: OPENED,
  },
  {
    what: 'Copilot CLI with the home of the user',
    version: COPILOT_1_0.version,
    agent: launched(copilot, (launch, env) => ({
      ...launch,
      env: { ...launch.env, COPILOT_HOME: env.COPILOT_HOME ?? '' },
    })),
    why: '(opened)',
  },
];

/** The stand-ins have such tests too; of the real ones every run has the fastest. */
const QUICK = 'pi with extensions';

describe('the gate probe refuses', { timeout: 300_000 }, () => {
  for (const { what, version, agent, why } of weakened) {
    if (!isCampaign && what !== QUICK) {
      leftForDeep(`the gate probe refuses ${what}`);
      continue;
    }
    // Agents that are not installed are left out, except in CI.
    if (!agentIsHere(version ?? '', agent.name as RealAgent) && process.env.CI !== 'true') continue;
    test(what, async () => {
      const result = await probe(agent, version ?? '');
      expect(result).toMatchObject({ denies: false, why: expect.stringContaining(why) });
    });
  }
});

async function probe(agent: HookingAgent | AskingAgent, version: string): Promise<ProbeResult> {
  const folder = mkdtempSync(join(tmpdir(), 'ol-weak-'));
  try {
    mkdirSync(join(folder, 'bin'));
    symlinkSync(agentProgram(version, agent.name as RealAgent), join(folder, 'bin', agent.program.name));
    const path = `${join(folder, 'bin')}:${dirname(process.execPath)}:${process.env.PATH}`;
    const parts = { state: folder, clock: realClock(), path };
    if (agent.gate.asks === 'protocol') return await probeProtocol(parts, agent as AskingAgent);
    return await probeGate({ ...parts, permissionServer: null }, agent as HookingAgent);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The agent with other launches. */
function launched<A extends Agent>(agent: A, change: (launch: Launch, env: Launch['env']) => Launch): A {
  return { ...agent, launch: (spec, caller, plan) => change(agent.launch(spec, caller, plan), caller.env) };
}

/** A drive that tells of no call. */
function silent(server: ServerDrive<unknown>): ServerDrive<unknown> {
  const isCall = ({ says }: ServerReport): boolean => says.type === 'hook.noted' && says.fact.type === 'tool.ended';
  return {
    ...server,
    receive: (...given) => {
      const received = server.receive(...given);
      return { ...received, reports: received.reports.filter((report) => !isCall(report)) };
    },
  };
}

function without([first, ...words]: Launch['argv'], flag: string, values: number): Launch['argv'] {
  const at = words.indexOf(flag);
  expect(at).toBeGreaterThanOrEqual(0);
  return [first, ...words.slice(0, at), ...words.slice(at + 1 + values)];
}

function withoutNames(env: Launch['env'], ...names: readonly string[]): Launch['env'] {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)));
}
