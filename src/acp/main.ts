import { Readable, Writable } from 'node:stream';
import { type AgentContext, ndJsonStream } from '@agentclientprotocol/sdk';
import { realClock } from '../base/clock.ts';
import { connect, type StartInput } from '../client/index.ts';
import { agentOf } from './agent.ts';
import { Editor } from './editor.ts';
import { Sessions } from './sessions.ts';

/** The options from the command line. */
export interface AcpOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
  /** What a new session is started with. */
  readonly start: StartInput;
  /** Did the caller say who decides about tool calls? */
  readonly isGateChosen: boolean;
  /** The only session of this connection, by id or name; missing: the editor chooses. */
  readonly session?: string | undefined;
}

/** Serves the Agent Client Protocol on standard input and output, until the editor disconnects. */
export async function serveAcp(options: AcpOptions): Promise<void> {
  const note = (text: string): void => void process.stderr.write(`outlast acp: ${text}\n`);
  // What an editor starts is not told to the shell that the editor was started from.
  const outlast = connect({ env: { ...options.env, OUTLAST_SHELL_ID: undefined }, tell: note });
  let client: AgentContext | null = null;
  const editor = new Editor(() => client, note);
  const sessions = new Sessions({ ...options, outlast, editor, clock: realClock() });
  // The images of a prompt have at most 50 MB; the rest is encoding.
  const stream = ndJsonStream(
    Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
    Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    { maxMessageBytes: 96 * 1024 * 1024 },
  );
  const connection = agentOf(sessions, editor, options.version).connect(stream);
  client = connection.client;
  await connection.closed;
  await sessions.leave();
  outlast.close();
}
