import { expect, test } from 'vitest';
import { OutlastError } from '../base/errors.ts';
import { LIVE, sessionAfter } from '../testing/sessions.ts';
import { COMMAND_SPEC } from '../testing/spec.ts';
import { ofItsAgent } from './agent-mistake.ts';

const failing = (error: Error) => (): Promise<never> => Promise.reject(error);

test('a mistake of an adapter is an error that the supervisor survives, and says what is wrong', async () => {
  const read = ofItsAgent(sessionAfter(LIVE), failing(new TypeError('no such row')));
  await expect(read).rejects.toMatchObject({ code: 'internal', message: expect.stringContaining('no such row') });
});

test('other errors stay as they are: no adapter reads a command', async () => {
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  const busy = new OutlastError('record_unreadable', 'it is locked');
  for (const error of [missing, busy]) await expect(ofItsAgent(sessionAfter(LIVE), failing(error))).rejects.toBe(error);
  const mistake = new TypeError('no such row');
  await expect(ofItsAgent(sessionAfter(COMMAND_SPEC), failing(mistake))).rejects.toBe(mistake);
});
