import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeLike } from '../../src/agent/claude/claude.ts';
import { VERSION } from '../../src/agent/claude/stand-in/places.ts';
import { realClock } from '../../src/base/clock.ts';
import { Gates } from '../../src/daemon/gate/gates.ts';

const SCRIPTED = join(import.meta.dirname, '../../dist/scripted.js');

/** An agent that aborts its first probe, and the gates that it is probed with. */
function probeWorld() {
  const folder = mkdtempSync(join(tmpdir(), 'ol-gates-'));
  const program = join(folder, 'agent');
  const counted = join(folder, 'trials');
  const lines = [
    '#!/bin/sh',
    `case "$*" in *--version*) echo ${VERSION}; exit ;; esac`,
    `echo trial >> ${counted}`,
    `[ "$(wc -l < ${counted})" -gt 1 ] || exit 1`,
    `exec ${process.execPath} ${SCRIPTED} "$@"`,
  ];
  writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o755 });
  const home = (env: Readonly<Record<string, string>>): string => `${env.HOME}/.agent`;
  const agent = claudeLike({ name: 'moody', program: [program], env: {}, install: '', home });
  const gates = (): Gates =>
    new Gates({
      state: folder,
      clock: realClock(),
      agents: { moody: agent },
      env: () => ({}),
      permissionServer: ['false'],
      log: () => {},
    });
  return {
    gates,
    trials: () => readFileSync(counted, 'utf8').trim().split('\n').length,
    isKept: () => existsSync(join(folder, 'gates.json')),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

test('an inconclusive probe proves nothing, and is repeated; a conclusive one is stored', async () => {
  using world = probeWorld();
  const path = process.env.PATH ?? '';
  const gates = world.gates();
  const demand = (of: Gates): Promise<string> => of.demand('moody', 'turns', path);
  await expect(demand(gates)).rejects.toThrow('the probe did not finish');
  expect([world.trials(), world.isKept()]).toEqual([1, false]);
  expect(await demand(gates)).toBe('hook');
  expect([world.trials(), world.isKept()]).toEqual([2, true]);
  expect(await demand(gates)).toBe('hook');
  expect(await demand(world.gates())).toBe('hook');
  expect(world.trials()).toBe(2);
});

test('a version that obeys the settings of its folder is refused, with what they let through', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ol-gates-'));
  try {
    const program = join(folder, 'agent');
    const lines = [
      '#!/bin/sh',
      'if grep -qs disableAllHooks .claude/settings.local.json; then',
      `  mkdir -p "$CLAUDE_CONFIG_DIR" && echo '{"ignoresHooks":true}' > "$CLAUDE_CONFIG_DIR/manners.json"`,
      'fi',
      `exec ${process.execPath} ${SCRIPTED} "$@"`,
    ];
    writeFileSync(program, `${lines.join('\n')}\n`, { mode: 0o755 });
    const home = (env: Readonly<Record<string, string>>): string => `${env.HOME}/.agent`;
    const obeying = claudeLike({ name: 'obeying', program: [program], env: {}, install: '', home });
    const gates = new Gates({
      ...{ state: folder, clock: realClock(), agents: { obeying }, env: () => ({}) },
      ...{ permissionServer: ['false'], log: () => {} },
    });
    const ran = 'a call ran that should have been held back (denied, failed, silent, garbage, killed)';
    await expect(gates.demand('obeying', 'turns', process.env.PATH ?? '')).rejects.toThrow(
      `files of the folder or of the user open it: ${ran}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
