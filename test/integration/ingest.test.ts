import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, expectTypeOf, test } from 'vitest';
import { claude } from '../../src/agent/claude/claude.ts';
import { realClock } from '../../src/base/clock.ts';
import type { Input } from '../../src/core/event.ts';
import type { Session } from '../../src/core/session.ts';
import { keepCallerProcess } from '../../src/supervisor/caller-process.ts';
import type { look } from '../../src/supervisor/look.ts';
import { realWorld } from '../../src/supervisor/world.ts';
import type { WorldDeps } from '../../src/supervisor/world-state.ts';
import { runFolder } from '../../src/terminal/run-folder.ts';
import { LIVE, prompted, READY, sessionAfter } from '../../src/testing/sessions.ts';

test('a look writes nothing: what a hook reported stays until it is ingested', async () => {
  const state = mkdtempSync(join(tmpdir(), 'ol-ingest-'));
  try {
    const session: Session = sessionAfter({ ...LIVE, workspace: state }, ...READY, ...prompted('p1', 'accepted'));
    const { spool } = runFolder(state, { session: session.id, run: 1 });
    keepCallerProcess(state, session.id, { env: { HOME: state }, umask: 0o22 }, { durably: false });
    mkdirSync(spool, { recursive: true });
    const dropped = join(spool, '1.0');
    writeFileSync(
      dropped,
      JSON.stringify({ hook_event_name: 'Stop', session_id: 'c1', last_assistant_message: 'Done.' }),
    );
    const submitted: Input[] = [];
    const world = realWorld(worldOf(state, submitted));
    expect((await world.look(session)).terminal.is).toBe('lost');
    expect(existsSync(dropped)).toBe(true);
    expect(submitted).toEqual([]);
    await world.ingest(session);
    expect(existsSync(dropped)).toBe(false);
    expect(submitted.map(({ type }) => type)).toContain('hook.stopped');
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});

test('a look is given nothing to write with', () => {
  type Given = Parameters<typeof look>[0];
  expectTypeOf<Extract<keyof Given, 'take' | 'submitAll' | 'nudge' | 'answered' | 'gateWay' | 'caps'>>().toBeNever();
  expectTypeOf<keyof Given['terminals']['tmux']>().toEqualTypeOf<'look' | 'screen' | 'viewers'>();
});

/** A world in which a run is lost and only its agent is known. */
function worldOf(state: string, submitted: Input[]): WorldDeps {
  const terminal = { look: async () => ({ is: 'lost', outputBytes: 0 }), viewers: async () => 0 };
  const parts = {
    ...{ state, clock: realClock(), boot: 'b', agents: { fake: claude }, terminals: { tmux: terminal } },
    ...{ planned: () => false, slot: () => true, now: (session: Session) => session, live: () => [], log: () => {} },
    ...{ after: () => ({ is: 'met', texts: [] }), resumes: () => 0, allowed: () => false, answered: () => {} },
    submit: (_: Session, __: string, input: Input) => submitted.push(input),
    submitAll: (_: Session, inputs: readonly { input: Input }[]) => submitted.push(...inputs.map(({ input }) => input)),
  };
  return parts as unknown as WorldDeps;
}
