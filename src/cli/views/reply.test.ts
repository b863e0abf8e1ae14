import { expect, test } from 'vitest';
import type { Replied } from '../../client/index.ts';
import { whyNoReply } from './reply.ts';

const replied = (waiting: string | null): Replied =>
  ({
    met: 'nothing',
    prompt: 'p1',
    reply: null,
    session: { id: 's1', name: 'fix', prompts: [{ id: 'p1', state: 'queued', waiting, text: 'x' }] },
  }) as unknown as Replied;

test('T-WAIT-20 after a timeout, the message says that the prompt waits for a person', () => {
  const text = whyNoReply(replied('somebody is typing in its input box'), 0);
  expect(text).toContain('timeout; the prompt is not sent yet: somebody is typing in its input box');
  expect(text).toContain('Wait again: outlast wait fix --for reply:p1');
  expect(whyNoReply(replied(null), 0)).toContain('timeout; fix keeps running');
});
