import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OutlastError } from '../../base/errors.ts';
import { makeFolder, syncFolder } from '../../base/files.ts';
import { LIMITS } from '../../base/limits.ts';
import { causeText } from '../../base/system-errors.ts';

/** Creates the state folder for this user alone, or throws the reason why it cannot be used. */
export function prepareState(state: string): void {
  const socketBytes = Buffer.byteLength(join(state, 'daemon.sock'));
  if (socketBytes > LIMITS.socketPathBytesMax) {
    throw new OutlastError('state_unusable', `the path ${state} is too long for a socket in it (${socketBytes} bytes)`);
  }
  try {
    makeFolder(state);
    const { uid, mode } = statSync(state);
    if (uid !== process.getuid?.()) throw new OutlastError('state_unusable', `${state} belongs to another user`);
    if ((mode & 0o077) !== 0) chmodSync(state, 0o700);
    for (const part of ['sessions', 'exits', 'tmux']) makeFolder(join(state, part));
    syncFolder(state);
  } catch (cause) {
    if (cause instanceof OutlastError) throw cause;
    throw new OutlastError('state_unusable', `cannot use the state folder ${state}: ${causeText(cause)}`, { cause });
  }
}
