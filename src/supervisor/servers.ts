import type { ServerDrive, ServerIntent } from '../agent/seam/server.ts';
import { OutlastError } from '../base/errors.ts';
import { writeWhole } from '../base/files.ts';
import type { Effect } from '../core/event.ts';
import type { Session, SessionId } from '../core/session.ts';
import type { Snapshot } from '../core/snapshot.ts';
import { runFolder } from '../terminal/run-folder.ts';
import { readIfThere } from '../terminal/small-file.ts';
import type { RunRef } from '../terminal/terminal.ts';
import { refOf } from './runs.ts';
import { intentOfEffect, openIntent } from './server-intent.ts';
import { helloPlan } from './server-plan.ts';
import { takeReport } from './server-reports.ts';
import { type ReadSoFar, ServerRun } from './server-run.ts';
import type { WireParts } from './wires/open.ts';
import type { Wire } from './wires/wire.ts';
import { agentOf, type WorldDeps } from './world-state.ts';

/** What connections need from the world. */
export type ServerParts = Pick<
  WorldDeps,
  'state' | 'clock' | 'agents' | 'submit' | 'now' | 'judge' | 'said' | 'nudge' | 'log' | 'wrote'
>;

interface Connected {
  readonly ref: RunRef;
  readonly run: ServerRun;
}

/** The state of an agent that is driven by messages, in place of its screen. */
type Said = Pick<Snapshot, 'screen' | 'messages'> & { readonly quietMs: number };

/** The connections to all runs that are driven by messages, one for each. */
export class Servers {
  readonly #parts: ServerParts;
  readonly #openWire: (parts: WireParts) => Wire;
  readonly #connected = new Map<SessionId, Connected>();

  constructor(parts: ServerParts, openWire: (parts: WireParts) => Wire) {
    this.#parts = parts;
    this.#openWire = openWire;
  }

  /** Ingests the messages of a session's agent; durable when it returns. */
  async ingest(session: Session): Promise<void> {
    const connected = this.#of(session);
    if (connected === null) return;
    const { ref, run } = connected;
    const waitsMs = agentOf(this.#parts, session).server?.answersWithinMs;
    const parts = { ...this.#parts, ...(waitsMs === undefined ? {} : { waitsMs }) };
    await run.ingest((report, question) => takeReport(parts, session, ref, report, question));
  }

  /** The agent's state, as far as it was ingested; null: there is no connection. */
  look(session: Session): Said | null {
    const connected = this.#connected.get(session.id);
    if (connected === undefined || connected.ref.run !== refOf(session).run) return null;
    const { run } = connected;
    const messages = run.messages(openIntent(this.#parts.state, session));
    return { screen: run.screen(), quietMs: run.quietMs, ...(messages && { messages }) };
  }

  /** Sends the message of an effect. */
  async act(session: Session, effect: Extract<Effect, { kind: 'deliver' | 'answer' | 'interrupt' }>): Promise<void> {
    const said = (seq: number): { readonly why: string; readonly edit?: string } => this.#parts.said(session.id, seq);
    await this.#send(session, intentOfEffect(this.#parts.state, session, effect, said));
  }

  /** Asks the agent to end by itself. */
  async askToLeave(session: Session): Promise<void> {
    if (this.#connected.has(session.id)) await this.#send(session, { do: 'close' });
  }

  /** A session or run that is over sends nothing more. */
  forget(session: SessionId): void {
    this.#connected.get(session)?.run.close();
    this.#connected.delete(session);
  }

  async #send(session: Session, intent: ServerIntent): Promise<void> {
    const connected = this.#of(session);
    if (connected === null) throw new OutlastError('not_supported', `${session.id} has no process to speak to`);
    await connected.run.carryOut(intent);
  }

  /** The connection to the run that a session is at. Until its end is recorded, what it said last is still read. */
  #of(session: Session): Connected | null {
    const ref = refOf(session);
    const { server } = agentOf(this.#parts, session);
    const known = this.#connected.get(session.id);
    const isOver = session.run !== null && session.run.outputBytes !== null;
    if (known?.ref.run === ref.run && !isOver) return known;
    this.forget(session.id);
    if (isOver) return null;
    if (server === undefined || session.spec.drive !== 'server' || (session.run?.openedAtMs ?? null) === null)
      return null;
    const connected = { ref, run: this.#open(session, ref, server) };
    this.#connected.set(session.id, connected);
    return connected;
  }

  #open(session: Session, ref: RunRef, drive: ServerDrive<unknown>): ServerRun {
    const { state, clock, log, nudge, now, wrote } = this.#parts;
    const { server } = runFolder(state, ref);
    const kept = keptIn(readIfThere(server)?.toString() ?? '');
    // Over the other wires no output is needed again.
    const fromBytes = drive.wire.over === 'stdio' ? (kept?.atBytes ?? 0) : 0;
    const onChange = (): void => nudge(session.id);
    return new ServerRun({
      run: ref.run,
      drive,
      wire: this.#openWire({ state, ref, wire: drive.wire, fromBytes, onChange, clock, log }),
      plan: () => helloPlan(now(session)),
      clock,
      startMsMax: session.spec.policy.startMsMax,
      kept,
      // The read position comes first: freeing old output goes no further than that.
      heard: (known, message) => {
        const piece = drive.piece?.(known, message) ?? null;
        if (piece !== null) wrote?.(session.id, piece);
      },
      keep: ({ atBytes, ...rest }) => writeWhole(server, JSON.stringify({ atBytes, ...rest })),
    });
  }
}

/** A state that cannot be read is rebuilt from the output. */
function keptIn(text: string): ReadSoFar | null {
  try {
    const { atBytes, state, asked } = JSON.parse(text) as Partial<ReadSoFar>;
    if (typeof atBytes !== 'number' || state === undefined) return null;
    return { atBytes, state, asked: asked ?? {} };
  } catch {
    return null;
  }
}
