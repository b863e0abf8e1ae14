import { randomBytes } from 'node:crypto';
import type { Wire } from '../../agent/seam/server.ts';
import { makeFolder, writeWhole } from '../../base/files.ts';
import type { Launch } from '../../core/launch.ts';
import type { RunFolder } from '../../terminal/run-folder.ts';
import { readIfThere } from '../../terminal/small-file.ts';

type Place = Pick<RunFolder, 'folder' | 'password'>;

/**
 * The launch of a server that asks for a password: made for this run, stored in its folder for the user alone, and
 * passed in the environment. Every process of this machine can connect to a port of it.
 */
export function withPassword(launch: Launch, wire: Wire, { folder, password: path }: Place): Launch {
  if (wire.over !== 'http' || wire.login === undefined) return launch;
  makeFolder(folder);
  const known = readIfThere(path)?.toString();
  const password = known || randomBytes(24).toString('base64url');
  if (password !== known) writeWhole(path, password);
  return { ...launch, env: { ...launch.env, [wire.login.variable]: password } };
}

/** The headers of a call to such a server. */
export function loginHeaders(wire: Wire, { password }: Place): Readonly<Record<string, string>> {
  if (wire.over !== 'http' || wire.login === undefined) return {};
  const words = `${wire.login.user}:${readIfThere(password)?.toString() ?? ''}`;
  return { authorization: `Basic ${Buffer.from(words).toString('base64')}` };
}
