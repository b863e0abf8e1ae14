import type { Command } from './command.ts';

/** A command in the tables: its summary, and how to load it. */
export interface Row {
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** Rows by the names of their commands, in the order of the help. */
export type Rows = Readonly<Record<string, Row>>;
