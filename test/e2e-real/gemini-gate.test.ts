import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { gemini } from '../../src/agent/gemini/gemini.ts';
import type { Agent } from '../../src/agent/seam/agent.ts';
import { realClock } from '../../src/base/clock.ts';
import type { ApprovalView, Session } from '../../src/client/index.ts';
import { probeProtocol } from '../../src/daemon/gate/protocol-probe.ts';
import { openStage, type Stage } from '../agents/stage.ts';
import { script } from '../agents/story-text.ts';
import { GEMINI_0_61 } from '../agents/under-test/gemini.ts';
import { deepCases, deepTest, some, times, tried } from '../campaign.ts';
import { eventually } from '../eventually.ts';

const WAIT_MS = 120_000;

/** Commands that Gemini CLI takes for safe, and others. Those that can leave a trace do. */
const COMMANDS = [
  ...['ls', 'cat hosts', 'pwd', 'head -1 hosts', 'grep a hosts', 'find . -name hosts', 'wc -l hosts', 'true', 'env'],
  ...['echo x >> made', 'touch made', 'cat hosts > made', 'ls; touch made', 'ls && touch made', 'ls | tee made'],
  ...['bash -c ls', 'bash -lc "touch made"', 'sh -c "touch made"', 'git status', 'git init', 'ls\ntouch made'],
  ...['$(touch made)', "cat > made <<'E'\nx\nE", 'if true; then touch made; fi', 'X=1 touch made'],
];

/** Calls of other tools. */
const OTHERS = [
  { tool: 'read_file', input: { file_path: 'hosts' } },
  { tool: 'write_file', input: { file_path: 'made', content: 'x' } },
  { tool: 'replace', input: { file_path: 'hosts', old_string: 'a', new_string: 'b', instruction: 'x' } },
  { tool: 'glob', input: { pattern: '*' } },
  { tool: 'grep_search', input: { pattern: 'a' } },
  { tool: 'list_directory', input: { dir_path: '.' } },
  { tool: 'enter_plan_mode', input: {} },
  { tool: 'run_shell_command', input: { command: 'ls', description: 'x', dir_path: '.' } },
  { tool: 'run_shell_command', input: { command: 'touch made', description: 'x', is_background: true } },
];

const CALLS = [
  ...COMMANDS.map((command) => ({ tool: 'run_shell_command', input: { command, description: 'x' } })),
  ...OTHERS,
];

let attempts = 0;

/** A gated session among files that would open the gate. */
async function gated(stage: Stage): Promise<Session> {
  mkdirSync(stage.workspace, { recursive: true });
  writeFileSync(join(stage.workspace, 'hosts'), 'a\n');
  GEMINI_0_61.gateOpeners?.write(stage.root);
  return stage.startLive({ gate: { mode: 'gate' }, trust: true });
}

async function openApprovals({ world }: Stage, { id }: Session): Promise<readonly ApprovalView[]> {
  return world.client.approvals.list({ session: id });
}

/** Denies every call until the prompt is answered; returns how many were asked about. */
async function denied(stage: Stage, session: Session, prompt: string): Promise<number> {
  const asked = new Set<string>();
  await eventually(
    async () => {
      for (const { id } of await openApprovals(stage, session)) {
        asked.add(id);
        await stage.world.client.approvals.decide(id, false, { by: 'ann', why: 'no' });
      }
      return (await session.reply({ prompt, timeoutMs: 1 })).met === 'answered';
    },
    { msMax: WAIT_MS, what: 'the answer' },
  );
  return asked.size;
}

/** Nothing was made, and no call is recorded as made. */
async function expectNothingMade(stage: Stage, session: Session): Promise<void> {
  expect(existsSync(join(stage.workspace, 'made'))).toBe(false);
  const written = stage.transcripts().map((path) => readFileSync(path, 'utf8'));
  expect(written.filter((text) => text.includes('"status":"success"'))).toEqual([]);
  expect(await stage.eventNames(session.id, 'approval.breached')).toEqual([]);
}

const isHere = GEMINI_0_61.isHere() || process.env.CI === 'true';

describe.skipIf(!isHere)('Gemini CLI behind a gate', { timeout: 600_000 }, () => {
  afterAll(() => tried('gated calls of gemini', attempts));

  test('every call is asked about, among files that allow everything, and a denied one is not made', async () => {
    await using stage = await openStage(GEMINI_0_61);
    const session = await gated(stage);
    for (let round = 0; round < times(1, 7); round += 1) {
      const calls = some(CALLS, 4);
      attempts += calls.length;
      const { prompt } = await session.prompt(script(...calls, { text: 'end' }));
      expect(await denied(stage, session, prompt)).toBe(calls.length);
      await expectNothingMade(stage, session);
    }
  });

  deepTest('a sub-agent is not started', async () => {
    await using stage = await openStage(GEMINI_0_61);
    const session = await gated(stage);
    const inner = script(
      { tool: 'run_shell_command', input: { command: 'touch made', description: 'x' } },
      { text: 'x' },
    );
    const calls = ['generalist', 'codebase_investigator', 'open'].map((name) => ({
      tool: 'invoke_agent',
      input: { agent_name: name, prompt: `go ${inner}` },
    }));
    attempts += calls.length;
    const { prompt } = await session.prompt(script(...calls, { text: 'end' }));
    await denied(stage, session, prompt);
    await expectNothingMade(stage, session);
  });

  deepTest('an interrupted turn ends although a call waits, which is not made, and the next prompt works', async () => {
    await using stage = await openStage(GEMINI_0_61);
    const session = await gated(stage);
    attempts += 1;
    const call = { tool: 'run_shell_command', input: { command: 'touch made', description: 'x' } };
    const { prompt } = await session.prompt(script(call, { text: 'end' }));
    await eventually(async () => (await openApprovals(stage, session)).length > 0, { msMax: WAIT_MS });
    await session.interrupt();
    expect((await session.reply({ prompt, timeoutMs: 30_000 })).met).toBe('interrupted');
    expect((await session.converse('and now?', { timeoutMs: 60_000 })).reply).toBe('You said: and now?');
    await expectNothingMade(stage, session);
  });

  const weaker: Readonly<Record<string, string>> = {
    'no rule': '',
    'a rule without a pattern': ruleFor('*', ''),
    'a rule for commands only': ruleFor('run_shell_command', 'argsPattern = "."\n'),
  };
  for (const [what, text] of deepCases('the gate probe refuses weaker policies', Object.entries(weaker)))
    test(`the gate probe refuses a policy with ${what}`, async () => {
      await using stage = await openStage(GEMINI_0_61);
      const launch: Agent['launch'] = (...all) => ({
        ...gemini.launch(...all),
        files: [{ name: 'policy.toml', text }],
      });
      const parts = { state: stage.root, clock: realClock(), path: stage.env.PATH ?? '' };
      const { denies, why } = await probeProtocol(parts, { ...gemini, launch });
      expect([denies, why]).toEqual([false, expect.stringMatching(/a call (ran that should|that only reads ran)/)]);
    });
});

function ruleFor(tool: string, more: string): string {
  return `[[rule]]\ntoolName = "${tool}"\n${more}decision = "ask_user"\npriority = 999\n`;
}
