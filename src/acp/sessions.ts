import type { ListSessionsResponse, PromptRequest, PromptResponse, SessionInfo } from '@agentclientprotocol/sdk';
import type { Clock } from '../base/clock.ts';
import { type Outlast, OutlastError, type SessionView, type StartInput } from '../client/index.ts';
import { newKey } from '../client/key.ts';
import { Attached, type GivenPrompt } from './attached.ts';
import type { Editor } from './editor.ts';
import { wrongRequest } from './errors.ts';
import { imagesOf, isSameImages } from './images.ts';
import { promptTextOf } from './prompt-text.ts';
import { startGated } from './start.ts';

/** What the sessions of a connection are made with. */
export interface SessionsParts {
  readonly outlast: Outlast;
  readonly editor: Editor;
  readonly clock: Clock;
  readonly start: StartInput;
  readonly isGateChosen: boolean;
  readonly session?: string | undefined;
}

const TITLE_CHARS_MAX = 80;
const PAGE_SESSIONS = 50;
/** The ids of prompts that came from an editor begin with this. */
const PREFIX = 'acp-';

/** The sessions that one editor has open. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly #open = new Map<string, Attached>();

  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  /** Starts a session in a folder, or opens the one that the command line names; it has no prompt yet. */
  async create(cwd: string): Promise<SessionView> {
    const { outlast, editor, session: named } = this.#parts;
    if (named !== undefined) return this.#attachNamed(named);
    const { session, warnings } = await startGated(outlast, { ...this.#parts.start, cwd }, this.#parts.isGateChosen);
    const attached = this.#attach(session, false);
    editor.afterAnswer(() => {
      for (const warning of warnings) editor.tell(session.id, warning);
      attached.follow();
    });
    return session;
  }

  /** Opens a session and shows its conversation. */
  async load(id: string): Promise<SessionView> {
    const session = await this.#find(id);
    const attached = this.#attach(session, true);
    await attached.replay();
    attached.follow();
    return session;
  }

  /** Opens a session whose conversation the editor has. */
  async resume(id: string): Promise<SessionView> {
    const session = await this.#find(id);
    const attached = this.#attach(session, true);
    await attached.skip();
    attached.follow();
    return session;
  }

  /** Stops showing a session and ends the turn that the editor waits for. The session can be loaded again. */
  async close(id: string): Promise<void> {
    const attached = this.#attached(id);
    if (attached.isWaiting) await attached.cancel();
    this.#open.delete(id);
    attached.leave();
    await this.#removeUnused(attached);
  }

  /** The sessions of agents, newest first; with a folder, those that work in it. */
  async list(cwd: string | undefined, before: string | undefined): Promise<ListSessionsResponse> {
    const { outlast } = this.#parts;
    const page = { limit: PAGE_SESSIONS, ...(cwd && { workspace: cwd }), ...(before && { before }) };
    const { sessions, more } = await outlast.list(page);
    const shown = sessions.filter((each) => each.drive !== 'command' && (!cwd || each.workspace === cwd));
    const last = sessions.at(-1);
    return { sessions: shown.map(infoOf), ...(more && last !== undefined ? { nextCursor: last.id } : {}) };
  }

  /** Gives a session a prompt and waits for the end of its turn. */
  async prompt({ sessionId, prompt }: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const attached = this.#attached(sessionId);
    const given = { text: promptTextOf(prompt), images: imagesOf(prompt) };
    const open = await this.#openPrompt(attached, given);
    if (open !== null) return attached.join(open, signal);
    return attached.prompt(given, `${PREFIX}${newKey(this.#parts.clock)}`, signal);
  }

  /** Ends the running turn of a session. */
  async cancel(id: string): Promise<void> {
    await this.#open.get(id)?.cancel();
  }

  /** The editor has left: sessions go on, and those that it never used are removed. */
  async leave(): Promise<void> {
    for (const attached of this.#open.values()) {
      attached.leave();
      await this.#removeUnused(attached).catch(() => {});
    }
  }

  async #attachNamed(name: string): Promise<SessionView> {
    const session = await this.#find(name);
    const attached = this.#attach(session, true);
    const { editor } = this.#parts;
    const untold = (error: unknown): void => editor.tell(session.id, `cannot read the conversation: ${error}`);
    editor.afterAnswer(() => void attached.replay().then(() => attached.follow(), untold));
    return session;
  }

  #attach(session: SessionView, isUsed: boolean): Attached {
    this.#open.get(session.id)?.leave();
    const attached = new Attached(this.#parts, session, isUsed);
    this.#open.set(session.id, attached);
    return attached;
  }

  #attached(id: string): Attached {
    const attached = this.#open.get(id);
    if (attached === undefined)
      throw new OutlastError('session_not_found', `the session "${id}" is not open here: load it first`);
    return attached;
  }

  async #find(id: string): Promise<SessionView> {
    const { session } = await this.#parts.outlast.show(id);
    if (session.drive === 'command') throw wrongRequest(`${id} is a command, not a conversation with an agent`);
    return session;
  }

  /**
   * The open prompt with this content that an editor gave and nobody waits for: its connection broke, and the editor
   * asks again. It must not be given twice.
   */
  async #openPrompt(attached: Attached, { text, images }: GivenPrompt): Promise<string | null> {
    const { outlast } = this.#parts;
    const { session } = await outlast.show(attached.id);
    const open = session.prompts.filter(({ id }) => id.startsWith(PREFIX) && !attached.isOwn(id)).map(({ id }) => id);
    if (open.length === 0) return null;
    for await (const { body } of outlast.events({ session: attached.id, types: ['prompt.queued'] }))
      if (open.includes(String(body.prompt)) && body.text === text && isSameImages(images, body.images))
        return String(body.prompt);
    return null;
  }

  /** A session that was never given a prompt is of no use to anybody. */
  async #removeUnused(attached: Attached): Promise<void> {
    const { outlast } = this.#parts;
    if (attached.isUsed) return;
    const { session } = await outlast.show(attached.id);
    if (session.prompts.length === 0 && session.lastTurn === null && session.run === 0)
      await outlast.remove({ session: attached.id, stop: true });
  }
}

function infoOf(session: SessionView): SessionInfo {
  const { id, name, workspace, lastTurn, prompts, endedAtMs, lastSignAtMs, createdAtMs } = session;
  const asked = prompts.at(-1)?.text ?? lastTurn?.text ?? '';
  const title = name ?? (asked.split('\n')[0] ?? '').slice(0, TITLE_CHARS_MAX);
  const updatedAt = new Date(endedAtMs ?? lastSignAtMs ?? createdAtMs).toISOString();
  return { sessionId: id, cwd: workspace, updatedAt, ...(title === '' ? {} : { title }) };
}
