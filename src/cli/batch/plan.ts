import type { StartInput } from '../../client/index.ts';

/** One session of a batch. */
export interface Part {
  /** Its name within the batch. */
  readonly name: string;
  /** What the session is called. */
  readonly sessionName: string;
  /** The parts that must answer first. */
  readonly after: readonly string[];
  /** Its prompt; only replies are not filled in yet. */
  readonly prompt: string;
  readonly input: StartInput;
  /** Changes with everything it is made of, also with the parts it depends on. */
  readonly fingerprint: string;
}

/** A batch, read and checked. */
export interface Batch {
  /** A hash of the file path: another file is another batch. */
  readonly id: string;
  readonly name: string;
  /** As the caller named it. */
  readonly file: string;
  /** Sessions at once. */
  readonly concurrency: number;
  readonly parts: readonly Part[];
  /** Names that stand for several parts. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}
