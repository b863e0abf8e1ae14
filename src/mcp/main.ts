import { realClock } from '../base/clock.ts';
import { connect } from '../client/index.ts';
import { parseGrants } from './grants.ts';
import { serveOnStdio } from './stdio.ts';

/** What the command line says. */
export interface McpOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly version: string;
  readonly allow: string | undefined;
}

/** Serves the Model Context Protocol until the caller leaves. Gives what is wrong with the options, or null. */
export async function serveMcp({ env, cwd, version, allow }: McpOptions): Promise<string | null> {
  const grants = parseGrants(allow);
  if (typeof grants === 'string') return grants;
  await serveOnStdio({ outlast: connect({ env }), clock: realClock(), cwd, version, grants });
  return null;
}
