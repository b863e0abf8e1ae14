// The fake agent as a process that is spoken to in messages: what it was sent, what it said, who is connected.
import type { Incoming, Outgoing } from '../../src/agent/seam/server.ts';
import type { HookInput } from '../../src/core/event.ts';
import { NotSent, type Taken, type Wire } from '../../src/supervisor/wires/wire.ts';
import type { Agent } from './agent.ts';
import type { Open, Said, Told, WireKind } from './server-adapter.ts';
import type { World } from './world.ts';

/** A message is on its way so long, whatever becomes of who sent it. */
const WAY_MS = 3;

/** What belongs to one run, and outlives every daemon. */
interface Line {
  readonly run: number;
  /** The file of what it was sent, and the beginning of a message that a daemon died over. */
  readonly sent: Outgoing[];
  half: string | null;
  /** Everything that it said; only where that is kept is it read again. */
  readonly said: Said[];
  /** What is sent to who is connected, in a wire that forgets. */
  connected: Incoming[] | null;
  readonly reports: Open['reports'][number][];
  /** The question that waits: by the agent's own name, and what it is about. */
  question: { readonly name: string; readonly approval: string } | null;
  /** So many it asked of who is connected. */
  asked: number;
  /** It was told to end its turn. */
  isCancelled: boolean;
}

export class ServerSide {
  readonly #world: World;
  readonly #kind: WireKind;
  readonly #lines = new Map<number, Line>();
  readonly #agent: Agent;
  /** What the questions were answered with, in messages. */
  readonly answers = new Map<string, boolean>();
  /** The requests that nobody knows, and the errors that they were answered with. */
  readonly odd: { readonly run: number; readonly request: string }[] = [];
  readonly refused: string[] = [];
  #nth = 0;

  constructor(world: World, agent: Agent, kind: WireKind) {
    this.#world = world;
    this.#agent = agent;
    this.#kind = kind;
  }

  /** The agent reports something. */
  report(report: HookInput): void {
    const line = this.#line(report.run);
    this.#nth += 1;
    line.asked += report.type === 'hook.asked' ? 1 : 0;
    const name = report.type !== 'hook.asked' ? '' : this.#world.script.counts ? `${line.asked}` : report.approval;
    const numbered = { report, nth: this.#nth, question: name };
    line.reports.push(numbered);
    if (report.type === 'hook.asked') line.question = { name, approval: report.approval };
    if (report.type === 'hook.stopped') line.question = null;
    this.#say(line, numbered);
    if (this.#world.script.strange && report.type === 'hook.prompted') this.#beStrange(line);
  }

  /** A connection of one daemon. `from`: how much of what was said it knows. */
  wire(run: number, from: number): Wire {
    const line = this.#line(run);
    const isThere = (): boolean => this.#world.process(run)?.alive === true;
    const isOpen = (): boolean => isThere() && this.#world.process(run)?.drawn === true;
    const queue: Incoming[] = [];
    let at = from;
    const connect = (): void => {
      if (!isOpen() || line.connected === queue) return;
      line.connected = queue;
      // It goes on from the question that waits.
      if (this.#kind === 'forgets') line.asked = Number(line.question?.name) || 0;
    };
    const take = (): Taken[] => {
      connect();
      if (this.#kind === 'forgets') return queue.splice(0).map((message) => ({ message, atBytes: 0 }));
      const fresh = line.said.slice(at).map((data, i) => ({ message: asMessage(data), atBytes: at + i + 1 }));
      at = line.said.length;
      return fresh;
    };
    const kind = this.#kind;
    return {
      get state() {
        connect();
        return isOpen() ? 'open' : isThere() ? 'connecting' : 'closed';
      },
      get connection() {
        return isOpen() ? 1 : 0;
      },
      get past() {
        return kind === 'keeps' ? line.sent : [];
      },
      take,
      send: async (message) => this.#send(line, message),
      close: () => {},
    };
  }

  /** The runs that have finished a turn. */
  stoppedRuns(): ReadonlySet<number> {
    const isStopped = ({ reports }: Line): boolean => reports.some(({ report }) => report.type === 'hook.stopped');
    return new Set([...this.#lines.values()].filter(isStopped).map(({ run }) => run));
  }

  #line(run: number): Line {
    const line = this.#lines.get(run) ?? fresh(run);
    this.#lines.set(run, line);
    return line;
  }

  #send(line: Line, message: Outgoing): void {
    const world = this.#world;
    world.point();
    const isPrompt = message.id.startsWith('deliver');
    if (isPrompt && world.befalls('unsent')) throw new NotSent('refused');
    if (this.#kind === 'keeps') {
      // Whoever goes on with the half of another message ends that first: the agent cannot read it.
      line.half = message.id;
      world.point();
      line.half = null;
      if (line.sent.some(({ id }) => id === message.id)) world.wrongs.push(`sent twice: ${message.id}`);
      line.sent.push(message);
    }
    const told = (message.is === 'message' ? message.data : null) as Told;
    world.later(WAY_MS, line.run, () => this.#told(line, told), true);
    world.point();
  }

  #told(line: Line, told: Told): void {
    const world = this.#world;
    const p = world.process(line.run);
    if (!p?.alive) return;
    if ('hello' in told) return this.#say(line, { open: this.#openOf(line) });
    if ('prompt' in told) return this.#agent.get(line.run, { token: told.prompt, text: told.text }, told.steer);
    if ('interrupt' in told) {
      line.isCancelled = true;
      return this.#agent.cancel(line.run, told.interrupt);
    }
    if ('error' in told) return void this.refused.push(told.error);
    const { allow } = told;
    const { question } = line;
    // An answer to what it does not ask is none.
    if (question?.name !== told.answer) return;
    const answer = question.approval;
    world.ledger.push(`told ${answer}`);
    if (!allow && world.isInterrupting && !line.isCancelled) world.wrongs.push('told no before it was told to stop');
    const isGated = world.script.spec.conversation?.gate !== undefined;
    if (isGated && world.decided.get(answer) !== allow) world.wrongs.push(`${answer} was answered by nobody`);
    this.answers.set(answer, allow);
    line.question = null;
  }

  #openOf({ run, reports, question }: Line): Open {
    const isBusy = this.#world.process(run)?.turn !== null;
    return { isBusy, questions: question === null ? [] : [question.name], reports: [...reports] };
  }

  /** What is said while nobody is connected is lost, unless it is kept. */
  #say(line: Line, said: Said): void {
    line.said.push(said);
    line.connected?.push(asMessage(said));
  }

  #beStrange(line: Line): void {
    const request = `odd-${line.run}-${this.#nth}`;
    this.odd.push({ run: line.run, request });
    for (const said of [{ request }, { answerTo: 'nobody' }]) this.#say(line, said);
    const garbage = { is: 'garbage', text: '{"half' } as const;
    line.connected?.push(garbage);
  }
}

function fresh(run: number): Line {
  return {
    run,
    sent: [],
    half: null,
    said: [],
    connected: null,
    reports: [],
    question: null,
    asked: 0,
    isCancelled: false,
  };
}

function asMessage(data: Said): Incoming {
  return { is: 'message', data };
}
