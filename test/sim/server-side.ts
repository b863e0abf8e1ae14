// The fake agent as a process that is driven by messages: what it was sent, what it said, who is connected.
import type { Incoming, Outgoing } from '../../src/agent/seam/server.ts';
import type { HookInput } from '../../src/core/event.ts';
import { continued, sentIn } from '../../src/supervisor/wires/sent-lines.ts';
import { NotSent, type Taken, type Wire } from '../../src/supervisor/wires/wire.ts';
import type { Agent } from './agent.ts';
import type { Hello, Open, Said, Told, WireKind } from './server-adapter.ts';
import { opened, type World } from './world.ts';

/** How long a message is in transit, even if its sender dies. */
const WAY_MS = 3;

/** What belongs to one run, and outlives every daemon. */
interface Line {
  readonly run: number;
  /** The file of what it was sent, which may end with half a line, and the ids of the lines by where they begin. */
  input: Buffer;
  readonly ids: Map<number, string>;
  /** So much of it the agent has read: whole lines. */
  readBytes: number;
  /** The conversation that is open in it, and whether it received anything there. */
  conversation: string | null;
  isUsed: boolean;
  /** Everything that it said; only where that is kept is it read again. */
  readonly said: Said[];
  /** What is sent to who is connected, in a wire that forgets. */
  connected: Incoming[] | null;
  reports: Open['reports'][number][];
  /** The question that waits: by the agent's own name, and what it is about. */
  question: { readonly name: string; readonly approval: string } | null;
  /** So many it asked of who is connected. */
  asked: number;
  /** It was asked to end its turn. */
  isCancelled: boolean;
}

export class ServerSide {
  readonly #world: World;
  readonly #kind: WireKind;
  readonly #lines = new Map<number, Line>();
  readonly #agent: Agent;
  /** What the questions were answered with, in messages. */
  readonly answers = new Map<string, boolean>();
  /** The unknown requests, and the errors that they were answered with. */
  readonly odd: { readonly run: number; readonly request: string }[] = [];
  readonly refused: string[] = [];
  readonly #conversations = new Set<string>();
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
    let connection = 0;
    const connect = (): void => {
      if (!isOpen() || line.connected === queue) return;
      line.connected = queue;
      connection = this.#kind === 'keeps' ? 1 : connection + 1;
      // It continues from the open question.
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
        connect();
        return isOpen() ? connection : 0;
      },
      past: async () => (kind === 'keeps' ? sentIn(line.input, line.ids) : []),
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
    if (this.#kind === 'keeps') return this.#write(line, message);
    this.#arrives(line, message);
    world.point();
  }

  /** As src/supervisor/wires/sent-lines.ts writes it; whoever writes may die when half of it is written. */
  #write(line: Line, { id, ...message }: Outgoing): void {
    const text = Buffer.from(`${JSON.stringify(message.is === 'message' ? message.data : null)}\n`);
    const { end, rest, begins } = continued(line.input.subarray(line.input.lastIndexOf('\n') + 1), text);
    line.ids.set(line.input.length + begins, id);
    const middle = rest.length >> 1;
    for (const piece of [end, rest.subarray(0, middle), rest.subarray(middle)]) {
      line.input = Buffer.concat([line.input, piece]);
      this.#read(line);
      if (piece.length > 0) this.#world.point();
    }
  }

  /** The agent reads whole lines. One that is no message it does not understand. */
  #read(line: Line): void {
    const end = line.input.lastIndexOf('\n') + 1;
    if (end <= line.readBytes) return;
    const before = sentIn(line.input.subarray(0, line.readBytes), line.ids);
    for (const message of sentIn(line.input.subarray(0, end), line.ids).slice(before.length)) {
      if (before.some(({ id }) => id === message.id)) this.#world.wrongs.push(`sent twice: ${message.id}`);
      this.#arrives(line, message);
    }
    line.readBytes = end;
  }

  #arrives(line: Line, message: Outgoing): void {
    const told = (message.is === 'message' ? message.data : null) as Told;
    this.#world.later(WAY_MS, line.run, () => this.#told(line, told), true);
  }

  #told(line: Line, told: Told): void {
    const world = this.#world;
    const p = world.process(line.run);
    if (!p?.alive) return;
    if ('hello' in told) return this.#greeted(line, told);
    if ('prompt' in told) {
      line.isUsed = true;
      if (world.befalls('disconnected')) line.connected = null;
      return this.#agent.get(line.run, { token: told.prompt, text: told.text }, told.steer);
    }
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

  /** It begins a conversation under a name of its own, or opens the one it is told. */
  #greeted(line: Line, { conversation, isAdopted }: Hello): void {
    const { wrongs } = this.#world;
    const known = line.conversation;
    if (isAdopted && known === null) wrongs.push('greeted as if it had been spoken to before');
    if (conversation === null && line.isUsed) wrongs.push('a second conversation was begun in the same process');
    if (conversation !== null && conversation !== (known ?? conversation)) wrongs.push('another one was opened');
    if (conversation !== null && !this.#conversations.has(conversation)) wrongs.push(`there is no ${conversation}`);
    const name = conversation ?? `c${this.#conversations.size + 1}`;
    this.#conversations.add(name);
    Object.assign(line, { conversation: name });
    if (name !== known) {
      // Of one that was left nothing is said any more.
      line.reports = line.reports.filter(({ report }) => report.type !== 'hook.opened');
      this.report(opened(line.run, name));
    }
    this.#say(line, { open: this.#openOf(line) });
  }

  #openOf({ run, reports, question }: Line): Open {
    const isBusy = this.#world.process(run)?.turn !== null;
    return { isBusy, questions: question === null ? [] : [question.name], reports: [...reports] };
  }

  /** A message without a connection is lost, unless it is kept. */
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
    input: Buffer.alloc(0),
    ids: new Map(),
    readBytes: 0,
    conversation: null,
    isUsed: false,
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
