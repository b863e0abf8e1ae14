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

/** A transcript of a session behind a gate, and what is found in it. Only the call named so was allowed. */
function stand(agent: Agent, allowedCall: string) {
  const world = new GateWorld('live');
  const folder = mkdtempSync(join(tmpdir(), 'ol-detective-'));
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
  using place = stand(claude, 'toolu_allowed');
  const result = (call: string) => ({
    message: { content: [{ type: 'tool_result', tool_use_id: call, content: 'x' }] },
  });
  place.write(result('toolu_allowed'));
  expect(await place.look()).toBeNull();
  place.write(result('toolu_wild'));
  // Earlier looks may have been too short.
  for (let look = 0; look < 3; look += 1) expect(await place.look()).toMatchObject({ call: 'toolu_wild' });
});

test('T-GATE-17: what an agent that asks in messages wrote down is held against what was allowed', async () => {
  const [echo = claude] = echoes('node', 'echo.js');
  using place = stand(echo, 'c-1.1');
  const atMs = place.session.created.wallMs + 1;
  const call = (id: string, at = atMs) => ({ type: 'call', turn: 'c-1', atMs: at, call: id, tool: 'shell', input: {} });
  const result = (id: string, at = atMs) => ({ type: 'result', call: id, error: 'it failed', text: '', atMs: at });
  // One that was allowed, one that is not made yet, and one from before there was a gate.
  for (const line of [call('c-1.1'), result('c-1.1'), call('c-1.2'), call('c-0.1', 0), result('c-0.1', -1)])
    place.write(line);
  expect(await place.look()).toBeNull();
  place.write(result('c-1.2'));
  expect(await place.look()).toMatchObject({ call: 'c-1.2', tool: 'shell', run: 1 });
});
