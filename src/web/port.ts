import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { writeDurably } from '../base/files.ts';
import { causeText } from '../base/system-errors.ts';
import type { Listening } from './options.ts';
import { nameOf } from './serve/origins.ts';
import type { PageServer } from './serve/server.ts';

/** The port of the first start, if it is free. */
const PORT = 7717;
/** The first socket that systemd passes on. */
const FIRST_FD = 3;

/**
 * Listens on loopback, and elsewhere if asked to. A browser keeps its key for one origin, and the port is a part of it:
 * so the first port is kept in the state folder. When another program has it, the server does not move: that program
 * would be trusted with it.
 */
export async function listenOn(server: PageServer, folder: string, listening: Listening): Promise<number> {
  const { address, port: wanted, sockets } = listening;
  const file = join(folder, 'port');
  const kept = keptPort(file);
  if (sockets > 0) return keep(file, kept, await listenPassed(server, sockets));
  const addresses =
    address === '0.0.0.0' || address === '::'
      ? [address]
      : ['127.0.0.1', '::1', ...(address === null ? [] : [address])];
  const [first = '', ...others] = addresses;
  const port = await listenFirst(server, first, wanted ?? kept ?? PORT, wanted === null && kept === null);
  for (const other of others) {
    await server.listen(other, port).catch((error) => {
      // Where there is no IPv6, nobody can take that name of this machine either.
      const isAbsent = other === '::1' && ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(errnoOf(error));
      if (!isAbsent) throw taken(other, port, error);
    });
  }
  return wanted === 0 ? port : keep(file, kept, port);
}

function keep(file: string, kept: number | null, port: number): number {
  if (port !== kept) writeDurably(file, `${port}\n`);
  return port;
}

/** A service manager holds the port, also while no server runs: nobody else can get it. */
async function listenPassed(server: PageServer, sockets: number): Promise<number> {
  const ports = await Promise.all(Array.from({ length: sockets }, (_, i) => server.listenFd(FIRST_FD + i)));
  const [port = 0] = ports;
  if (ports.some((each) => each !== port))
    throw new OutlastError('not_supported', `the sockets of the service have the ports ${ports.join(', ')}, not one`);
  return port;
}

async function listenFirst(server: PageServer, address: string, port: number, mayMove: boolean): Promise<number> {
  try {
    return await server.listen(address, port);
  } catch (error) {
    if (mayMove && errnoOf(error) === 'EADDRINUSE') return server.listen(address, 0);
    throw taken(address, port, error);
  }
}

function keptPort(file: string): number | null {
  try {
    const port = Number(readFileSync(file, 'utf8').trim());
    return Number.isInteger(port) && port > 0 && port <= 65_535 ? port : null;
  } catch {
    return null;
  }
}

function taken(address: string, port: number, cause: unknown): OutlastError {
  const why = errnoOf(cause) === 'EADDRINUSE' ? 'another program has it' : causeText(cause);
  const hint = 'signed-in browsers know this port; --port sets another';
  const message = `cannot listen on ${nameOf(address)}:${port}: ${why}; ${hint}`;
  return new OutlastError('not_supported', message, { cause });
}
