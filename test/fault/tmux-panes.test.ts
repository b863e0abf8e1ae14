import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { recoveryWorld } from './recovery-world.ts';

const PATIENT = { msMax: 60_000 };

/** The sessions on all tmux servers of the daemon, as `tmux ls` names them. */
function tmuxSessions(state: string): string[] {
  const folder = join(state, 'tmux');
  const sockets = existsSync(folder) ? readdirSync(folder) : [];
  return sockets.flatMap((socket) => {
    try {
      const args = ['-S', join(folder, socket), 'list-sessions', '-F', '#{session_name}'];
      return execFileSync('tmux', args, { encoding: 'utf8', stdio: 'pipe' }).trim().split('\n');
    } catch {
      return [];
    }
  });
}

/** The names of the tmux servers and sinks of a state folder. */
function runningIn(state: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
      const isOurs = readlinkSync(`/proc/${pid}/cwd`) === state && /^(tmux.*|cat)$/.test(name);
      return isOurs ? [name.replace(/:.*/, '')] : [];
    } catch {
      return [];
    }
  });
}

test('T-PANE-1: no pane or process is left of a crashed run or of an ended session', { timeout: 300_000 }, async () => {
  await using place = await recoveryWorld();
  const { state, client } = place.world;
  const agent = await place.agent({ live: true, terminal: 'tmux' });
  const { id } = agent.session;
  for (const run of [1, 2, 3]) {
    await eventually(async () => {
      const { phase, run: now } = await agent.view();
      return phase === 'idle' && now === run;
    }, PATIENT);
    await eventually(() => tmuxSessions(state).join() === `o-${id}-${run}`, PATIENT);
    await eventually(() => runningIn(state).sort().join() === 'cat,tmux', PATIENT);
    process.kill(await agent.pid(), 'SIGKILL');
  }
  await eventually(async () => (await agent.view()).run === 4, PATIENT);
  await agent.session.stop();
  await eventually(() => tmuxSessions(state).length === 0 && runningIn(state).length === 0, PATIENT);
  await client.stopDaemon();
  await eventually(() => runningIn(state).length === 0, PATIENT);
  expect(tmuxSessions(state)).toEqual([]);
});

test('T-PANE-1: the next daemon frees the pane of a run that a killed daemon left', { timeout: 300_000 }, async () => {
  await using place = await recoveryWorld();
  const { world } = place;
  const agent = await place.agent({ live: true, terminal: 'tmux' });
  await eventually(async () => (await agent.view()).phase === 'idle', PATIENT);
  const pid = await agent.pid();
  await world.kill();
  process.kill(pid, 'SIGKILL');
  await world.start();
  await eventually(async () => (await agent.view()).run === 2, PATIENT);
  await eventually(() => tmuxSessions(world.state).join() === `o-${agent.session.id}-2`, PATIENT);
});
