import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import type { CallerProof } from '../../api/contract-approvals.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Session } from '../../core/session.ts';
import type { Journal, Row } from '../../journal/journal.ts';
import { readText, type TextPage } from '../../terminal/output.ts';
import { identityOf } from '../../terminal/processes.ts';
import { quietMs, retryInMs } from '../machine/retry.ts';
import { filesOf } from '../views/output-files.ts';
import { attentiveViewOf } from '../views/view.ts';
import { type ChangeParts, waitForChange } from './wait-for-change.ts';

interface PollParts extends ChangeParts {
  readonly journal: Journal;
  readonly sessions: { find(word: string): Row };
  readonly config: { readonly state: string };
}

/**
 * Gives named readers the text that they have not read yet. A reader's position moves only when it acknowledges, so
 * that a lost answer is given again. Readers that share a name take a lease: until the text is acknowledged or the
 * lease expires, the others wait, so that each line goes to one of them.
 */
export class Polls {
  readonly #parts: PollParts;
  readonly #leases = new Map<string, Lease>();

  constructor(parts: PollParts) {
    this.#parts = parts;
  }

  /** The text that a reader has not read yet; waits for it as long as the caller asks. */
  async poll(input: HandlerInput<'session.poll'>, signal: AbortSignal): Promise<CallOutput<'session.poll'>> {
    const { sessions, journal, clock, config } = this.#parts;
    const { session } = sessions.find(input.session);
    const files = filesOf(config.state, session);
    const reader = readerOf(session, input.reader);
    const bytesMax = input.bytes ?? LIMITS.readBytesMax;
    const deadlineMs = clock.steadyMs() + input.timeoutMs;
    for (;;) {
      if (input.lease) await this.#unleased(reader, signal);
      const from = journal.cursor(reader);
      const seen = await this.#look(session, from, bytesMax);
      const leftMs = deadlineMs - clock.steadyMs();
      if (!seen.isChanged && leftMs > 0 && !signal.aborted) {
        const isChanged = async (): Promise<boolean> => (await this.#look(session, from, bytesMax)).isChanged;
        await waitForChange(this.#parts, { session: session.id, files: [files.output] }, isChanged, signal, leftMs);
        continue;
      }
      // Another reader was faster meanwhile.
      const isTaken = input.lease && (this.#leases.has(reader) || journal.cursor(reader) !== from);
      if (isTaken && !signal.aborted) continue;
      if (input.lease && seen.page.next > from && !signal.aborted) this.#lease(reader, input.caller);
      return this.#answer(seen, from, bytesMax);
    }
  }

  /** Moves a reader's position forward. It never moves back: a late acknowledgement changes nothing. */
  ack(input: HandlerInput<'session.ack'>): Record<string, never> {
    const { sessions, journal } = this.#parts;
    const reader = readerOf(sessions.find(input.session).session, input.reader);
    if (input.cursor > journal.cursor(reader)) journal.saveCursor(reader, input.cursor);
    this.#leases.get(reader)?.over.abort();
    return {};
  }

  async #look(session: Session, from: number, bytesMax: number): Promise<Seen> {
    const row = this.#parts.sessions.find(session.id);
    const files = filesOf(this.#parts.config.state, session);
    const page = await readText(files, { offset: from, bytesMax, ended: !row.live });
    // Bytes that are not text yet, like the beginning of an escape sequence, do not end the wait.
    const isChanged = page.text !== '' || isFull(page, bytesMax) || !row.live;
    return { row, page, isChanged };
  }

  #answer({ row, page }: Seen, from: number, bytesMax: number): CallOutput<'session.poll'> {
    const { config, clock } = this.#parts;
    const files = filesOf(config.state, row.session);
    return {
      session: attentiveViewOf(this.#parts, row),
      text: page.text,
      from: page.from,
      next: page.next,
      more: isFull(page, bytesMax),
      notices: missing(row, from, page, bytesMax),
      ...(row.live && { retryInMs: retryInMs(page.next > from ? 0 : quietMs(files, clock.wallMs())) }),
    };
  }

  #lease(reader: string, caller: CallerProof | undefined): void {
    const over = new AbortController();
    this.#leases.set(reader, { over, caller });
    over.signal.addEventListener('abort', () => this.#leases.delete(reader), { once: true });
    void this.#parts.clock.sleep(LIMITS.leaseMs, over.signal).then(() => over.abort());
  }

  /** Waits until no text of this reader is leased. */
  async #unleased(reader: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      const lease = this.#leases.get(reader);
      if (lease === undefined || signal.aborted) return;
      if (isGone(lease)) lease.over.abort();
      else await this.#parts.clock.sleep(LEASE_LOOK_MS, AbortSignal.any([lease.over.signal, signal]));
    }
  }
}

interface Lease {
  readonly over: AbortController;
  readonly caller: CallerProof | undefined;
}

const LEASE_LOOK_MS = 200;

/** True when the process that got the text has ended, so that nothing will read it. */
function isGone({ caller }: Lease): boolean {
  return caller !== undefined && identityOf(caller.pid)?.start !== caller.start;
}

interface Seen {
  readonly row: Row;
  readonly page: TextPage;
  readonly isChanged: boolean;
}

function readerOf(session: Session, reader: string): string {
  return `reader:${session.id}:${reader}`;
}

function missing(row: Row, from: number, page: TextPage, bytesMax: number): string[] {
  const notices: string[] = [];
  if (page.from > from) notices.push('[earlier output was discarded at the retention cap and cannot be recovered]');
  if (isFull(page, bytesMax)) notices.push('[there is more output than fits here; poll again for the rest]');
  if (row.session.run?.incomplete) notices.push('[some output may be missing]');
  return notices;
}

/** True for a page that is full, as opposed to one that ends before an incomplete sequence. */
function isFull({ from, next, end }: TextPage, bytesMax: number): boolean {
  return end - from > bytesMax && next < end;
}
