import type { CallOutput } from '../api/contract.ts';
import type { CallerProof } from '../api/contract-approvals.ts';
import { type OperationName, ROUTES } from '../api/routes.ts';
import type { SessionView } from '../api/shapes.ts';
import type { Clock } from '../base/clock.ts';
import { Approvals } from './approvals.ts';
import { Calls, type Connection } from './calls.ts';
import { cursorOf } from './cursor.ts';
import { enduranceOf } from './exchange.ts';
import { type Fanned, type FanOptions, fanOut } from './fan-out.ts';
import { follow, type Line, readEvents } from './follow.ts';
import type { Given } from './given.ts';
import { Session } from './handle.ts';
import { enduring, Outage } from './lost.ts';
import { knownFirst, type Patience, patiently } from './patience.ts';
import { type PipelineStep, pipeline } from './pipeline.ts';

/** What to start. Folder, environment and file mode mask are the caller's own unless given. */
export type StartInput = Omit<Given<'session.start'>, 'cwd' | 'env'> &
  Partial<Pick<Given<'session.start'>, 'cwd' | 'env'>>;

/** What a caller has of its own: folder, environment and file mode mask. */
export type Own = Partial<Pick<Given<'session.start'>, 'cwd' | 'env' | 'umask'>>;

/** How a command ended and what it printed. */
export interface Executed {
  readonly session: SessionView;
  /** Its output as text; of very long output the end. */
  readonly output: string;
  readonly omittedChars: number;
}

/** What became of a prompt. `met` says whether `reply` is the reply, or the words of an error. */
export type Replied = CallOutput<'session.reply'>;

/** How to converse: how long to wait for the reply, and how the prompt is given. */
export type ConverseOptions = Pick<Given<'session.prompt'>, 'now' | 'asCommand' | 'key'> &
  Pick<Given<'session.reply'>, 'timeoutMs' | 'throughLimits'>;

const OUTPUT_CHARS_MAX = 1024 * 1024;

/** The client: every operation as a method, and what is made of several of them. */
export class Outlast extends Calls {
  /** Tool calls that wait for an answer. */
  readonly approvals: Approvals;
  readonly #own: () => Own;
  readonly #proof: () => CallerProof | undefined;
  readonly #clock: Clock;

  /** `own` is what a start takes from its caller when nothing is said; `proof` says where we run. */
  constructor(
    transport: Connection,
    own: () => Own,
    clock: Clock,
    proof: () => CallerProof | undefined = () => undefined,
  ) {
    super(transport);
    this.#own = own;
    this.#proof = proof;
    this.#clock = clock;
    this.approvals = new Approvals(transport, clock, proof);
  }

  /** Calls an operation by its name. Where it matters, the daemon is told who asks. */
  override call<N extends OperationName>(name: N, input: Given<N>, signal?: AbortSignal): Promise<CallOutput<N>> {
    const isRead = ROUTES[name].does === 'reads' && !('lease' in input);
    const proof = isRead ? undefined : this.#proof();
    const made = proof === undefined ? input : { ...input, caller: proof };
    const endurance = enduranceOf(name, made);
    if (endurance === null) return super.call(name, made, signal);
    const outage = new Outage(this.#clock, { ...endurance, tell: this.transport.tell });
    return enduring(outage, () => super.call(name, made, signal), signal);
  }

  /** Whoever waits does so however often the daemon dies, or until its own time is up. */
  #patience(timeoutMs: number | undefined, signal: AbortSignal | undefined): Patience {
    return { clock: this.#clock, timeoutMs, tell: this.transport.tell, signal };
  }

  /** Starts a command, or with `agent` an agent, as a session and gives a handle to it. */
  async start(input: StartInput, signal?: AbortSignal): Promise<Session> {
    const made = {
      key: newKey(this.#clock),
      ...this.#own(),
      ...input,
    } as Given<'session.start'>;
    return new Session(this, await this.call('session.start', made, signal));
  }

  /** Looks for interrupted conversations that we did not begin, and resumes what shall be. */
  boot(input: Omit<Given<'boot.run'>, 'env'> = {}, signal?: AbortSignal) {
    const { env = {}, umask } = this.#own();
    return this.call('boot.run', { env, ...(umask === undefined ? {} : { umask }), ...input }, signal);
  }

  /** Takes over a conversation that we did not begin, and gives a handle to the session it is now. */
  async takeOver(input: Omit<Given<'conversation.resume'>, 'env'>, signal?: AbortSignal): Promise<Session> {
    const { env = {}, umask } = this.#own();
    const made = { env, ...(umask === undefined ? {} : { umask }), ...input };
    return new Session(this, await this.call('conversation.resume', made, signal));
  }

  /** Starts a command, waits for its end and gives its output. */
  async exec(input: StartInput, signal?: AbortSignal): Promise<Executed> {
    const session = await this.start({ background: false, ...input }, signal);
    let output = '';
    let omittedChars = 0;
    for await (const line of this.follow({ session: session.id, from: 0, owner: true }, signal)) {
      if (line.session !== undefined) return { session: line.session, output, omittedChars };
      output += line.text ?? '';
      const most = Math.max(output.length - OUTPUT_CHARS_MAX, 0);
      // Not between the halves of a character.
      const over = /^[\udc00-\udfff]/.test(output.slice(most, most + 1)) ? most + 1 : most;
      output = output.slice(over);
      omittedChars += over;
    }
    return { session: (await this.show(session.id, signal)).session, output, omittedChars };
  }

  /** Starts an agent with one prompt, waits for the reply, and lets the session end. */
  async run(
    prompt: string,
    options: StartInput & Pick<ConverseOptions, 'timeoutMs' | 'throughLimits'> = {},
    signal?: AbortSignal,
  ): Promise<Replied> {
    const { timeoutMs, throughLimits, ...input } = options;
    const session = await this.start({ agent: '', keepOpen: false, ...input, prompt }, signal);
    return session.reply({ timeoutMs, throughLimits }, signal);
  }

  /** Gives each of many prompts to a session of its own, so many at once, and waits for all replies. */
  fanOut(parts: readonly (StartInput & { readonly prompt: string })[], options: FanOptions = {}): Promise<Fanned[]> {
    return fanOut(this, parts, options);
  }

  /** Starts steps that each use the reply of the one before, and waits for their replies. */
  pipeline(steps: readonly PipelineStep[], options: Omit<FanOptions, 'concurrency' | 'onResult'> = {}) {
    return pipeline(this, steps, options);
  }

  /** A handle to a session that is already there; nothing is asked until it is used. */
  session(idOrName: string): Session {
    return new Session(this, idOrName);
  }

  /** Gives an agent a prompt. Asking again after a broken connection gives it once all the same. */
  prompt(input: Given<'session.prompt'>, signal?: AbortSignal) {
    return this.call('session.prompt', { key: newKey(this.#clock), ...input }, signal);
  }

  /** The session of an agent that we run inside of, also through a command of it; null: none. */
  async self(signal?: AbortSignal): Promise<string | null> {
    const id = this.#proof()?.run?.replace(/\.\d+$/, '');
    if (id === undefined) return null;
    const { session } = await this.show(id, signal);
    return session.drive === 'command' ? (session.owner?.session ?? null) : session.id;
  }

  /** Tells the owner of the session that we run inside of something. */
  tell(text: string, signal?: AbortSignal) {
    return this.call('session.tell', { key: newKey(this.#clock), text }, signal);
  }

  /**
   * Says that we have read how a session ended, or the answer at this position. If the session that we run inside of
   * owns it, it is not told of it again. Whether that works is nobody's trouble.
   */
  async acknowledge(session: string, position?: string | number): Promise<void> {
    if (!this.#proof()?.run) return;
    await this.call('session.acknowledge', { session, ...(position !== undefined && { position }) }).catch(() => {});
  }

  /** Starts an agent as a session that the one we run inside of owns, and is woken by. */
  spawn(prompt: string, input: StartInput = {}, signal?: AbortSignal): Promise<Session> {
    const child = { wake: true, onEnd: 'stop', demand: true, note: true, ...input.child } as const;
    return this.start({ agent: '', keepOpen: false, ...input, prompt, background: true, child }, signal);
  }

  /** Gives an agent a prompt and waits for the reply to it. When the time is up, the session goes on. */
  async converse(session: string, text: string, options: ConverseOptions = {}, signal?: AbortSignal): Promise<Replied> {
    const { timeoutMs, throughLimits, ...how } = options;
    // By its id from here on: a name may come to mean another session.
    const given = await this.prompt({ ...how, session, text }, signal);
    return this.reply({ session: given.session.id, prompt: given.prompt, timeoutMs, throughLimits }, signal);
  }

  /** Waits for the end of a prompt and gives the reply; without a prompt, of the last one given. */
  reply(input: Given<'session.reply'>, signal?: AbortSignal): Promise<Replied> {
    const ask = (timeoutMs: number | undefined) => super.call('session.reply', { ...input, timeoutMs }, signal);
    return patiently(this.#patience(input.timeoutMs, signal), ask);
  }

  /**
   * Waits for an end, an idle agent, an event, a silence or a text. Texts and events count from this call on, even if
   * the daemon is lost meanwhile.
   */
  async wait(input: Given<'session.wait'>, signal?: AbortSignal): Promise<CallOutput<'session.wait'>> {
    const words = (input.for ?? '').split(',');
    const wants = (kind: string): boolean => words.some((word) => word.startsWith(`${kind}:`));
    const { session, timeoutMs } = input;
    const first = <T>(ask: () => Promise<T>): Promise<T> => knownFirst(this.#patience(timeoutMs, signal), ask);
    const endOf = async (): Promise<number> => (await this.output({ session, bytes: 0 }, signal)).end;
    const since = input.since ?? (wants('text') ? await first(endOf) : undefined);
    const placeOf = async (): Promise<string | number> => cursorOf(await this.daemonStatus(signal));
    const after = input.after ?? (wants('event') ? await first(placeOf) : undefined);
    const ask = (timeoutMs: number | undefined) =>
      super.call('session.wait', { ...input, since, after, timeoutMs }, signal);
    return patiently(this.#patience(timeoutMs, signal), ask);
  }

  /** What is usually waited for: the end of a command, or an agent that is idle or has ended. */
  async usualWait(session: string, timeoutMs?: number, signal?: AbortSignal): Promise<'exit' | 'idle,ended'> {
    const shown = await knownFirst(this.#patience(timeoutMs, signal), () => this.show(session, signal));
    return shown.session.drive === 'command' ? 'exit' : 'idle,ended';
  }

  /** Reads as patiently as others wait: however often the daemon dies, or however long it is stopped. */
  patiently<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return knownFirst(this.#patience(undefined, signal), ask);
  }

  /** Reads the journal from a position; with `follow` it goes on for ever, also over a restart of the daemon. */
  events(input: Given<'session.events'> = {}, signal?: AbortSignal) {
    return readEvents(this.transport, this.#clock, input, signal);
  }

  /** Follows output until the session ends; nothing is lost or doubled when the daemon goes away meanwhile. */
  follow(input: Given<'session.follow'>, signal?: AbortSignal): AsyncGenerator<Line, void, void> {
    return follow(this.transport, this.#clock, input, signal);
  }

  /** Closes the kept connections. Sessions and the daemon go on. */
  close(): void {
    this.transport.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

// With a key, asking again after a broken connection does nothing twice. It is no secret, and crypto costs 6 ms. A
// prompt is called by it, so it is short: the time, then 52 bits of chance.
function newKey(clock: Clock): string {
  const chance = Math.floor(Math.random() * 2 ** 52);
  return `${clock.wallMs().toString(36)}${chance.toString(36).padStart(11, '0')}`;
}
