import type { CallOutput } from '../api/contract.ts';

/** How the settings in use differ from the config file. */
export type ConfigState = NonNullable<CallOutput<'daemon.status'>['config']>;

/** How a new start takes place, in the words of every message about it. */
export const NEW_START = '`outlast daemon restart`; sessions keep running';

/** What a person should know about the config in use; none: it is what the file says. */
export function configLines({ file, fault, readAtMs, unread, waiting }: ConfigState): string[] {
  const since = new Date(readAtMs).toISOString();
  if (fault !== null)
    return [`The daemon keeps using the config that it read at ${since}: ${fault}. See \`outlast config check\`.`];
  const lines: string[] = [];
  if (unread.length > 0)
    lines.push(
      `${file} has changed since the daemon read it at ${since}: ${unread.join(', ')}. ` +
        'To use it: `outlast config reload`.',
    );
  if (waiting.length > 0)
    lines.push(`Changed, and used when the daemon restarts: ${waiting.join(', ')}. To restart it: ${NEW_START}.`);
  return lines;
}
