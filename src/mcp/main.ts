import { join } from 'node:path';
import { parseGrants } from '../api/grants.ts';
import { realClock } from '../base/clock.ts';
import { OutlastError } from '../base/errors.ts';
import { connect, stateFolder } from '../client/index.ts';
import { serveOnHttp } from './http.ts';
import { serveOnStdio } from './stdio.ts';
import { tokenIn } from './token.ts';

/** The options from the command line. */
export interface McpOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  readonly allow: string | undefined;
  /** The address to serve HTTP on: `PORT` or `ADDRESS:PORT`. Default: standard input and output. */
  readonly http?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly hosts?: readonly string[];
  readonly origins?: readonly string[];
  /** Stops the HTTP server. */
  readonly signal?: AbortSignal;
  readonly onReady?: (url: string, tokenFile: string) => void;
}

/** Serves the Model Context Protocol until the caller leaves. Returns what is wrong with the options, or null. */
export async function serveMcp(options: McpOptions): Promise<string | null> {
  const { env, cwd, version, allow, http } = options;
  const grants = parseGrants(allow);
  if (typeof grants === 'string') return grants;
  // Over HTTP the caller is another process than ours, so it may run elsewhere.
  const isInside = http === undefined && env.OUTLAST_RUN !== undefined;
  // What an agent starts is not told to the shell that the agent was started from.
  const unannounced = { ...env, OUTLAST_SHELL_ID: undefined };
  const parts = { outlast: connect({ env: unannounced }), clock: realClock(), cwd, version, grants, isInside };
  if (http === undefined) return serveOnStdio(parts).then(() => null);
  const place = /^(?:(.+):)?(\d{1,5})$/.exec(http);
  if (place === null) return `--http: "${http}" is not a port or address; write 8787 or 127.0.0.1:8787`;
  const tokenFile = options.tokenFile ?? join(stateFolder(env), 'mcp-token');
  try {
    // Also creates the state folder, which may hold the token.
    await parts.outlast.daemonStatus();
    const where = { address: place[1]?.replace(/^\[|\]$/g, '') ?? '127.0.0.1', port: Number(place[2]) };
    const whom = { token: tokenIn(tokenFile), hosts: options.hosts ?? [], origins: options.origins ?? [] };
    const signal = options.signal ?? new AbortController().signal;
    await serveOnHttp(parts, { ...where, ...whom, signal }, (url) => options.onReady?.(url, tokenFile));
  } catch (error) {
    if (error instanceof OutlastError || isOfListening(error)) return (error as Error).message;
    throw error;
  }
  return null;
}

function isOfListening(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && ['listen', 'getaddrinfo'].includes(String(error.syscall));
}
