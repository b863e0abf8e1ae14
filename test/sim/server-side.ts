// The fake agent as a process that is driven by messages: what it received, what it sent, and its connection.
import type { Incoming, Outgoing } from '../../src/agent/seam/server.ts';
import type { HookInput } from '../../src/core/event.ts';
import { continued, sentIn } from '../../src/supervisor/wires/sent-lines.ts';
import { NotSent, type Taken, type Wire } from '../../src/supervisor/wires/wire.ts';
import type { Agent } from './agent.ts';
import type { AgentMessage, DaemonMessage, Hello, OpenState, WireKind } from './server-adapter.ts';
import { opened, type World } from './world.ts';

/** How long a message is in transit. It arrives even if its sender dies. */
const TRANSIT_MS = 3;

/** The messages of one run. They outlive every daemon. */
interface Channel {
  readonly run: number;
  /** The input file, which may end with half a line, and the ids of its messages by their offsets. */
  input: Buffer;
  readonly ids: Map<number, string>;
  /** How far the agent has read the input: whole lines. */
  readBytes: number;
  /** The conversation that is open in it, and whether it received a prompt there. */
  conversation: string | null;
  isUsed: boolean;
  /** Everything that it sent. Only on a durable wire is it read again. */
  readonly sent: AgentMessage[];
  /** The queue of the current connection, on a lossy wire. */
  connected: Incoming[] | null;
  reports: OpenState['reports'][number][];
  /** The pending question: its id for the agent, and its approval. */
  question: { readonly name: string; readonly approval: string } | null;
  /** How many questions it sent on this connection. */
  asked: number;
  /** It received an interrupt. */
  isCancelled: boolean;
}

export class ServerSide {
  readonly #world: World;
  readonly #kind: WireKind;
  readonly #channels = new Map<number, Channel>();
  readonly #agent: Agent;
  /** The decisions that the agent received, by approval. */
  readonly answers = new Map<string, boolean>();
  /** The unknown requests that it sent, and the errors that it got for them. */
  readonly unknownRequests: { readonly run: number; readonly request: string }[] = [];
  readonly errorsReceived: string[] = [];
  readonly #conversations = new Set<string>();
  #nth = 0;

  constructor(world: World, agent: Agent, kind: WireKind) {
    this.#world = world;
    this.#agent = agent;
    this.#kind = kind;
  }

  /** The agent reports something. */
  report(report: HookInput): void {
    const channel = this.#channel(report.run);
    this.#nth += 1;
    channel.asked += report.type === 'hook.asked' ? 1 : 0;
    const name =
      report.type !== 'hook.asked' ? '' : this.#world.script.numbersQuestions ? `${channel.asked}` : report.approval;
    const numbered = { report, nth: this.#nth, question: name };
    channel.reports.push(numbered);
    if (report.type === 'hook.asked') channel.question = { name, approval: report.approval };
    if (report.type === 'hook.stopped') channel.question = null;
    this.#emit(channel, numbered);
    if (this.#world.script.sendsUnknown && report.type === 'hook.prompted') this.#sendUnknown(channel);
  }

  /** A connection of one daemon. `from`: how many messages of the agent it has already read. */
  wire(run: number, from: number): Wire {
    const channel = this.#channel(run);
    const isThere = (): boolean => this.#world.process(run)?.alive === true;
    const isOpen = (): boolean => isThere() && this.#world.process(run)?.drawn === true;
    const queue: Incoming[] = [];
    let at = from;
    let connection = 0;
    const connect = (): void => {
      if (!isOpen() || channel.connected === queue) return;
      channel.connected = queue;
      connection = this.#kind === 'durable' ? 1 : connection + 1;
      // The count restarts after the pending question.
      if (this.#kind === 'lossy') channel.asked = Number(channel.question?.name) || 0;
    };
    const take = (): Taken[] => {
      connect();
      if (this.#kind === 'lossy') return queue.splice(0).map((message) => ({ message, atBytes: 0 }));
      const fresh = channel.sent.slice(at).map((data, i) => ({ message: asMessage(data), atBytes: at + i + 1 }));
      at = channel.sent.length;
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
      past: async () => (kind === 'durable' ? sentIn(channel.input, channel.ids) : []),
      take,
      send: async (message) => this.#send(channel, message),
      close: () => {},
    };
  }

  /** The runs that have finished a turn. */
  stoppedRuns(): ReadonlySet<number> {
    const isStopped = ({ reports }: Channel): boolean => reports.some(({ report }) => report.type === 'hook.stopped');
    return new Set([...this.#channels.values()].filter(isStopped).map(({ run }) => run));
  }

  #channel(run: number): Channel {
    const channel = this.#channels.get(run) ?? newChannel(run);
    this.#channels.set(run, channel);
    return channel;
  }

  #send(channel: Channel, message: Outgoing): void {
    const world = this.#world;
    world.point();
    const isPrompt = message.id.startsWith('deliver');
    if (isPrompt && world.takeGlitch('unsent')) throw new NotSent('refused');
    if (this.#kind === 'durable') return this.#write(channel, message);
    this.#deliver(channel, message);
    world.point();
  }

  /** Writes as src/supervisor/wires/sent-lines.ts does. The daemon may die with half of a message written. */
  #write(channel: Channel, { id, ...message }: Outgoing): void {
    const text = Buffer.from(`${JSON.stringify(message.is === 'message' ? message.data : null)}\n`);
    const { end, rest, begins: offset } = continued(channel.input.subarray(channel.input.lastIndexOf('\n') + 1), text);
    channel.ids.set(channel.input.length + offset, id);
    const middle = rest.length >> 1;
    for (const piece of [end, rest.subarray(0, middle), rest.subarray(middle)]) {
      channel.input = Buffer.concat([channel.input, piece]);
      this.#read(channel);
      if (piece.length > 0) this.#world.point();
    }
  }

  /** The agent reads whole lines, and ignores one that is not a message. */
  #read(channel: Channel): void {
    const end = channel.input.lastIndexOf('\n') + 1;
    if (end <= channel.readBytes) return;
    const before = sentIn(channel.input.subarray(0, channel.readBytes), channel.ids);
    for (const message of sentIn(channel.input.subarray(0, end), channel.ids).slice(before.length)) {
      if (before.some(({ id }) => id === message.id)) this.#world.violations.push(`sent twice: ${message.id}`);
      this.#deliver(channel, message);
    }
    channel.readBytes = end;
  }

  #deliver(channel: Channel, outgoing: Outgoing): void {
    const message = (outgoing.is === 'message' ? outgoing.data : null) as DaemonMessage;
    this.#world.later(TRANSIT_MS, channel.run, () => this.#handle(channel, message), true);
  }

  #handle(channel: Channel, message: DaemonMessage): void {
    const world = this.#world;
    const p = world.process(channel.run);
    if (!p?.alive) return;
    if ('hello' in message) return this.#hello(channel, message);
    if ('prompt' in message) {
      channel.isUsed = true;
      if (world.takeGlitch('disconnected')) channel.connected = null;
      return this.#agent.receiveMessage(channel.run, { token: message.prompt, text: message.text }, message.steer);
    }
    if ('interrupt' in message) {
      channel.isCancelled = true;
      return this.#agent.cancel(channel.run, message.interrupt);
    }
    if ('error' in message) return void this.errorsReceived.push(message.error);
    const { allow } = message;
    const { question } = channel;
    // It ignores the answer to a question that is not pending.
    if (question?.name !== message.answer) return;
    const answer = question.approval;
    world.ledger.push(`decision ${answer}`);
    if (!allow && world.isInterrupting && !channel.isCancelled)
      world.violations.push('a denial was sent before the interrupt');
    const isGated = world.script.spec.conversation?.gate !== undefined;
    if (isGated && world.decisionOn(answer) !== allow)
      world.violations.push(`${answer} was answered without a decision`);
    this.answers.set(answer, allow);
    channel.question = null;
  }

  /** It starts a conversation under an id of its choice, or opens the given one. */
  #hello(channel: Channel, { conversation, isAdopted }: Hello): void {
    const { violations } = this.#world;
    const known = channel.conversation;
    if (isAdopted && known === null) violations.push('a new process got the hello for an adopted one');
    if (conversation === null && channel.isUsed)
      violations.push('a second conversation was started in the same process');
    if (conversation !== null && conversation !== (known ?? conversation))
      violations.push('another conversation was opened');
    if (conversation !== null && !this.#conversations.has(conversation))
      violations.push(`there is no conversation ${conversation}`);
    const name = conversation ?? `c${this.#conversations.size + 1}`;
    this.#conversations.add(name);
    Object.assign(channel, { conversation: name });
    if (name !== known) {
      // A conversation that was left is not reported any more.
      channel.reports = channel.reports.filter(({ report }) => report.type !== 'hook.opened');
      this.report(opened(channel.run, name));
    }
    this.#emit(channel, { open: this.#openOf(channel) });
  }

  #openOf({ run, reports, question }: Channel): OpenState {
    const isBusy = this.#world.process(run)?.turn !== null;
    return { isBusy, questions: question === null ? [] : [question.name], reports: [...reports] };
  }

  /** Sends a message to the daemon. Without a connection it is lost on a lossy wire. */
  #emit(channel: Channel, message: AgentMessage): void {
    channel.sent.push(message);
    channel.connected?.push(asMessage(message));
  }

  #sendUnknown(channel: Channel): void {
    const request = `odd-${channel.run}-${this.#nth}`;
    this.unknownRequests.push({ run: channel.run, request });
    for (const message of [{ request }, { answerTo: 'nobody' }]) this.#emit(channel, message);
    const garbage = { is: 'garbage', text: '{"half' } as const;
    channel.connected?.push(garbage);
  }
}

function newChannel(run: number): Channel {
  return {
    run,
    input: Buffer.alloc(0),
    ids: new Map(),
    readBytes: 0,
    conversation: null,
    isUsed: false,
    sent: [],
    connected: null,
    reports: [],
    question: null,
    asked: 0,
    isCancelled: false,
  };
}

function asMessage(data: AgentMessage): Incoming {
  return { is: 'message', data };
}
