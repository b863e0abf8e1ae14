import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { command } from '../../src/agent/command/command.ts';
import { echoes } from '../../src/agent/echo/echo.ts';
import type { Agent } from '../../src/agent/seam/agent.ts';
import { connect } from '../../src/client/index.ts';
import { buildDaemon } from '../../src/daemon/build/daemon.ts';
import { readSettings } from '../../src/daemon/config/config.ts';
import { ownProgram } from '../../src/daemon/machine/terminals.ts';

const POLICY = '{"deny":["all"]}\n';

/** An agent that takes its policy from its config home only: it gets a home for each run. */
function withPrivateHome(agent: Agent, variable: string): Agent {
  const launch: Agent['launch'] = (spec, caller, plan) => {
    const made = agent.launch(spec, caller, plan);
    const files = [{ name: '.policy/rules.json', text: POLICY }];
    return { ...made, files, env: { ...made.env, [variable]: plan.files } };
  };
  return { ...agent, launch };
}

async function daemonWith(agents: readonly Agent[]) {
  const state = mkdtempSync(join(tmpdir(), 'outlast-home-'));
  const env = { PATH: process.env.PATH, HOME: join(state, 'home'), OUTLAST_STATE: state };
  const giveUp = (error: unknown): never => {
    throw error;
  };
  const named = Object.fromEntries(agents.map((agent) => [agent.name, agent]));
  const daemon = await buildDaemon({ settings: readSettings(env), env, waits: false, giveUp, agents: named });
  const client = connect({ state, start: false });
  onTestFinished(async () => {
    client.close();
    await daemon.stop({ why: 'the test is over', planned: false });
    rmSync(state, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const filesOf = (id: string, run = 1): string => join(state, 'sessions', id, 'runs', String(run), 'files');
  return { client, state, filesOf };
}

test('a command finds its policy in the private home of its run', async () => {
  const { client, filesOf } = await daemonWith([withPrivateHome(command, 'TOOL_HOME')]);
  const line = 'cat "$TOOL_HOME/.policy/rules.json"; echo "$TOOL_HOME"';
  const { session, output } = await client.exec({ argv: ['sh', '-c', line] });
  expect(output).toBe(`${POLICY}${filesOf(session.id)}\n`);
});

test('echo keeps everything in the home of its run, beside the files that it was given', async () => {
  const [echo] = echoes(process.execPath, ownProgram('echo'));
  const { client, state, filesOf } = await daemonWith([withPrivateHome(echo as Agent, 'ECHO_HOME')]);
  const env = { PATH: process.env.PATH ?? '', HOME: join(state, 'home') };
  const session = await client.start({ agent: 'echo', prompt: 'say hi', cwd: state, env });
  expect(await session.reply({ timeoutMs: 60_000 })).toMatchObject({ met: 'answered', reply: 'hi' });
  const files = filesOf(session.id);
  expect(readFileSync(join(files, 'heard.jsonl'), 'utf8')).toContain('say hi');
  expect(readFileSync(join(files, '.policy/rules.json'), 'utf8')).toBe(POLICY);
  const modes = ['', '.policy', '.policy/rules.json'].map((name) => statSync(join(files, name)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o700, 0o600]);
  expect(existsSync(join(state, 'home/.outlast-echo'))).toBe(false);
});
