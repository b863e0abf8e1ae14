import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { times } from '../campaign.ts';
import { eventually } from '../eventually.ts';
import { World } from '../world.ts';

const FILES_MAX = 64;
const CALLERS = 100;

test('T-FD-1: a daemon out of file descriptors reports it, runs nothing twice, answers, and recovers', async () => {
  await using world = new World({ wrap: ['prlimit', `--nofile=${FILES_MAX}`] });
  const pid = await world.start();
  const open = (): number => readdirSync(`/proc/${pid}/fd`).length;
  // The client keeps this connection open.
  await world.client.daemonStatus();
  for (let round = 0; round < times(2, 10); round += 1) {
    const before = open();
    const callers: Socket[] = Array.from({ length: CALLERS }, () =>
      connect(join(world.state, 'daemon.sock')).on('error', () => {}),
    );
    await eventually(() => open() >= FILES_MAX, { what: 'no free file descriptor' });
    expect((await world.client.daemonStatus()).pid).toBe(pid);
    const ran = join(world.state, `ran-${round}`);
    const asked = Array.from({ length: 5 }, () => world.client.start({ argv: ['sh', '-c', `echo x >>'${ran}'`] }));
    const answers = await Promise.allSettled(asked);
    for (const caller of callers) caller.destroy();
    await eventually(() => open() <= before + 5, { what: 'free file descriptors' });
    const started = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    const ends = await Promise.all(started.map((session) => session.wait({ timeoutMs: 30_000 })));
    const lines = ends.filter(({ session }) => session.outcome?.kind === 'done').length;
    const whys = ends.flatMap(({ session }) => session.outcome?.why ?? []);
    expect(whys.every((why) => why.includes('EMFILE'))).toBe(true);
    expect(lines + whys.length).toBe(started.length);
    expect(lines === 0 ? '' : readFileSync(ran, 'utf8')).toBe('x\n'.repeat(lines));
    const later = await (await world.client.start({ argv: ['true'] })).wait({ timeoutMs: 30_000 });
    expect(later.session.exit?.status).toBe(0);
  }
});
