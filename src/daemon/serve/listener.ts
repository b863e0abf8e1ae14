import { once } from 'node:events';
import { chmodSync, rmSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';

export interface ListenerParts {
  readonly path: string;
  readonly make: () => Server;
  readonly clock: Clock;
  readonly log: Log;
}

/** A listening socket, even if its file is deleted. */
export interface Listener {
  /** Accepts no more callers, lets `leave` end waiting calls, and closes every connection. */
  close(leave: () => void): Promise<void>;
}

interface Bound {
  readonly server: Server;
  /** The identity of the socket file: device and inode. */
  readonly file: string;
}

const LOOK_MS = 500;

/**
 * Listens on a Unix socket that only its owner can open. When its file is deleted or replaced, callers cannot find us
 * any more: then it is created again. Existing connections stay open.
 */
export async function listen(parts: ListenerParts): Promise<Listener> {
  const { clock, log } = parts;
  const all: Bound[] = [await bind(parts)];
  const stopping = new AbortController();
  const watching = (async () => {
    for (let isLogged = false; !stopping.signal.aborted; await clock.sleep(LOOK_MS, stopping.signal)) {
      const bound = all.at(-1);
      if (bound === undefined || fileOf(parts.path) === bound.file) continue;
      try {
        // First: closing a server removes the file of its name, even a new one.
        bound.server.close();
        all.push(await bind(parts));
        isLogged = false;
        log('the socket was gone: listening on a new one');
      } catch (error) {
        if (!isLogged) log('the socket is gone, and cannot be created again', { why: String(error) });
        isLogged = true;
      }
    }
  })();
  return {
    async close(leave) {
      stopping.abort();
      await watching;
      await closeAll(
        all.map(({ server }) => server),
        leave,
      );
    },
  };
}

async function bind({ path, make }: ListenerParts): Promise<Bound> {
  // We have the lock, so an existing socket belongs to a dead daemon.
  rmSync(path, { force: true });
  const server = make();
  server.listen(path);
  await once(server, 'listening');
  // Until here the state folder, which only we can open, has kept others out.
  chmodSync(path, 0o600);
  return { server, file: fileOf(path) };
}

async function closeAll(servers: readonly Server[], leave: () => void): Promise<void> {
  const closed = Promise.all(servers.filter(({ listening }) => listening).map((server) => once(server, 'close')));
  for (const server of servers) server.close();
  leave();
  for (const server of servers) server.closeIdleConnections();
  await Promise.race([closed, new Promise((resolve) => setImmediate(resolve))]);
  for (const server of servers) server.closeAllConnections();
}

/** The identity of the file with this name; empty for none. */
function fileOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}
