import type { CallOutput } from '../api/contract.ts';
import type { CallerProof } from '../api/contract-approvals.ts';
import { type OperationName, ROUTES } from '../api/routes.ts';
import type { Clock } from '../base/clock.ts';
import { Approvals } from './approvals.ts';
import { Calls, type Connection } from './calls.ts';
import { cursorOf } from './cursor.ts';
import { enduranceOf } from './exchange.ts';
import { type Executed, execute } from './execute.ts';
import { type Fanned, type FanOptions, fanOut } from './fan-out.ts';
import { follow, type Line, readEvents, readLogs, readScreens, readTurns } from './follow.ts';
import type { Given, Own, PromptInput } from './given.ts';
import { Session } from './handle.ts';
import { withImages } from './images.ts';
import { newKey } from './key.ts';
import { enduring, Outage } from './lost.ts';
import { knownFirst, type Patience, patiently } from './patience.ts';
import { type PipelineStep, pipeline } from './pipeline.ts';
import { Schedules } from './schedules.ts';
import { startGiven } from './start-given.ts';
import { type WatchLine, watchSessions } from './watch.ts';

/** What to start. Folder, environment and umask are the caller's own unless given. */
export type StartInput = Omit<Given<'session.start'>, 'cwd' | 'env'> &
  Partial<Pick<Given<'session.start'>, 'cwd' | 'env'>>;

/** The result of a prompt. `met` says whether `reply` is the reply, or an error text. */
export type Replied = CallOutput<'session.reply'>;

/** Options for converse: how long to wait for the reply, and how the prompt is given. */
export type ConverseOptions = Pick<Given<'session.prompt'>, 'now' | 'asCommand' | 'key' | 'images'> &
  Pick<Given<'session.reply'>, 'timeoutMs' | 'throughLimits'>;

/** The client: every operation as a method, and some combinations of them. */
export class Outlast extends Calls {
  /** Tool calls that wait for an answer. */
  readonly approvals: Approvals;
  readonly schedules: Schedules;
  readonly #own: () => Own;
  readonly #proof: () => CallerProof | undefined;
  readonly #clock: Clock;

  /** `own` has the defaults of a start; `proof` identifies this process to the daemon. */
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
    this.schedules = new Schedules((...asked) => this.call(...asked), own, clock);
  }

  /** Calls an operation by its name, and identifies the caller where it matters. */
  override call<N extends OperationName>(name: N, input: Given<N>, signal?: AbortSignal): Promise<CallOutput<N>> {
    const isRead = ROUTES[name].does === 'reads' && !('narrows' in ROUTES[name]) && !('lease' in input);
    const proof = isRead ? undefined : this.#proof();
    const made = proof === undefined ? input : { ...input, caller: proof };
    const endurance = enduranceOf(name, made);
    if (endurance === null) return super.call(name, made, signal);
    const outage = new Outage(this.#clock, { ...endurance, tell: this.transport.tell });
    return enduring(outage, () => super.call(name, made, signal), signal);
  }

  /** A wait continues however often the daemon dies, until its own timeout. */
  #patience(timeoutMs: number | undefined, signal: AbortSignal | undefined): Patience {
    return { clock: this.#clock, timeoutMs, tell: this.transport.tell, signal };
  }

  /** Starts a command, or with `agent` an agent, as a session and returns a handle to it. */
  async start(input: StartInput, signal?: AbortSignal): Promise<Session> {
    return new Session(this, await this.call('session.start', startGiven(this.#clock, this.#own(), input), signal));
  }

  /** Looks for interrupted conversations that Outlast did not start, and resumes those that qualify. */
  boot(input: Omit<Given<'boot.run'>, 'env'> = {}, signal?: AbortSignal) {
    const { env = {}, umask } = this.#own();
    return this.call('boot.run', { env, ...(umask === undefined ? {} : { umask }), ...input }, signal);
  }

  /** Takes over a conversation that Outlast did not start, and returns a handle to its new session. */
  async takeOver(input: Omit<Given<'conversation.resume'>, 'env'>, signal?: AbortSignal): Promise<Session> {
    const { env = {}, umask } = this.#own();
    const made = { env, ...(umask === undefined ? {} : { umask }), ...input };
    return new Session(this, await this.call('conversation.resume', made, signal));
  }

  /** Starts a command, waits for its end and returns its output. */
  exec(input: StartInput, signal?: AbortSignal): Promise<Executed> {
    return execute(this, input, signal);
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

  /** Gives each of many prompts to a session of its own, a limited number at once, and waits for all replies. */
  fanOut(parts: readonly (StartInput & { readonly prompt: string })[], options: FanOptions = {}): Promise<Fanned[]> {
    return fanOut(this, parts, options);
  }

  /** Starts steps that each use the reply of the one before, and waits for their replies. */
  pipeline(steps: readonly PipelineStep[], options: Omit<FanOptions, 'concurrency' | 'onResult'> = {}) {
    return pipeline(this, steps, options);
  }

  /** A handle to an existing session; no call is made until it is used. */
  session(idOrName: string): Session {
    return new Session(this, idOrName);
  }

  /** Gives an agent a prompt. Retrying after a broken connection still gives it once. */
  prompt(input: PromptInput, signal?: AbortSignal) {
    return this.call('session.prompt', { key: newKey(this.#clock), ...withImages(input, this.#own().cwd) }, signal);
  }

  /** The agent's session in which this process runs, also through a command of it; null: none. */
  async self(signal?: AbortSignal): Promise<string | null> {
    const id = this.#proof()?.run?.replace(/\.\d+$/, '');
    if (id === undefined) return null;
    const { session } = await this.show(id, signal);
    return session.drive === 'command' ? (session.owner?.session ?? null) : session.id;
  }

  /** Shows in which sessions a process runs; without one, this process. */
  async inside(caller = this.#proof(), signal?: AbortSignal): Promise<{ id: string; name: string }[]> {
    return caller === undefined ? [] : (await this.call('daemon.caller', { caller }, signal)).sessions;
  }

  /** Reports a text to the owner of the session in which this process runs. */
  tell(text: string, signal?: AbortSignal) {
    return this.call('session.tell', { key: newKey(this.#clock), text }, signal);
  }

  /**
   * Records that this process has read how a session ended, or the answer at this position, so that its owner, the
   * session in which this process runs, gets no update about it, and the shell that started this process no line. A
   * failure is ignored: they are told as well then.
   */
  async acknowledge(session: string, position?: string | number): Promise<void> {
    if (!this.#proof()?.run && this.#own().env?.OUTLAST_SHELL_ID === undefined) return;
    await this.call('session.acknowledge', { session, ...(position !== undefined && { position }) }).catch(() => {});
  }

  /** Starts an agent as a session owned by the one in which this process runs; its owner gets updates about it. */
  spawn(prompt: string, input: StartInput = {}, signal?: AbortSignal): Promise<Session> {
    const child = { wake: true, onEnd: 'stop', demand: true, note: true, ...input.child } as const;
    return this.start({ agent: '', keepOpen: false, ...input, prompt, background: true, child }, signal);
  }

  /** Gives an agent a prompt and waits for the reply. When the time is up, the session keeps running. */
  async converse(
    session: string,
    prompt: string,
    options: ConverseOptions = {},
    signal?: AbortSignal,
  ): Promise<Replied> {
    const { timeoutMs, throughLimits, ...how } = options;
    // By its id from here on: a name may refer to another session later.
    const given = await this.prompt({ ...how, session, prompt }, signal);
    return this.reply({ session: given.session.id, prompt: given.prompt, timeoutMs, throughLimits }, signal);
  }

  /** Waits for the end of a prompt and returns the reply; without a prompt, of the last one given. */
  reply(input: Given<'session.reply'>, signal?: AbortSignal): Promise<Replied> {
    const ask = (timeoutMs: number | undefined) => super.call('session.reply', { ...input, timeoutMs }, signal);
    return patiently(this.#patience(input.timeoutMs, signal), ask);
  }

  /**
   * Waits for an end, an idle agent, an event, a silence or a text. Texts and events count from this call on, even if
   * the daemon is lost in the meantime.
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

  /** The default wait: for the end of a command, or for an agent that is idle or has ended. */
  async usualWait(session: string, timeoutMs?: number, signal?: AbortSignal): Promise<'exit' | 'idle,ended'> {
    const shown = await knownFirst(this.#patience(timeoutMs, signal), () => this.show(session, signal));
    return shown.session.drive === 'command' ? 'exit' : 'idle,ended';
  }

  /** Reads with the patience of a wait: however often the daemon dies, or however long its process is stopped. */
  patiently<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    return knownFirst(this.#patience(undefined, signal), ask);
  }

  /** Reads the journal from a position; with `follow` it continues without end, also over a restart of the daemon. */
  events(input: Given<'session.events'> = {}, signal?: AbortSignal) {
    return readEvents(this.transport, this.#clock, input, signal);
  }

  /** Follows output until the session ends; nothing is lost or duplicated when the daemon goes away in the meantime. */
  follow(input: Given<'session.follow'>, signal?: AbortSignal): AsyncGenerator<Line, void, void> {
    return follow(this.transport, this.#clock, input, signal);
  }

  /** Shows the screen, and follows its changes until the session ends. */
  screens(input: Given<'session.screens'>, signal?: AbortSignal) {
    return readScreens(this.transport, this.#clock, input, signal);
  }

  /** Reads the conversation step by step, and follows it. After a lost connection the last turn comes again. */
  turns(input: Given<'session.turns'>, signal?: AbortSignal) {
    return readTurns(this.transport, this.#clock, input, signal);
  }

  /** Reads what happened in an agent session, and follows it. No line comes twice, also after a lost connection. */
  logs(input: Given<'session.logs'>, signal?: AbortSignal) {
    return readLogs(this.transport, this.#clock, input, signal);
  }

  /** Lists sessions with their last lines, and follows changes without end; it survives the daemon. */
  watch(input: Given<'session.watch'> = {}, signal?: AbortSignal): AsyncGenerator<WatchLine, void, void> {
    return watchSessions(this.transport, this.#clock, input, signal);
  }

  /** Closes the open connections. Sessions and the daemon keep running. */
  close(): void {
    this.transport.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
