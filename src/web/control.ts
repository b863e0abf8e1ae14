import { chmodSync, rmSync } from 'node:fs';
import { request as ask, createServer, type IncomingMessage, type Server } from 'node:http';
import { join } from 'node:path';
import type { CallerProof } from '../api/contract-approvals.ts';
import type { Grant } from '../api/grants.ts';
import { objectIn } from '../api/match.ts';
import type { LinkView, ListedDevice } from '../api/page-shape.ts';
import { CODES, type ErrorCode, OutlastError } from '../base/errors.ts';
import { answerError, answerJson, bodyOf } from './serve/exchange.ts';

// How the command line talks to a running server: over a Unix socket in the state folder that only its owner can open.

/** What the command line may ask. */
export interface Control {
  link(wish: { readonly grants: readonly Grant[]; readonly ms?: number | undefined }): Promise<LinkView>;
  devices(): readonly ListedDevice[];
  revoke(device: string): ListedDevice;
}

/** What it asks, and from which process. */
export type ControlAsked = { readonly caller: CallerProof } & (
  | { readonly is: 'link'; readonly grants: readonly Grant[]; readonly ms?: number | undefined }
  | { readonly is: 'devices' }
  | { readonly is: 'revoke'; readonly device: string }
);

function socketOf(state: string): string {
  return join(state, 'web.sock');
}

/** Answers the command line; `guard` refuses what comes from inside a session. */
export async function serveControl(
  state: string,
  control: Control,
  guard: (caller: CallerProof) => Promise<void>,
): Promise<Server> {
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const asked = (await bodyOf(request)) as unknown as ControlAsked;
    if (asked.is === 'devices') return { devices: control.devices() };
    await guard(asked.caller);
    return asked.is === 'link' ? control.link(asked) : { device: control.revoke(asked.device) };
  };
  const server = createServer((request, response) => {
    answer(request).then(
      (value) => answerJson(response, value),
      (error) => answerError(response, error),
    );
  });
  // Of two servers only one has the port, and it alone comes here: a socket that is there belongs to a dead one.
  rmSync(socketOf(state), { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socketOf(state), resolve);
  });
  chmodSync(socketOf(state), 0o600);
  return server;
}

/** Asks the running server; null: none runs. */
export function askControl<T>(state: string, asked: ControlAsked): Promise<T | null> {
  return new Promise((resolve, reject) => {
    const outgoing = ask({ socketPath: socketOf(state), method: 'POST', path: '/' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => {
        const value = objectIn(text);
        if (response.statusCode === 200) return resolve(value as T);
        const { code, message } = value.error as { code: string; message: string };
        reject(new OutlastError(code in CODES ? (code as ErrorCode) : 'internal', message));
      });
    });
    outgoing.on('error', (error) => {
      const isNobody = 'code' in error && ['ENOENT', 'ECONNREFUSED'].includes(String(error.code));
      if (isNobody) resolve(null);
      else reject(error);
    });
    outgoing.end(JSON.stringify(asked));
  });
}
