import { expect, test } from 'vitest';
import { OutlastError } from '../base/errors.ts';
import type { Outlast, Replied, StartInput } from './client.ts';
import { fanOut } from './fan-out.ts';
import type { Session } from './handle.ts';
import { pipeline } from './pipeline.ts';

interface Fake {
  readonly outlast: Outlast;
  readonly started: StartInput[];
  readonly stopped: string[];
  /** The highest number that were open at once. */
  most(): number;
}

/** A fake daemon that answers each prompt a moment later: with its text, or as its text demands. */
function fake(): Fake {
  const started: StartInput[] = [];
  const stopped: string[] = [];
  let [open, most] = [0, 0];
  const start = async (input: StartInput, signal?: AbortSignal): Promise<Session> => {
    if (input.prompt === 'refuse') throw new OutlastError('name_taken', 'the name is taken');
    const id = `s${started.length}`;
    started.push(input);
    // The daemon has received it, even if the client no longer waits for the answer.
    if (input.prompt === 'slow') await new Promise((resolve) => setImmediate(resolve));
    signal?.throwIfAborted();
    open += 1;
    most = Math.max(most, open);
    const reply = async (_how: object, signal?: AbortSignal): Promise<Replied> => {
      if (input.prompt === 'hang')
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      await Promise.resolve();
      signal?.throwIfAborted();
      open -= 1;
      return { met: input.prompt === 'fail' ? 'failed' : 'answered', reply: input.prompt } as Replied;
    };
    return { id, reply, stop: async () => stopped.push(id) } as unknown as Session;
  };
  return { outlast: { start } as unknown as Outlast, started, stopped, most: () => most };
}

test('no more sessions at once than requested, and results in the order of the parts', async () => {
  const { outlast, most } = fake();
  const prompts = ['a', 'b', 'c', 'd', 'e'];
  const results = await fanOut(
    outlast,
    prompts.map((prompt) => ({ prompt })),
    { concurrency: 2 },
  );
  expect(results.map(({ replied }) => replied?.reply)).toEqual(prompts);
  expect(most()).toBe(2);
});

test('a part that cannot be started does not affect the others', async () => {
  const reported: number[] = [];
  const onResult = ({ index }: { index: number }): void => void reported.push(index);
  const parts = ['a', 'refuse', 'fail', 'b'].map((prompt) => ({ prompt }));
  const results = await fanOut(fake().outlast, parts, { onResult });
  expect(results.map(({ replied, error }) => error?.code ?? replied?.met)).toEqual([
    'answered',
    'name_taken',
    'failed',
    'answered',
  ]);
  expect(reported.sort()).toEqual([0, 1, 2, 3]);
});

test('with a key each part has one of its own, the same every time', async () => {
  const { outlast, started } = fake();
  for (let i = 0; i < 2; i += 1) await fanOut(outlast, [{ prompt: 'a' }, { prompt: 'b' }], { key: 'k' });
  expect(started.map(({ key }) => key)).toEqual(['k-0', 'k-1', 'k-0', 'k-1']);
});

test.each([
  [true, ['s0', 's1']],
  [false, []],
])('when it is aborted, sessions are stopped if requested: %s', async (stop, stopped) => {
  const daemon = fake();
  const aborting = new AbortController();
  const result = fanOut(daemon.outlast, [{ prompt: 'hang' }, { prompt: 'hang' }], { signal: aborting.signal, stop });
  await Promise.resolve();
  aborting.abort(new Error('enough'));
  await expect(result).rejects.toThrow('enough');
  expect(daemon.stopped).toEqual(stopped);
});

test('a start that is under way when it is aborted is waited for, and stopped too', async () => {
  for (const many of [fanOut, pipeline]) {
    const daemon = fake();
    const aborting = new AbortController();
    const result = many(daemon.outlast, [{ prompt: 'slow' }], { signal: aborting.signal, stop: true });
    aborting.abort(new Error('enough'));
    await expect(result).rejects.toThrow('enough');
    expect(daemon.stopped).toEqual(['s0']);
  }
});

test('nothing more is started after the result callback has thrown', async () => {
  const { outlast, started } = fake();
  const parts = ['a', 'b', 'slow', 'd', 'e'].map((prompt) => ({ prompt }));
  const onResult = ({ index }: { index: number }): void => {
    if (index === 0) throw new Error('deaf');
  };
  await expect(fanOut(outlast, parts, { concurrency: 2, onResult })).rejects.toThrow('deaf');
  const after = started.length;
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toHaveLength(after);
  expect(after).toBeLessThan(parts.length);
});

test.each([0, -1, Number.NaN])('%s at once is refused: nothing would be done', async (concurrency) => {
  const result = fanOut(fake().outlast, [{ prompt: 'a' }], { concurrency });
  await expect(result).rejects.toMatchObject({ code: 'input_invalid' });
});

test('a pipeline starts every step at once, each after the one before and with its reply', async () => {
  const { outlast, started } = fake();
  const replies = await pipeline(outlast, [{ prompt: 'a' }, { prompt: (reply) => `b: ${reply}` }]);
  expect(started).toMatchObject([
    { prompt: 'a', after: [] },
    { prompt: 'b: {{s0.reply}}', after: ['s0'] },
  ]);
  expect(replies).toHaveLength(2);
});

test('a pipeline ends with the step that did not answer', async () => {
  const replies = await pipeline(fake().outlast, [{ prompt: 'a' }, { prompt: 'fail' }, { prompt: 'c' }]);
  expect(replies.map(({ met }) => met)).toEqual(['answered', 'failed']);
});
