import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import { GateBypassDetector } from '../../src/supervisor/gate-bypass.ts';
import type { WorldState } from '../../src/supervisor/world-state.ts';
import { GateWorld } from './gate-world.ts';

test('a call that nobody allowed is told until somebody acts on it, and one that was allowed never', async () => {
  using world = new GateWorld('live');
  const folder = mkdtempSync(join(tmpdir(), 'ol-detective-'));
  const path = join(folder, 'transcript.jsonl');
  const state = {
    state: world.state,
    transcriptReader: { sources: () => ({ main: { is: 'file', path }, sides: () => [], place: () => path }) },
    now: () => world.session,
    allowed: (_: string, call: string) => call === 'toolu_allowed',
  } as unknown as WorldState;
  const result = (call: string): string =>
    `${JSON.stringify({ message: { content: [{ type: 'tool_result', tool_use_id: call, content: 'x' }] } })}\n`;
  const bypassDetector = new GateBypassDetector();
  try {
    writeFileSync(path, result('toolu_allowed'));
    expect(await bypassDetector.look(state, world.session, claude)).toBeNull();
    writeFileSync(path, result('toolu_wild'), { flag: 'a' });
    // Whoever looked may have had no time for it.
    for (let look = 0; look < 3; look += 1) {
      expect(await bypassDetector.look(state, world.session, claude)).toMatchObject({ call: 'toolu_wild' });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
