import type { AskedCall, WrongAnswers } from '../../agent/seam/gate.ts';
import type { HelloPlan, Outgoing, ServerDrive, ServerIntent, ServerReport } from '../../agent/seam/server.ts';
import type { Clock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { type ReadSoFar, ServerRun } from '../../supervisor/server-run.ts';
import { openWire } from '../../supervisor/wires/open.ts';
import type { Wire } from '../../supervisor/wires/wire.ts';
import type { RunRef } from '../../terminal/terminal.ts';
import { PROBE_MS_MAX } from './probe-calls.ts';

export interface ProbeTalkParts {
  /** The state folder of the probe. */
  readonly state: string;
  readonly ref: RunRef;
  readonly drive: ServerDrive<unknown>;
  readonly wrong: WrongAnswers | undefined;
  readonly workspace: string;
  readonly clock: Clock;
}

/** A question of the agent, under our name of it. */
export interface Question {
  readonly question: string;
  readonly call: AskedCall;
}

const LOOK_MS = 20;

/** Talks to the probed agent as a session does, over the same connection. */
export class ProbeTalk {
  readonly #parts: ProbeTalkParts;
  readonly #deadlineMs: number;
  #wire: Wire;
  #run: ServerRun;
  #kept: ReadSoFar | null = null;
  readonly #asked = new Map<string, AskedCall>();
  readonly #settled = new Set<string>();
  /** How the next message is sent. */
  #as: (message: Outgoing) => Outgoing = (message) => message;
  /** The calls that the agent says it has made. */
  readonly made = new Set<string>();
  /** Where the agent says that it writes the conversation down. */
  opened: Extract<ServerReport['says'], { type: 'hook.opened' }> | null = null;
  /** The turn of the probe has ended. */
  isOver = false;

  constructor(parts: ProbeTalkParts) {
    this.#parts = parts;
    this.#deadlineMs = parts.clock.steadyMs() + PROBE_MS_MAX;
    [this.#wire, this.#run] = this.#connect();
  }

  /** The agent waits for a prompt. */
  get isIdle(): boolean {
    return this.#run.screen().is === 'ready';
  }

  /** The agent has said how things stand on this connection. */
  get isConnected(): boolean {
    return this.#run.messages(null) !== undefined;
  }

  /** The first question that is not settled; null: there is none. */
  get next(): Question | null {
    const open = [...this.#asked].find(([question]) => !this.#settled.has(question));
    return open === undefined ? null : { question: open[0], call: open[1] };
  }

  /** Does the agent still wait for the answer to this question? */
  isWaiting(question: string): boolean {
    return this.#run.messages(null)?.unanswered.includes(question) === true;
  }

  /** Waits until this is so. If it never is, the probe has no result and this throws. */
  async until(isSo: () => boolean): Promise<void> {
    const { clock } = this.#parts;
    for (;;) {
      // Before its output is read: what it said last is not missed.
      const { state } = this.#wire;
      await this.#run.ingest((report, question) => this.#take(report, question));
      if (isSo()) return;
      const shown = this.#run.screen();
      if (shown.is === 'dialog') throw failed(`it says that it cannot be used (${shown.why.text})`);
      if (state === 'closed') throw failed('its process ended');
      if (clock.steadyMs() > this.#deadlineMs) throw failed(`it took longer than ${PROBE_MS_MAX / 1_000} s`);
      await clock.sleep(LOOK_MS);
    }
  }

  /** Reads for this long without answering, or until this is so. */
  async listen(ms: number, isSo: () => boolean = () => false): Promise<void> {
    const untilMs = this.#parts.clock.steadyMs() + ms;
    await this.until(() => isSo() || this.#parts.clock.steadyMs() >= untilMs);
  }

  /** Answers a question, also with what is no answer. */
  async answer(question: string, how: 'yes' | 'no' | 'garbage' | 'error'): Promise<void> {
    const { wrong } = this.#parts;
    const isWrong = how === 'garbage' || how === 'error';
    // A later answer is another message.
    this.#as = isWrong ? (yes) => ({ ...(wrong?.[how]?.(yes) ?? yes), id: `${how} ${yes.id}` }) : (message) => message;
    const allow = isWrong || how === 'yes';
    await this.want({ do: 'answer', question, allow, why: 'probe' }).finally(() => {
      this.#as = (message) => message;
    });
  }

  want(intent: ServerIntent): Promise<void> {
    return this.#run.carryOut(intent);
  }

  /** Nothing more is to be said about this question. */
  settle(question: string): void {
    this.#settled.add(question);
  }

  /** Disconnects for this long, as a daemon that dies, and reconnects as the next one would. */
  async away(ms: number): Promise<void> {
    this.close();
    await this.#parts.clock.sleep(ms);
    [this.#wire, this.#run] = this.#connect();
    await this.until(() => this.isConnected);
  }

  close(): void {
    this.#run.close();
  }

  #take({ says }: ServerReport, question: string | null): void {
    if (says.type === 'asked') this.#asked.set(question ?? says.question, says.call);
    else if (says.type === 'hook.opened') this.opened = says;
    else if (says.type === 'hook.stopped') this.isOver = true;
    else if (says.type === 'hook.noted' && says.fact.type === 'tool.ended' && says.fact.error === null)
      this.made.add(says.fact.call ?? 'unnamed');
  }

  #connect(): [Wire, ServerRun] {
    const { state, ref, workspace, clock } = this.#parts;
    const { drive: plain } = this.#parts;
    const drive = {
      ...plain,
      request: (...given: Parameters<typeof plain.request>) => this.#as(plain.request(...given)),
    };
    const isStdio = drive.wire.over === 'stdio';
    const wire = openWire({
      ...{ state, ref, clock, wire: drive.wire, fromBytes: isStdio ? (this.#kept?.atBytes ?? 0) : 0 },
      onChange: () => {},
      log: () => {},
    });
    const isAdopted = this.#kept !== null;
    const plan = (): HelloPlan => {
      const conversation = this.opened?.conversation ?? null;
      const fresh = { origin: null, model: null, thinking: null, mode: 'ask-all', modeWord: null } as const;
      return { workspace, conversation, ...fresh, isTrusted: true, isAdopted, isGated: true };
    };
    const run = new ServerRun({
      ...{ run: ref.run, drive, wire, clock, kept: this.#kept, startMsMax: PROBE_MS_MAX },
      plan,
      keep: (read) => {
        this.#kept = read;
      },
    });
    return [wire, run];
  }
}

function failed(why: string): OutlastError {
  return new OutlastError('gate_unsafe', why);
}
