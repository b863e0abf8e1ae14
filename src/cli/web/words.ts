import type { LinkView, ListedDevice } from '../../api/page-shape.ts';
import { CODES, type ErrorCode, OutlastError } from '../../client/index.ts';
import { durationText } from '../../present/duration.ts';

/** The exports of the server program. It is a separate bundle: no other command needs it. */
export interface Served {
  serveWeb(options: Readonly<Record<string, unknown>> & { onReady(ready: Ready): void }): Promise<string | null>;
  linkOf(env: Environment, allow: string | undefined, ms: number): Promise<LinkView>;
  devicesOf(env: Environment): Promise<readonly ListedDevice[]>;
  revokeDevice(env: Environment, word: string): Promise<{ readonly id: string; readonly name: string }>;
}

/** Errors of the other bundle, as errors of this one. */
export async function ours<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const { code = '', message = '' } = error as { code?: string; message?: string };
    throw code in CODES ? new OutlastError(code as ErrorCode, message, { cause: error }) : error;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** How to reach the server. */
export interface Ready {
  readonly url: string;
  readonly link: LinkView | null;
  readonly isElsewhere: boolean;
  readonly inside: string | null;
}

/** What is printed when the page is served. */
export function readyLines({ url, link, isElsewhere, inside }: Ready): string[] {
  const where = isElsewhere ? `The web page is served already, at ${url}.` : `The web page is at ${url}.`;
  if (link === null && inside === null) return [where];
  if (link === null) return [where, `It is read-only, and signs nobody in: this runs inside ${inside}.`];
  return [where, 'Sign this browser in, once, within a minute:', `  ${link.url}`];
}

/** One line for each device. */
export function deviceLines(devices: readonly ListedDevice[], nowMs: number): string[] {
  if (devices.length === 0) return ['No browser is signed in. `outlast web link` prints a link for one.'];
  return devices.map(({ id, name, grants, seenAtMs, isConnected }) => {
    const seen = isConnected ? 'connected' : `seen ${durationText(Math.max(0, nowMs - seenAtMs))} ago`;
    return `${id}  ${name}  ${grants.join(',')}  ${seen}`;
  });
}
