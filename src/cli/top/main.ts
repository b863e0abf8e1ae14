// `outlast top`, a program of its own: no other command loads it.
import type { Clock } from '../../client/clock.ts';
import { nameOf } from '../../present/state.ts';
import type { Print } from '../base/print.ts';
import { type Clients, followSessions } from './follow.ts';
import { plainLine, timeOf } from './plain.ts';
import { Top } from './top.ts';

/** What the command line gives. */
export interface TopInput extends Clients {
  readonly print: Print;
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly by: string;
  readonly view: 'board' | 'plain' | 'json';
  /** The command lines behind two keys. */
  readonly commands: {
    logs(session: string): readonly string[];
    attach(session: string): readonly string[];
  };
}

/** Shows the sessions until the person leaves; returns the exit status. */
export async function top(input: TopInput): Promise<number> {
  if (input.view === 'board') return new Top(input).run();
  return input.view === 'json' ? printed(input) : spoken(input);
}

/** A JSON line for each change. */
async function printed({ print, clock, ...clients }: TopInput): Promise<number> {
  for await (const line of followSessions(clients, clock, new AbortController().signal)) await print.json(line);
  return 0;
}

/** A line of text for each change, for a screen reader or a log. */
async function spoken({ print, clock, ...clients }: TopInput): Promise<number> {
  const known = new Map<string, Parameters<typeof plainLine>[1]>();
  for await (const line of followSessions(clients, clock, new AbortController().signal)) {
    const nowMs = clock.wallMs();
    if (line.is === 'row') {
      const text = plainLine(known.get(line.row.id), line.row, nowMs);
      known.set(line.row.id, line.row);
      if (text !== null) await print.line(text);
    } else if (line.is === 'gone') {
      const row = known.get(line.id);
      known.delete(line.id);
      if (row !== undefined) await print.line(`${timeOf(nowMs)} ${nameOf(row)}: removed`);
    } else if (line.is !== 'complete') await print.line(`${timeOf(nowMs)} ${GONE[line.is]}; sessions keep running`);
  }
  return 0;
}

const GONE = { lost: 'The daemon is gone', stopped: 'The daemon was stopped' } as const;
