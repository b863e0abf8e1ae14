import type { AgentEntry } from '../../agent/configured.ts';
import type { PassOrder, PassResult } from './pass.ts';

// The daemon and the indexer exchange lines of JSON, on the standard input and output of the indexer.

/** What the daemon tells the indexer: first `begin`, then one `pass` after the other. */
export type Told =
  | {
      readonly do: 'begin';
      readonly state: string;
      readonly bytesMax: number;
      readonly env: Readonly<Record<string, string>>;
      readonly folders: readonly string[];
      /** The agents that the config names. */
      readonly agents: Readonly<Record<string, AgentEntry>>;
    }
  /** isWanted: somebody waits for it. */
  | ({ readonly do: 'pass'; readonly isWanted: boolean } & PassOrder)
  /** Somebody waits for the pass that is under way. */
  | { readonly do: 'hurry' };

/** What the indexer answers. */
export type Answered =
  /** Up to where it knows the sessions; null: it knows none. */
  | { readonly is: 'ready'; readonly upTo: string | null }
  | { readonly is: 'progress'; readonly done: number; readonly total: number }
  /** null: its index was damaged and is deleted; it has to be told about all sessions again. */
  | { readonly is: 'done'; readonly result: PassResult | null }
  | { readonly is: 'failed'; readonly why: string };
