import { expect, test } from 'vitest';
import { attentionOf } from './attention.ts';

const quiet = { phase: 'idle', held: null, approvals: 0, prompts: [], waitsForInput: false } as const;
const unsure = { id: 'p', state: 'unsure', waiting: null, text: '' } as const;

test.each([
  ['needs you', { phase: 'held', held: 'a dialog' }],
  ['needs you', { phase: 'blocked', approvals: 1 }],
  ['needs you', { phase: 'working', approvals: 2 }],
  ['needs you', { prompts: [unsure] }],
  ['needs you', { phase: 'working', waitsForInput: true }],
  ['working', { phase: 'working' }],
  ['working', { phase: 'opening' }],
  ['working', { phase: 'recovering' }],
  ['working', { phase: 'closing' }],
  ['parked', { phase: 'queued' }],
  ['parked', { phase: 'limited' }],
  ['parked', { phase: 'visited' }],
  ['idle', {}],
  // What it asked for is gone with it.
  ['ended', { phase: 'ended', approvals: 1, prompts: [unsure] }],
] as const)('%s: %o', (section, is) => {
  expect(attentionOf({ ...quiet, ...is, prompts: 'prompts' in is ? [...is.prompts] : [] })).toBe(section);
});
