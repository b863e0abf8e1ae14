import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import { echoes } from '../../src/agent/echo/echo.ts';
import type { Agent } from '../../src/agent/seam/agent.ts';
import { GateBypassDetector } from '../../src/supervisor/gate-bypass.ts';
import type { WorldState } from '../../src/supervisor/world-state.ts';
import { GateWorld } from './gate-world.ts';

/** The transcript of a gated session in which only this call was allowed, and the bypass detector for it. */
function gatedTranscript(agent: Agent, allowedCall: string) {
  const world = new GateWorld('live');
  const folder = mkdtempSync(join(tmpdir(), 'ol-bypass-'));
  const path = join(folder, 'transcript.jsonl');
  const state = {
    state: world.state,
    transcriptReader: { sources: () => ({ main: { is: 'file', path }, sides: () => [], place: () => path }) },
    now: () => world.session,
    allowed: (_: string, call: string) => call === allowedCall,
  } as unknown as WorldState;
  const bypassDetector = new GateBypassDetector();
  return {
    session: world.session,
    write: (line: object): void => writeFileSync(path, `${JSON.stringify(line)}\n`, { flag: 'a' }),
    look: () => bypassDetector.look(state, world.session, agent),
    [Symbol.dispose]: () => {
      world[Symbol.dispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

test('a call without approval is reported until it is handled, and an approved one never', async () => {
  using world = gatedTranscript(claude, 'toolu_allowed');
  const result = (call: string) => ({
    message: { content: [{ type: 'tool_result', tool_use_id: call, content: 'x' }] },
  });
  world.write(result('toolu_allowed'));
  expect(await world.look()).toBeNull();
  world.write(result('toolu_wild'));
  // Earlier looks may have been too short.
  for (let look = 0; look < 3; look += 1) expect(await world.look()).toMatchObject({ call: 'toolu_wild' });
});

test('T-GATE-17: the transcript of an agent that asks by messages is checked against its approvals', async () => {
  const [echo = claude] = echoes('node', 'echo.js');
  using world = gatedTranscript(echo, 'c-1.1');
  const atMs = world.session.created.wallMs + 1;
  const call = (id: string, at = atMs) => ({ type: 'call', turn: 'c-1', atMs: at, call: id, tool: 'shell', input: {} });
  const result = (id: string, at = atMs) => ({ type: 'result', call: id, error: 'it failed', text: '', atMs: at });
  // One that was allowed, one without a result yet, and one from before the gate.
  for (const line of [call('c-1.1'), result('c-1.1'), call('c-1.2'), call('c-0.1', 0), result('c-0.1', -1)])
    world.write(line);
  expect(await world.look()).toBeNull();
  world.write(result('c-1.2'));
  expect(await world.look()).toMatchObject({ call: 'c-1.2', tool: 'shell', run: 1 });
});
