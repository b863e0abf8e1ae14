import { type ApprovalLine, type ApprovalView, OutlastError } from '../client/index.ts';
import type { AttachedParts } from './attached.ts';
import { askedCall, decisionOf, optionsFor } from './question.ts';
import type { Shown } from './shown.ts';
import { textContent } from './tool-call.ts';

/** Passes the pending approvals of a session on to the editor. The first answer counts, wherever it comes from. */
export class Questions {
  readonly #parts: AttachedParts;
  readonly #session: string;
  readonly #shown: Shown;
  readonly #open = new Map<string, { readonly call: string; readonly over: AbortController }>();

  constructor(parts: AttachedParts, session: string, shown: Shown) {
    this.#parts = parts;
    this.#session = session;
    this.#shown = shown;
  }

  /** Asks about every call that waits, until the session ends. */
  async follow(signal: AbortSignal): Promise<void> {
    try {
      for await (const line of this.#parts.outlast.approvals.follow({ session: this.#session }, signal)) {
        if (line.is === 'gone') this.#withdraw(line);
        else if (line.approval !== undefined) this.#ask(line.approval);
      }
    } finally {
      for (const { over } of this.#open.values()) over.abort();
      this.#open.clear();
    }
  }

  #ask(approval: ApprovalView): void {
    const { editor } = this.#parts;
    const call = askedCall(approval);
    const over = new AbortController();
    this.#open.set(approval.id, { call: call.toolCallId, over });
    const isKnown = this.#shown.announce(call.toolCallId);
    if (!isKnown) editor.update(this.#session, { sessionUpdate: 'tool_call', ...call } as never);
    // A decision that comes too late, or is not ours to make, is refused: the follower says how it ended.
    void this.#decide(approval, over.signal).catch((error: unknown) => {
      if (!(error instanceof OutlastError)) throw error;
      if (!over.signal.aborted) editor.tell(this.#session, `the answer was not accepted: ${error.message}`);
    });
  }

  async #decide(approval: ApprovalView, signal: AbortSignal): Promise<void> {
    const { editor, outlast } = this.#parts;
    const outcome = await editor.ask(this.#session, askedCall(approval), optionsFor(approval), signal);
    const decision = signal.aborted ? null : decisionOf(outcome);
    if (decision === null) return;
    await outlast.approvals.decide(approval.id, decision.allow, { by: editor.name, ...decision.options });
  }

  /** Closes the dialog, and shows what became of the call. */
  #withdraw({ id, decided }: ApprovalLine): void {
    const asked = this.#open.get(id);
    if (asked === undefined) return;
    this.#open.delete(id);
    asked.over.abort();
    const update = { sessionUpdate: 'tool_call_update', toolCallId: asked.call } as const;
    const no = decided == null ? 'The question was withdrawn.' : `Denied by ${decided.by}: ${decided.why}`;
    this.#parts.editor.update(
      this.#session,
      decided?.allow ? { ...update, status: 'in_progress' } : { ...update, status: 'failed', content: textContent(no) },
    );
  }
}
