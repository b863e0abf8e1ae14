// The connections of one daemon to the fake agent, made by the supervisor's own code.
import type { ServerReport } from '../../src/agent/seam/server.ts';
import type { Clock } from '../../src/base/clock.ts';
import { inputId } from '../../src/core/cause.ts';
import type { Effect, Input } from '../../src/core/event.ts';
import { runOf, type Session } from '../../src/core/session.ts';
import type { Snapshot } from '../../src/core/snapshot.ts';
import { intentOfEffect, openIntent } from '../../src/supervisor/server-intent.ts';
import { helloPlan } from '../../src/supervisor/server-plan.ts';
import { type ReadSoFar, ServerRun } from '../../src/supervisor/server-run.ts';
import type { SessionWriter } from '../../src/supervisor/session-writer.ts';
import { adapterOf, approvalOf } from './server-adapter.ts';
import type { World } from './world.ts';

/** Half of it, because it is short. */
const WAITS_MS = 1_000;

export class Servers {
  readonly #world: World;
  readonly #clock: Clock;
  readonly #writer: SessionWriter;
  readonly #runs = new Map<number, ServerRun>();

  constructor(world: World, clock: Clock, writer: SessionWriter) {
    this.#world = world;
    this.#clock = clock;
    this.#writer = writer;
  }

  async ingest(): Promise<void> {
    const writer = this.#writer;
    const { session } = writer;
    const run = runOf(session);
    const server = this.#of(session);
    await server?.ingest((report, question) => {
      const key = question === null ? report.key : `asked ${question}`;
      const input = inputOf(report, run, question ?? '');
      writer.submit(inputId('server', `s1.${run}`, key), this.#waiting(input));
    });
  }

  look(session: Session): Pick<Snapshot, 'screen'> & Partial<Snapshot> {
    const server = this.#of(session);
    const isAlive = this.#world.process(runOf(session))?.alive === true;
    if (server === null || !isAlive) return { screen: { is: 'unknown' } };
    const messages = server.messages(openIntent('/state', session));
    return { screen: server.screen(), ...(messages && { messages }) };
  }

  async act(session: Session, effect: Extract<Effect, { kind: 'deliver' | 'answer' | 'interrupt' }>): Promise<void> {
    await this.#of(session)?.carryOut(intentOfEffect('/state', session, effect, () => ({ why: '' })));
  }

  /** A question of an agent that does not wait for ever. */
  #waiting(input: Input): Input {
    const isImpatient = this.#world.script.postpones !== undefined && input.type === 'hook.asked';
    return isImpatient ? { ...input, waitsMs: WAITS_MS } : input;
  }

  #of(session: Session): ServerRun | null {
    const { script } = this.#world;
    const run = runOf(session);
    const known = this.#runs.get(run);
    if (session.run !== null && session.run.outputBytes !== null) return null;
    if (known !== undefined || script.wire === undefined || session.run?.openedAtMs === null || run === 0)
      return known ?? null;
    const kept = this.#world.storedReads.get(run) ?? null;
    const server = new ServerRun({
      run,
      drive: adapterOf(script.wire) as never,
      wire: this.#world.server.wire(run, kept?.atBytes ?? 0),
      plan: () => helloPlan(this.#writer.session),
      clock: this.#clock,
      startMsMax: session.spec.policy.startMsMax,
      kept,
      keep: (read) => this.#keep(run, read),
    });
    this.#runs.set(run, server);
    return server;
  }

  #keep(run: number, read: ReadSoFar): void {
    this.#world.point();
    this.#world.storedReads.set(run, JSON.parse(JSON.stringify(read)));
    this.#world.point();
  }
}

/** The input of a report, as src/supervisor/server-reports.ts makes it. */
function inputOf({ says }: ServerReport, run: number, hook: string): Input {
  if (says.type !== 'asked') return says;
  const { call, tool, subagent } = says.call;
  const approval = approvalOf(call);
  const question = { call, tool, input: '{}', hash: 'h', subagent, hook };
  return {
    type: 'hook.asked',
    ...{ run, approval, ...question },
    ruling: { verdict: 'ask', rule: null, why: 'no rule allows it' },
  };
}
