import { expect, test } from 'vitest';
import type { OperationName } from '../api/routes.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { aSession, endedSession } from '../testing/session-view.ts';
import { Outlast } from './client.ts';
import { DaemonLost, type Loss } from './lost.ts';

const DEATHS = 1_000;

/** A clock whose sleeps take no time, and are counted. */
function quickClock(): Clock {
  let nowMs = 0;
  return {
    wallMs: () => nowMs,
    steadyMs: () => nowMs,
    sleep: async (ms) => {
      nowMs += ms;
    },
  };
}

function lost(loss: Loss, wasReached = true): DaemonLost {
  return new DaemonLost(`it is ${loss}`, { loss, wasReached });
}

interface Request {
  readonly name: OperationName;
  readonly input: Record<string, unknown>;
}

/**
 * A daemon that dies this many times under each operation before it answers; every other one cannot even be started.
 */
function dying(deaths: number, answer: (request: Request) => unknown, error?: (count: number) => DaemonLost) {
  const counts = new Map<string, number>();
  const inputs: Request[] = [];
  const messages: string[] = [];
  const errorOf = error ?? ((count: number) => lost(count % 2 === 0 ? 'lost' : 'unstarted'));
  const die = (request: Request): void => {
    inputs.push(request);
    const count = counts.get(request.name) ?? 0;
    counts.set(request.name, count + 1);
    if (count < deaths) throw errorOf(count);
  };
  const transport = {
    call: async (name: OperationName, input: object) => {
      die({ name, input: { ...input } });
      return answer({ name, input: { ...input } });
    },
    async *follow(name: OperationName, input: object) {
      die({ name, input: { ...input } });
      yield* answer({ name, input: { ...input } }) as Iterable<unknown>;
    },
    tell: (text: string) => void messages.push(text),
    close: () => {},
  } as unknown as Transport & { close(): void };
  const clock = quickClock();
  return { client: new Outlast(transport, () => ({ cwd: '/', env: {} }), clock), inputs, messages, clock };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const seen: T[] = [];
  for await (const item of items) seen.push(item);
  return seen;
}

const REPLIED = { session: aSession(), met: 'answered', reply: 'yes', prompt: 'p', position: 1 };
const STARTED = { session: aSession(), warnings: [], position: 1, prompt: null };
const EVENT = { position: 7, session: 's', seq: 1, ts: '', event: 'session.ended', body: {} };

test('T-WAIT-1: a wait for an end, a reply, output, events or approvals survives a thousand daemons', async () => {
  const { client } = dying(DEATHS, ({ name }) => {
    if (name === 'session.wait') return { session: endedSession(3), met: 'exit', cursor: 0, position: 1 };
    if (name === 'session.reply') return REPLIED;
    if (name === 'session.follow') return [{ text: 'end', next: 3 }, { session: endedSession(3) }];
    if (name === 'session.events') return [EVENT];
    if (name === 'session.show') return { session: endedSession(3) };
    return [{ is: 'asked', id: 'a' }];
  });
  expect((await client.wait({ session: 's' })).met).toBe('exit');
  expect((await client.reply({ session: 's' })).reply).toBe('yes');
  expect(await all(client.follow({ session: 's', from: 0 }))).toHaveLength(2);
  const followed = client.events({ session: 's', follow: true });
  expect((await followed.next()).value).toMatchObject({ position: 7 });
  expect(await all(client.approvals.follow({ session: 's' }))).toEqual([{ is: 'asked', id: 'a' }]);
});

test('T-WAIT-2: a start and a prompt whose answers were lost are repeated under their keys', async () => {
  const { client, inputs } = dying(20, ({ name }) => (name === 'session.start' ? STARTED : { prompt: 'p' }));
  expect((await client.start({ argv: ['true'] })).id).toBe(aSession().id);
  await client.prompt({ session: 's', text: 'go' });
  for (const name of ['session.start', 'session.prompt']) {
    const keys = inputs.filter((request) => request.name === name).map(({ input }) => input.key);
    expect(keys).toHaveLength(21);
    expect(new Set(keys).size).toBe(1);
  }
});

test('T-WAIT-3: a wait ends with its own timeout, and asks each daemon only for the rest of it', async () => {
  const { client, inputs, clock } = dying(DEATHS, () => REPLIED);
  await expect(client.reply({ session: 's', timeoutMs: 5_000 })).rejects.toMatchObject({ code: 'daemon_unreachable' });
  expect(clock.steadyMs()).toBe(5_000);
  const left = inputs.map(({ input }) => Number(input.timeoutMs));
  expect(left).toEqual([...left].sort((a, b) => b - a));
  expect(left.at(-1)).toBeLessThan(5_000);
});

test('T-WAIT-4: a daemon that never existed is an error at once, also for a wait', async () => {
  for (const loss of ['absent', 'unstarted', 'frozen'] as const) {
    const { client, inputs } = dying(
      DEATHS,
      () => REPLIED,
      () => lost(loss, false),
    );
    await expect(client.reply({ session: 's' })).rejects.toThrow(`it is ${loss}`);
    expect(inputs).toHaveLength(1);
  }
});

test('T-WAIT-4: the calls before a wait are as patient as the wait, also with a stopped daemon', async () => {
  const waited = { session: endedSession(3), met: 'exit', cursor: 0, position: 1, after: 'j-1', end: 7 };
  for (const what of ['text:x', 'event:session.ended']) {
    const losses: Loss[] = ['frozen', 'frozen', 'frozen'];
    const { client, messages } = dying(
      3,
      () => waited,
      () => lost(losses.shift() ?? 'lost', false),
    );
    expect((await client.wait({ session: 's', for: what })).met).toBe('exit');
    expect(messages[0]).toBe('it is frozen; retrying');
  }
  const { client } = dying(
    3,
    () => ({ session: aSession() }),
    () => lost('frozen', false),
  );
  expect(await client.usualWait('s')).toBe('exit');
  const reader = dying(DEATHS, () => ({ text: 'x' }));
  expect(await reader.client.patiently(() => reader.client.output({ session: 's' }))).toEqual({ text: 'x' });
});

test('T-WAIT-5: a call that must not run twice is sent once, and a read is not repeated forever', async () => {
  const { client, inputs } = dying(
    DEATHS,
    () => ({}),
    () => lost('lost'),
  );
  await expect(client.write({ session: 's', base64: 'YQ==' })).rejects.toMatchObject({ code: 'daemon_unreachable' });
  expect(inputs).toHaveLength(1);
  await expect(client.list()).rejects.toMatchObject({ code: 'daemon_unreachable' });
  expect(inputs.length).toBeGreaterThan(4);
});

test('T-WAIT-6: a waiting caller is told once that there is no daemon, and can leave', async () => {
  const { client, messages } = dying(DEATHS, () => REPLIED);
  await client.reply({ session: 's' });
  expect(messages).toEqual(['it is unstarted; retrying']);
  const leaving = new AbortController();
  const waiting = dying(Number.POSITIVE_INFINITY, () => REPLIED).client.reply({ session: 's' }, leaving.signal);
  leaving.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(client.reply({ session: 's' })).resolves.toBeInstanceOf(Object);
});

test('an error of the call itself ends a wait at once', async () => {
  const { client, inputs } = dying(0, () => {
    throw new OutlastError('session_not_found', 'no session is called "s"');
  });
  await expect(client.wait({ session: 's' })).rejects.toMatchObject({ code: 'session_not_found' });
  expect(inputs).toHaveLength(1);
});
