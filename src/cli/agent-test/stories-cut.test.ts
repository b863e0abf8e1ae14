import { expect, test } from 'vitest';
import { OutlastError } from '../../client/index.ts';
import { cutStories } from './stories-cut.ts';
import { type Stage, saidWord } from './story.ts';

const [, interrupt] = cutStories('which?');

/** A session that works whenever it is looked at, and has ended its turn whenever it is interrupted. */
function fast(code: 'not_working' | 'internal'): Stage {
  const session = {
    id: 'fast',
    prompt: async () => ({ prompt: 'one' }),
    show: async () => ({ session: { phase: 'working' }, processes: [{ pid: 1 }] }),
    interrupt: async () => {
      throw new OutlastError(code, 'fast is not in a turn (idle)');
    },
  };
  const place = { clock: { steadyMs: () => 0 }, outlast: { async *events() {} } };
  return { place, agent: { name: 'quick' }, drive: 'live', timeoutMs: 1, session, word: 'w' } as unknown as Stage;
}

test('a turn that ends just before it is interrupted proves nothing, and is no failure', async () => {
  const why = 'a turn of quick ended 3 times before it could be interrupted';
  expect(await interrupt?.play(fast('not_working'))).toEqual({ is: 'absent', why });
  await expect(interrupt?.play(fast('internal'))).rejects.toThrow('not in a turn');
});

test('a session that is held says what it waits for', () => {
  const held = (why: string | null) => saidWord({ met: 'held', reply: null, session: { held: why } } as never, 'w');
  expect(held('trust')).toEqual({ is: 'failed', why: 'held: trust' });
  expect(held(null)).toEqual({ is: 'failed', why: 'held: it does not say why' });
});
