import type { HelloPlan, Incoming, Outgoing, ServerDrive, ServerIntent, ServerReport } from '../agent/seam/server.ts';
import type { Clock } from '../base/clock.ts';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { letOthers } from '../base/others.ts';
import type { MessageSnapshot, ScreenSnapshot } from '../core/snapshot.ts';
import { hashOf } from './questions.ts';
import { NotSent, type Taken, type Wire } from './wires/wire.ts';

/** The adapter's state of a run, and the position up to which its output was read. Plain JSON. */
export interface ReadSoFar {
  readonly atBytes: number;
  readonly state: unknown;
  /** Our ids of the open questions, by the agent's. */
  readonly asked: Readonly<Record<string, string>>;
}

/** Writes a report to the journal. `question`: our id, if it is a question. */
export type TakeReport = (report: ServerReport, question: string | null) => void;

export interface ServerRunParts {
  readonly run: number;
  readonly drive: ServerDrive<unknown>;
  readonly wire: Wire;
  /** Asked for with each connection: what is known of the run changes. */
  readonly plan: () => HelloPlan;
  readonly clock: Clock;
  /** How long it may be silent about its state. */
  readonly startMsMax: number;
  /** What an earlier daemon stored; null: nothing. */
  readonly kept: ReadSoFar | null;
  readonly keep: (read: ReadSoFar) => void;
  /** Takes each message, with the state after it. */
  readonly heard?: (state: unknown, message: Incoming) => void;
}

/** Read output beyond this is stored as read, even without a report. */
const KEEP_BYTES = 256 * 1024;
/** How much of a hash distinguishes two calls. */
const HASH_CHARS = 16;

/**
 * One connection to a run that is driven by messages: the agent's messages become reports, and intents become messages.
 * A message is sent once; messages of an earlier daemon count, as far as they are known.
 */
export class ServerRun {
  readonly #parts: ServerRunParts;
  #state: unknown;
  #asked: Readonly<Record<string, string>>;
  #atBytes: number;
  #keptBytes: number;
  #connection = 0;
  #sinceMs: number;
  #heardAtMs: number;
  /** Messages to send in response to what was received, oldest first. */
  #outbox: Outgoing[] = [];
  /** The messages that were sent, or may have been. */
  #sent = new Set<string>();
  /** Those of which no byte was sent. */
  readonly #unsent = new Set<string>();

  #past: Promise<void> | null = null;

  constructor(parts: ServerRunParts) {
    const { kept, drive, clock } = parts;
    this.#parts = parts;
    // If messages can be lost, the agent is queried again; if they are stored, reading continues.
    const known = drive.wire.over === 'stdio' ? kept : null;
    this.#state = known?.state ?? drive.empty;
    this.#asked = known?.asked ?? {};
    this.#atBytes = known?.atBytes ?? 0;
    this.#keptBytes = this.#atBytes;
    this.#sinceMs = clock.steadyMs();
    this.#heardAtMs = this.#sinceMs;
  }

  /** How long the agent has been silent. */
  get quietMs(): number {
    return this.#parts.clock.steadyMs() - this.#heardAtMs;
  }

  /** Reads the agent's messages. A report is durable when `take` returns; only then is its message not read again. */
  async ingest(take: TakeReport): Promise<void> {
    const { drive, run, clock } = this.#parts;
    await this.#recall();
    this.#greet();
    let isNews = false;
    for (let taken = await this.#next(); taken.length > 0; taken = await this.#next()) {
      for (const { message, atBytes } of taken) {
        const { state, reports, send } = drive.receive(this.#state, message, { run, nowMs: clock.wallMs() });
        for (const report of reports) take(report, this.#named(report));
        this.#parts.heard?.(state, message);
        this.#state = state;
        this.#atBytes = atBytes;
        this.#heardAtMs = clock.steadyMs();
        this.#outbox.push(...send);
        isNews ||= reports.length > 0 || send.length > 0;
      }
      await letOthers();
    }
    const isFlushed = await this.#flush();
    // Pending responses are made again by the daemon that reads the same messages.
    if (isFlushed && (isNews || this.#atBytes > this.#keptBytes + KEEP_BYTES)) this.#keep();
  }

  /** What was sent before this connection is known before anything else is. */
  #recall(): Promise<void> {
    this.#past ??= this.#parts.wire.past().then(
      (past) => past.forEach((message) => this.#note(message)),
      (error: unknown) => {
        // It is read again the next time.
        this.#past = null;
        throw error;
      },
    );
    return this.#past;
  }

  async #next(): Promise<readonly Taken[]> {
    await this.#parts.wire.readOn?.();
    return this.#parts.wire.take();
  }

  /** Sends the message for an intent, unless it was sent before. */
  async carryOut(intent: ServerIntent): Promise<void> {
    await this.#recall();
    const message = this.#parts.drive.request(this.#state, this.#asTheAgent(intent));
    if (this.#sent.has(message.id)) return;
    const isSent = (await this.#flush()) && (await this.#send(message));
    if (isSent) this.#unsent.delete(message.id);
    else this.#unsent.add(message.id);
  }

  /** The agent's state, as its screen would show it. */
  screen(): ScreenSnapshot {
    const { is, trouble } = this.#parts.drive.view(this.#state);
    if (this.#parts.wire.state !== 'open' || is === 'starting') return { is: 'unknown' };
    // It has no screen on which a person could help: they correct what is wrong, and resume the session.
    if (trouble !== null) return { is: 'dialog', why: { kind: 'agent', text: trouble, needsResume: true } };
    return { is: is === 'idle' ? 'ready' : 'busy' };
  }

  /** What is known about an intent, and what the agent waits for; undefined: it has not reported its state yet. */
  messages(intent: ServerIntent | null): MessageSnapshot | undefined {
    const { drive, wire, clock, startMsMax } = this.#parts;
    const { is, questions } = drive.view(this.#state);
    if (wire.state !== 'open' || is === 'starting') {
      const isLate = clock.steadyMs() - this.#sinceMs > startMsMax;
      return isLate ? { proof: 'unknown', unanswered: [] } : undefined;
    }
    const isUnsent = intent !== null && this.#unsent.has(drive.request(this.#state, intent).id);
    const proof = isUnsent ? 'not-done' : intent === null ? 'unknown' : drive.proof(this.#state, intent);
    const unanswered = questions.filter((question) => !this.#isAnswered(question));
    return { proof, unanswered: unanswered.map((question) => this.#nameOf(question)) };
  }

  /**
   * An agent may restart its numbering of questions in each process, and reuse an id for another call: an answer
   * belongs to one run, and to exactly what was asked.
   */
  #named({ says }: ServerReport): string | null {
    if (says.type !== 'asked') return null;
    const { question, call } = says;
    const hash = hashOf({ tool: call.tool, input: call.input }).slice(0, HASH_CHARS);
    const name = `${this.#parts.run}:${question}:${hash}`;
    this.#asked = { ...this.#asked, [question]: name };
    return name;
  }

  /** Whatever the answer was, its message has the same id. */
  #isAnswered(question: string): boolean {
    const { id } = this.#parts.drive.request(this.#state, { do: 'answer', question, allow: false, why: '' });
    return this.#sent.has(id);
  }

  #nameOf(question: string): string {
    return this.#asked[question] ?? `${this.#parts.run}:${question}:`;
  }

  /** An intent with the agent's id of the question in place of ours. */
  #asTheAgent(intent: ServerIntent): ServerIntent {
    if (intent.do !== 'answer') return intent;
    const { questions } = this.#parts.drive.view(this.#state);
    const question = questions.find((each) => this.#nameOf(each) === intent.question);
    return { ...intent, question: question ?? intent.question };
  }

  close(): void {
    this.#parts.wire.close();
  }

  /** Every connection starts with the adapter's hello. */
  #greet(): void {
    const { wire, drive, plan, clock } = this.#parts;
    if (wire.state !== 'open' || wire.connection === this.#connection) return;
    const isKept = drive.wire.over === 'stdio';
    if (!isKept) this.#state = drive.empty;
    if (!isKept) this.#sent = new Set();
    this.#connection = wire.connection;
    this.#sinceMs = clock.steadyMs();
    this.#outbox = [...drive.hello(this.#state, plan())];
  }

  /** Sends pending messages; false: some are left. */
  async #flush(): Promise<boolean> {
    for (let message = this.#outbox[0]; message !== undefined; message = this.#outbox[0]) {
      if (!this.#sent.has(message.id) && !(await this.#send(message))) return false;
      this.#outbox.shift();
    }
    return true;
  }

  /** False: no byte was sent. */
  async #send(message: Outgoing): Promise<boolean> {
    const { wire } = this.#parts;
    if (wire.state !== 'open') return false;
    try {
      await wire.send(message);
    } catch (error) {
      if (error instanceof NotSent) return false;
      if (!(error instanceof OutlastError) && errnoOf(error) === '') throw error;
      // It may have arrived: it is not sent again.
    }
    this.#note(message);
    return true;
  }

  #note(message: Outgoing): void {
    this.#sent.add(message.id);
    this.#state = this.#parts.drive.sent(this.#state, message);
  }

  #keep(): void {
    this.#keptBytes = this.#atBytes;
    const { questions } = this.#parts.drive.view(this.#state);
    const asked = Object.fromEntries(questions.map((question) => [question, this.#nameOf(question)]));
    this.#parts.keep({ atBytes: this.#atBytes, state: this.#state, asked });
  }
}
