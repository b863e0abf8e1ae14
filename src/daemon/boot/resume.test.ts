import { expect, test } from 'vitest';
import type { Conversations, Listed } from '../../agent/seam/conversations.ts';
import { OutlastError } from '../../base/errors.ts';
import { takeOver } from './resume.ts';

const ABOUT = { cwd: '/w', model: null, mode: null, isLive: false, asked: 'go', open: [] };
const keeper = {
  agent: 'pi',
  about: () => ({ empty: null, read: () => null, view: () => ABOUT }),
  resume: { as: 'session', env: (env: object) => env },
} as unknown as Conversations;

/** The name under which a conversation is taken over while sessions with these names are live. */
async function nameFor(id: string, live: readonly string[]): Promise<string | undefined> {
  const names: (string | undefined)[] = [];
  const sessions = {
    find: (word: string) => {
      if (!live.includes(word)) throw new OutlastError('session_not_found', word);
      return { live: true };
    },
    start: ({ name }: { name?: string }) => names.push(name),
  };
  const listed = { id, stored: { row: { end: '' } } } as Listed;
  const caller = { env: {}, umask: 0o022 };
  const parts = { sessions, isModelId: () => false } as unknown as Parameters<typeof takeOver>[0];
  await takeOver(parts, { keeper, listed, is: 'interrupted' }, caller, {});
  return names[0];
}

test('conversations that began shortly after each other have similar ids, and get different names', async () => {
  const id = '01a1f207-d212-7058-93e9-2e687ac4c395';
  expect(await nameFor(id, [])).toBe('boot-01a1f207');
  expect(await nameFor(id, ['boot-01a1f207'])).toBe('boot-01a1f207-d212');
  expect(await nameFor('ses_e0df802f6FFed9', [])).toBe('boot-ses-e0df');
  expect(await nameFor('ses_e0df802f6FFed9', ['boot-ses-e0df'])).toBe('boot-ses-e0df802f6');
});
