import type { HelloPlan, Outgoing, ServerDrive, ServerIntent, ServerReport } from '../agent/seam/server.ts';
import type { Clock } from '../base/clock.ts';
import { errnoOf, OutlastError } from '../base/errors.ts';
import { letOthers } from '../base/others.ts';
import type { MessageSnapshot, ScreenSnapshot } from '../core/snapshot.ts';
import { hashOf } from './questions.ts';
import { NotSent, type Taken, type Wire } from './wires/wire.ts';

/** What the adapter made of a run so far, and how far its output was read for that. Plain JSON. */
export interface ReadSoFar {
  readonly atBytes: number;
  readonly state: unknown;
  /** Our names of the questions that are open, by the agent's. */
  readonly asked: Readonly<Record<string, string>>;
}

/** Takes a report into the journal. `question`: our name, where it is one. */
export type TakeReport = (report: ServerReport, question: string | null) => void;

export interface ServerRunParts {
  readonly run: number;
  readonly drive: ServerDrive<unknown>;
  readonly wire: Wire;
  /** Asked for with each connection: what is known of the run changes. */
  readonly plan: () => HelloPlan;
  readonly clock: Clock;
  /** So long it may say nothing about itself. */
  readonly startMsMax: number;
  /** What an earlier daemon kept; null: nothing. */
  readonly kept: ReadSoFar | null;
  readonly keep: (read: ReadSoFar) => void;
}

/** Output that says nothing new is not read again beyond this. */
const KEEP_BYTES = 256 * 1024;
/** So much of a hash tells two calls apart. */
const HASH_CHARS = 16;

/**
 * One connection to a run that is spoken to in messages: what its agent says becomes reports, and what we want of it
 * becomes messages. A message leaves us once; what an earlier daemon sent, as far as anybody knows, counts as well.
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
  /** What is to be sent because of what was received, oldest first. */
  #outbox: Outgoing[] = [];
  /** The messages that have left us, or may have. */
  #sent = new Set<string>();
  /** Those of which not one byte has. */
  readonly #unsent = new Set<string>();

  #past: Promise<void> | null = null;

  constructor(parts: ServerRunParts) {
    const { kept, drive, clock } = parts;
    this.#parts = parts;
    // Where messages get lost, the agent is asked anew; where they are kept, they are read on.
    const known = drive.wire.over === 'stdio' ? kept : null;
    this.#state = known?.state ?? drive.empty;
    this.#asked = known?.asked ?? {};
    this.#atBytes = known?.atBytes ?? 0;
    this.#keptBytes = this.#atBytes;
    this.#sinceMs = clock.steadyMs();
    this.#heardAtMs = this.#sinceMs;
  }

  /** For how long the agent has said nothing. */
  get quietMs(): number {
    return this.#parts.clock.steadyMs() - this.#heardAtMs;
  }

  /** Takes what the agent said. What is taken is durable when `take` returns; only then is it not read again. */
  async ingest(take: TakeReport): Promise<void> {
    const { drive, run, clock } = this.#parts;
    await this.#recall();
    this.#greet();
    let isNews = false;
    for (let taken = await this.#next(); taken.length > 0; taken = await this.#next()) {
      for (const { message, atBytes } of taken) {
        const { state, reports, send } = drive.receive(this.#state, message, { run, nowMs: clock.wallMs() });
        for (const report of reports) take(report, this.#named(report));
        this.#state = state;
        this.#atBytes = atBytes;
        this.#heardAtMs = clock.steadyMs();
        this.#outbox.push(...send);
        isNews ||= reports.length > 0 || send.length > 0;
      }
      await letOthers();
    }
    const isFlushed = await this.#flush();
    // What is still to be sent is made anew by whoever reads the same again.
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

  /** Sends what carries out an intent, unless that has left us before. */
  async carryOut(intent: ServerIntent): Promise<void> {
    await this.#recall();
    const message = this.#parts.drive.request(this.#state, this.#asTheAgent(intent));
    if (this.#sent.has(message.id)) return;
    const isSent = (await this.#flush()) && (await this.#send(message));
    if (isSent) this.#unsent.delete(message.id);
    else this.#unsent.add(message.id);
  }

  /** What the agent says of itself, as its screen would show it. */
  screen(): ScreenSnapshot {
    const { is, trouble } = this.#parts.drive.view(this.#state);
    if (this.#parts.wire.state !== 'open' || is === 'starting') return { is: 'unknown' };
    if (trouble !== null) return { is: 'dialog', why: { kind: 'agent', text: trouble } };
    return { is: is === 'idle' ? 'ready' : 'busy' };
  }

  /** What is known of an intent, and what the agent waits for; undefined: it has not said yet how it is. */
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
   * An agent may count its questions anew in each process, and ask something else under a name that it had used: an
   * answer belongs to one run, and to what was asked to the letter.
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

  /** An intent with the agent's own name of the question in place of ours. */
  #asTheAgent(intent: ServerIntent): ServerIntent {
    if (intent.do !== 'answer') return intent;
    const { questions } = this.#parts.drive.view(this.#state);
    const question = questions.find((each) => this.#nameOf(each) === intent.question);
    return { ...intent, question: question ?? intent.question };
  }

  close(): void {
    this.#parts.wire.close();
  }

  /** Every connection begins with the adapter's hello. */
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

  /** Sends what is to be sent; false when something is left. */
  async #flush(): Promise<boolean> {
    for (let message = this.#outbox[0]; message !== undefined; message = this.#outbox[0]) {
      if (!this.#sent.has(message.id) && !(await this.#send(message))) return false;
      this.#outbox.shift();
    }
    return true;
  }

  /** False when not one byte has left us. */
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
