import type { Clock } from '../base/clock.ts';
import type { StartInput } from './client.ts';
import type { Given, Own } from './given.ts';
import { withImages } from './images.ts';
import { newKey } from './key.ts';

/** A start as the daemon gets it: with the caller's own folder, environment and umask, and a key. */
export function startGiven(clock: Clock, own: Own, input: StartInput): Given<'session.start'> {
  return { key: newKey(clock), ...own, ...withImages(input, own.cwd) } as Given<'session.start'>;
}
