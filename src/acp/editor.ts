import type {
  AgentContext,
  ClientCapabilities,
  PermissionOption,
  RequestPermissionOutcome,
  SessionUpdate,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';

/** Who is at the other end of the connection, and how it is told something. */
export class Editor {
  /** Its name, which decisions and interrupts are recorded under. */
  name = 'editor';
  readonly #client: () => AgentContext | null;
  readonly #note: (text: string) => void;
  #shows: ClientCapabilities = {};
  #sending: Promise<void> = Promise.resolve();

  constructor(client: () => AgentContext | null, note: (text: string) => void) {
    this.#client = client;
    this.#note = note;
  }

  /** Remembers what the editor said about itself. */
  introduce(name: string | undefined, shows: ClientCapabilities): void {
    // Names of callers have at most 63 characters.
    this.name = (name ?? '').slice(0, 63) || 'editor';
    this.#shows = shows;
  }

  /** Sends an update about a session, after those that were sent before. */
  update(sessionId: string, update: SessionUpdate): void {
    const send = async () => this.#client()?.notify('session/update', { sessionId, update });
    // An editor that is gone is noticed by the connection.
    this.#sending = this.#sending.then(send).catch(() => {});
  }

  /** Runs this after the answer to the current request: an editor learns the id of a session from it. */
  afterAnswer(send: () => void): void {
    setImmediate(send);
  }

  /** Resolves when everything was written that was sent so far. */
  sent(): Promise<void> {
    return this.#sending;
  }

  /** Shows a text that is no part of the conversation. */
  tell(session: string, text: string): void {
    const notice = { sessionUpdate: 'notice', severity: 'info', title: text } as const;
    const thought = { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `${text}\n` } } as const;
    this.update(session, this.#shows.session?.notices ? notice : thought);
    this.#note(text);
  }

  /** Asks the person at the editor. When the signal fires, the dialog is withdrawn; null: there is no answer. */
  async ask(
    sessionId: string,
    toolCall: ToolCallUpdate,
    options: PermissionOption[],
    signal: AbortSignal,
  ): Promise<RequestPermissionOutcome | null> {
    await this.#sending;
    const how = { cancellationSignal: signal, stopWaitingOnCancel: true };
    try {
      const asked = this.#client()?.request('session/request_permission', { sessionId, toolCall, options }, how);
      return (await asked)?.outcome ?? null;
    } catch (error) {
      if (!signal.aborted) this.#note(`the editor did not answer a question: ${error}`);
      return null;
    }
  }
}
