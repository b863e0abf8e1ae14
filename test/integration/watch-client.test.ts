import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../src/client/index.ts';
import { aSession } from '../../src/testing/session-view.ts';
import { fakeDaemon } from '../fake-daemon.ts';

const row = { ...aSession({ id: '01a', name: 'api' }), line: 'x' };
const forever = (): Promise<never> => new Promise(() => {});

test('a watch says that the daemon is lost or was stopped, and lists everything again', async () => {
  const state = mkdtempSync(join(tmpdir(), 'outlast-watch-'));
  let count = 0;
  const daemon = await fakeDaemon(state, {
    // The first answer breaks off, the second ends as one of a daemon that stops does.
    'session.watch': async function* (_: object, cut: () => void) {
      count += 1;
      yield { is: 'row', row };
      yield { is: 'complete' };
      // A kind of line that a later daemon may have.
      yield { is: 'later' };
      if (count === 1) {
        cut();
        await forever();
      }
      if (count === 3) await forever();
    },
  });
  const leaving = new AbortController();
  const seen: string[] = [];
  for await (const line of connect({ state, start: false }).watch({ ended: 3 }, leaving.signal)) {
    seen.push(line.is);
    if (seen.length === 8) break;
  }
  leaving.abort();
  const list = ['row', 'complete'];
  expect(seen).toEqual([...list, 'lost', ...list, 'stopped', ...list]);
  expect(daemon.inputsOf('session.watch')[2]).toEqual({ ended: '3' });
  await daemon.close();
  rmSync(state, { recursive: true, force: true });
});

test('a watch of a daemon that is not there fails at once', async () => {
  const state = mkdtempSync(join(tmpdir(), 'outlast-watch-'));
  await expect(connect({ state, start: false }).watch().next()).rejects.toMatchObject({ code: 'daemon_unreachable' });
  rmSync(state, { recursive: true, force: true });
});
