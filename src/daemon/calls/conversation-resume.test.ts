import { expect, test } from 'vitest';
import type { Parts } from '../serve/parts.ts';
import { conversationResume } from './conversation-resume.ts';

test('the beginning of an id is enough, unless it is ambiguous', async () => {
  const seen = ['11111111-a', '11111111-b'].map((id) => ({ is: 'complete', listed: { id } }));
  const parts = { boot: { find: async () => seen } } as unknown as Parts;
  const taking = conversationResume(parts, { conversation: '11111111', env: {}, umask: 0o022, trust: false });
  await expect(taking).rejects.toMatchObject({ code: 'conversation_unknown', message: expect.stringContaining('2 ') });
});

test('a conversation that became a session during the scan is not taken over a second time', async () => {
  const seen = { is: 'interrupted', why: '', atMs: 5, listed: { id: 'c' }, keeper: { resume: { as: 'session' } } };
  const row = { live: true, endedAtMs: null, session: { id: 's', conversation: { id: 'c' }, spec: { name: 'first' } } };
  const parts = { boot: { find: async () => [seen] }, journal: { list: () => [row] } } as unknown as Parts;
  const taking = conversationResume(parts, { conversation: 'c', env: {}, umask: 0o022, trust: false });
  await expect(taking).rejects.toMatchObject({ code: 'conversation_taken', message: expect.stringContaining('first') });
});
