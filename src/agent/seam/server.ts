import { OutlastError } from '../../base/errors.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Delay, PermissionMode } from '../../core/session.ts';
import type { Drive } from './drive.ts';
import type { AskedCall } from './gate.ts';
import type { HookReport } from './hooks.ts';
import type { SentImage } from './images.ts';
import type { Piece } from './piece.ts';
import type { RecordSource } from './record.ts';

/**
 * Runs an agent as one process that stays between turns and is driven by messages. The adapter is pure: it turns
 * messages into reports and intents into messages. The supervisor moves every byte.
 *
 * `S` is plain JSON: the supervisor keeps it in the folder of the run, together with how far it has read.
 */
export interface ServerDrive<S> extends Drive {
  readonly wire: Wire;
  readonly empty: S;
  /** How long it waits for the answer to a question before it denies the call. Absent: as long as it takes. */
  readonly answersWithinMs?: number;
  /** The messages that open a connection: the handshake, and queries for everything that is open. */
  hello(state: S, plan: HelloPlan): readonly Outgoing[];
  /** Handles one message of the agent. An unknown request is answered with an error in `send`. */
  receive(state: S, message: Incoming, at: ReceivedAt): Received<S>;
  /** The part of a text that a message adds, after it was handled; null: none. Absent: it sends whole texts only. */
  piece?(state: S, message: Incoming): Piece | null;
  /** Records that a message was sent. For stdio it is also called for messages of an earlier daemon. */
  sent(state: S, message: Outgoing): S;
  /** The message that carries out an intent. The same intent in the same state gives the same message. */
  request(state: S, intent: ServerIntent): Outgoing;
  /**
   * Was the intent carried out? done: the agent has it, or the message cannot be lost. not-done: the agent cannot have
   * it. unknown: neither is proven; then nothing is sent again.
   */
  proof(state: S, intent: ServerIntent): Proof;
  view(state: S): ServerView;
  /** Why its process may not open the conversation that is stored here now; null: it may. Absent: it always may. */
  delay?(source: RecordSource, nowMs: number): Delay | null;
  /** How a person sees the agent's own screen while this server runs, or why not. Absent: it has none. */
  screen?(place: ServerPlace): ServerScreen | { readonly refused: string };
}

/** The running server, for a second client of it. */
export interface ServerPlace {
  /** The folder of the run. An agent that listens on a Unix socket has it there. */
  readonly folder: string;
  /** The port on which it listens; null: on none. */
  readonly port: number | null;
  /** The file with the password of its HTTP server. */
  readonly passwordFile: string;
  readonly conversation: string;
  /** A prompt was sent to it. */
  readonly isBegun: boolean;
  readonly readOnly: boolean;
}

/** A command for a person's terminal, and how they leave it. */
export interface ServerScreen {
  readonly argv: readonly [string, ...string[]];
  readonly detach: string;
}

export type Proof = 'done' | 'not-done' | 'unknown';

/** The transport of messages. */
export type Wire =
  /** JSON lines on standard input and output. */
  | { readonly over: 'stdio' }
  /** The agent listens on a Unix socket; its file name in the folder of the run. */
  | { readonly over: 'websocket'; readonly socket: string }
  /** The agent prints a line with its port; `events` is the path of its server-sent events. */
  | {
      readonly over: 'http';
      readonly events: string;
      /** It asks for a password, which is made for each run. Absent: it serves everybody on this machine. */
      readonly login?: HttpLogin;
      port(line: string): number | null;
    };

/** The user name of basic authentication, and the environment variable by which the agent gets the password. */
export interface HttpLogin {
  readonly user: string;
  readonly variable: string;
}

/** The path of a socket in the folder of a run, or an error if it is too long for the kernel. */
export function socketPath(folder: string, { socket }: Extract<Wire, { over: 'websocket' }>): string {
  const path = `${folder}/${socket}`;
  const bytes = Buffer.byteLength(path);
  if (bytes <= LIMITS.socketPathBytesMax) return path;
  const most = `its path has ${bytes} bytes, at most ${LIMITS.socketPathBytesMax} work`;
  throw new OutlastError('state_unusable', `cannot make the socket ${path}: ${most}. Choose a shorter state folder.`);
}

/**
 * A message to the agent. `id` identifies it among all messages of its run. For messages that an earlier daemon sent
 * over stdio only `data` is known: there `id` is the one in `data`, or the line number.
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
  /** The response to an HTTP call; status 0: the connection broke, and the agent may have received it. */
  | { readonly is: 'answer'; readonly to: string; readonly status: number; readonly data: unknown }
  /** A line or frame that is not JSON. */
  | { readonly is: 'garbage'; readonly text: string };

/** The run that a message came from, and the wall time. */
export interface ReceivedAt {
  readonly run: number;
  readonly nowMs: number;
}

/** The result of a message. */
export interface Received<S> {
  readonly state: S;
  readonly reports: readonly ServerReport[];
  /** Messages to send in response: the next step of a handshake, an error for an unknown request. */
  readonly send: readonly Outgoing[];
}

/** Something that happened in the agent. The same fact always has the same key, however often it is read. */
export interface ServerReport {
  readonly key: string;
  /** A report as hooks make them, or a tool call that waits for an answer. */
  readonly says: HookReport | Asked;
}

/**
 * The agent asks whether it may make a call. An answer names `question`, which identifies one question of the run over
 * all connections: if the agent restarts its numbering, the adapter adds what distinguishes them.
 */
export interface Asked {
  readonly type: 'asked';
  readonly question: string;
  readonly call: AskedCall;
}

/** How a connection is opened. */
export interface HelloPlan {
  readonly workspace: string;
  /** The conversation to continue; null: a new one. */
  readonly conversation: string | null;
  /** The conversation that a new one is a copy of; null: it is empty. */
  readonly origin: string | null;
  readonly model: string | null;
  /** The thinking level; null: the agent's default. */
  readonly thinking: string | null;
  /** What it may do without asking, if it has no gate, and the agent's own word for that. */
  readonly mode: PermissionMode;
  readonly modeWord: string | null;
  /** The agent may use settings of the workspace. */
  readonly isTrusted: boolean;
  /** The process was spoken to before this connection: it may have turns and questions open. */
  readonly isAdopted: boolean;
  /** It has to ask before every tool call. */
  readonly isGated: boolean;
}

/** What the agent has to do. */
export type ServerIntent =
  | Deliver
  | {
      readonly do: 'answer';
      readonly question: string;
      readonly allow: boolean;
      readonly why: string;
      /** The edited input, as JSON. */
      readonly edit?: string;
    }
  /** `token` identifies this interrupt. */
  | { readonly do: 'interrupt'; readonly token: string }
  | { readonly do: 'close' };

/** A prompt to send. */
export interface Deliver {
  readonly do: 'deliver';
  /** Identifies this try to send it. */
  readonly token: string;
  readonly text: string;
  /** Sent with it; missing: none. */
  readonly images?: readonly SentImage[];
  /** Into the running turn. */
  readonly steer: boolean;
  /** For an agent that is told with every prompt: the model and the thinking level; absent: its default. */
  readonly model?: string;
  readonly thinking?: string;
}

/** The state of the agent, by its messages. */
export interface ServerView {
  /** starting: the handshake is not complete. */
  readonly is: 'starting' | 'idle' | 'busy';
  /** The questions that wait for an answer. */
  readonly questions: readonly string[];
  /** Why it cannot be used, for people; null: it can. */
  readonly trouble: string | null;
}
