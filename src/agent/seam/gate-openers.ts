/** How somebody would try to get round the gate of an agent. The gate probe and the tests try it. */
export interface GateOpeners {
  /** Files of the workspace and of the user that would let calls through. Absent: the agent reads none. */
  files?(place: OpenedPlace): readonly OpenerFile[];
  /**
   * A program for Node that answers an open question of the agent in our place. Its argument is `{"run": FOLDER}`, the
   * folder of the run. Absent: only we can answer.
   */
  otherClient?(says: Says): string;
  /**
   * It can be a call of the agent itself: without an argument, the program of `otherClient` finds the server that it
   * belongs to, by what a tool can see. `about`: only a question with this text is answered.
   */
  toolClient?(about: string): string;
}

/** Where the files are written. */
export interface OpenedPlace {
  readonly workspace: string;
  /** The environment of the agent, which names the folders of its user. */
  readonly env: Readonly<Record<string, string>>;
  /** What is run without a question adds a line to this file. */
  readonly trace: string;
}

/** One of the files. Its text may extend what is there; null: nothing is. */
export interface OpenerFile {
  readonly path: string;
  readonly text: string | ((known: string | null) => string);
}

/** An answer to a question: one that allows the call, or one that means nothing. */
export type Says = 'yes' | 'garbage';

/** A file with this JSON; what is in it already, stays. */
export function joined(path: string, more: object): OpenerFile {
  return { path, text: (known) => JSON.stringify({ ...more, ...JSON.parse(known ?? '{}') }) };
}

/** These files, by their paths: texts, or JSON. */
export function openerFiles(all: Readonly<Record<string, unknown>>): readonly OpenerFile[] {
  return Object.entries(all).map(([path, content]) => ({
    path,
    text: typeof content === 'string' ? content : JSON.stringify(content),
  }));
}
