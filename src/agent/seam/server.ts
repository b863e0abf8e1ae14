import { OutlastError } from '../../base/errors.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Drive } from './drive.ts';
import type { AskedCall } from './gate.ts';
import type { HookReport } from './hooks.ts';

/**
 * Runs an agent as one process that stays between turns and is spoken to in messages. The adapter is pure: it turns
 * messages into reports and intents into messages. The supervisor moves every byte.
 *
 * `S` is plain JSON: the supervisor keeps it in the folder of the run, together with how far it has read.
 */
export interface ServerDrive<S> extends Drive {
  readonly wire: Wire;
  readonly empty: S;
  /** The messages that begin a connection: the handshake, and what asks the agent for everything that is open. */
  hello(state: S, plan: HelloPlan): readonly Outgoing[];
  /** Takes one message of the agent. A request that the adapter does not know is answered with an error in `send`. */
  receive(state: S, message: Incoming, at: ReceivedAt): Received<S>;
  /** Notes that a message has left us. For stdio it is also called for what an earlier daemon sent. */
  sent(state: S, message: Outgoing): S;
  /** The message that carries out an intent. The same intent in the same state gives the same message. */
  request(state: S, intent: ServerIntent): Outgoing;
  /**
   * Was the intent carried out? done: the agent has it, or the message is on its way and cannot get lost. not-done:
   * the agent cannot have it. unknown: neither is proven; then nothing is sent again.
   */
  proof(state: S, intent: ServerIntent): Proof;
  view(state: S): ServerView;
}

export type Proof = 'done' | 'not-done' | 'unknown';

/** How messages travel. */
export type Wire =
  /** A line of JSON each, on standard input and standard output. */
  | { readonly over: 'stdio' }
  /** The agent listens on a Unix socket; its file name in the folder of the run. */
  | { readonly over: 'websocket'; readonly socket: string }
  /** The agent prints a line that names its port; events come as server-sent events from `events`. */
  | { readonly over: 'http'; readonly events: string; port(line: string): number | null };

/** The path of a socket in the folder of a run, or an error: the kernel takes none that is too long. */
export function socketPath(folder: string, { socket }: Extract<Wire, { over: 'websocket' }>): string {
  const path = `${folder}/${socket}`;
  const bytes = Buffer.byteLength(path);
  if (bytes <= LIMITS.socketPathBytesMax) return path;
  const most = `its path has ${bytes} bytes, at most ${LIMITS.socketPathBytesMax} work`;
  throw new OutlastError('state_unusable', `cannot make the socket ${path}: ${most}. Choose a shorter state folder.`);
}

/**
 * A message to the agent. `id` names it among all messages of its run. Of what an earlier daemon sent over stdio only
 * `data` is known: there `id` is the one in `data`, or the number of the line.
 */
export type Outgoing =
  | { readonly is: 'message'; readonly id: string; readonly data: unknown }
  | {
      readonly is: 'call';
      readonly id: string;
      readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
      readonly path: string;
      readonly body?: unknown;
    };

/** A message from the agent. */
export type Incoming =
  /** A line, a frame or a server-sent event, as JSON. */
  | { readonly is: 'message'; readonly data: unknown }
  /** What came back for a call over http; status 0: the connection broke, and the agent may have got it. */
  | { readonly is: 'answer'; readonly to: string; readonly status: number; readonly data: unknown }
  /** A line or frame that is no JSON. */
  | { readonly is: 'garbage'; readonly text: string };

/** The run that a message came from, and the time on the wall. */
export interface ReceivedAt {
  readonly run: number;
  readonly nowMs: number;
}

/** What is made of a message. */
export interface Received<S> {
  readonly state: S;
  readonly reports: readonly ServerReport[];
  /** What has to be sent because of it: the next step of a handshake, an error for an unknown request. */
  readonly send: readonly Outgoing[];
}

/** Something that happened in the agent. The same fact has the same key whenever and however often it is read. */
export interface ServerReport {
  readonly key: string;
  /** A report as hooks make them, or a tool call that waits for an answer. */
  readonly says: HookReport | Asked;
}

/**
 * The agent asks whether it may make a call. `question` is what an answer has to name. It names one question of the
 * run, over all connections: where the agent counts anew with each, the adapter adds what tells them apart.
 */
export interface Asked {
  readonly type: 'asked';
  readonly question: string;
  readonly call: AskedCall;
}

/** What a connection begins with. */
export interface HelloPlan {
  readonly workspace: string;
  /** The conversation to go on with; null: a new one. */
  readonly conversation: string | null;
  readonly model: string | null;
  /** The process was spoken to before this connection: it may have turns and questions open. */
  readonly isAdopted: boolean;
  /** It has to ask before every tool call. */
  readonly isGated: boolean;
}

/** What we want of the agent. */
export type ServerIntent =
  /** `token` names this sending of the prompt. `steer`: into the turn that is running. */
  | { readonly do: 'deliver'; readonly token: string; readonly text: string; readonly steer: boolean }
  | {
      readonly do: 'answer';
      readonly question: string;
      readonly allow: boolean;
      readonly why: string;
      /** What the tool is given instead, as JSON. */
      readonly edit?: string;
    }
  /** `token` names this wish to interrupt. */
  | { readonly do: 'interrupt'; readonly token: string }
  | { readonly do: 'close' };

/** What is known of the agent by what it said. */
export interface ServerView {
  /** starting: the handshake is not over. */
  readonly is: 'starting' | 'idle' | 'busy';
  /** The questions that wait for an answer. */
  readonly questions: readonly string[];
  /** Why it cannot be used, for people; null: it can. */
  readonly trouble: string | null;
}
