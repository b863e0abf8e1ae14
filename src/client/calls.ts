import type { CallInput, CallOutput } from '../api/contract.ts';
import type { OperationName } from '../api/routes.ts';
import type { Transport } from '../api/transport.ts';
import type { Given } from './given.ts';

/** A transport that can close its connections. */
export type Connection = Transport & { close(): void };

/** Every operation of the product as a method. Each accepts a signal; aborting it ends the wait, never the session. */
export class Calls {
  readonly transport: Connection;

  constructor(transport: Connection) {
    this.transport = transport;
  }

  /** Calls an operation by its name. */
  call<N extends OperationName>(name: N, input: Given<N>, signal?: AbortSignal): Promise<CallOutput<N>> {
    return this.transport.call(name, input as CallInput<N>, signal);
  }

  /** Lists sessions: live ones first, then those that have ended; newest first. */
  list(input: Given<'session.list'> = {}, signal?: AbortSignal) {
    return this.call('session.list', input, signal);
  }

  /** Shows the details of one session. */
  show(session: string, signal?: AbortSignal) {
    return this.call('session.show', { session }, signal);
  }

  /** Reads output by byte or by line. */
  output(input: Given<'session.output'>, signal?: AbortSignal) {
    return this.call('session.output', input, signal);
  }

  /** Reads the output that a named reader has not read yet. */
  poll(input: Given<'session.poll'>, signal?: AbortSignal) {
    return this.call('session.poll', input, signal);
  }

  /** Advances the cursor of a named reader. */
  ack(input: Given<'session.ack'>, signal?: AbortSignal) {
    return this.call('session.ack', input, signal);
  }

  /** Shows the screen. */
  screen(of: string | Given<'session.screen'>, signal?: AbortSignal) {
    return this.call('session.screen', typeof of === 'string' ? { session: of } : of, signal);
  }

  /** Sends bytes, keys or a paste. Never retried: it could arrive twice. */
  write(input: Given<'session.write'>, signal?: AbortSignal) {
    return this.call('session.write', input, signal);
  }

  /** Presses keys. */
  keys(session: string, keys: string[], signal?: AbortSignal, delayMs = 0) {
    return this.write({ session, keys, ...(delayMs > 0 ? { delayMs } : {}) }, signal);
  }

  /** Pastes text. */
  paste(session: string, text: string, signal?: AbortSignal) {
    return this.write({ session, paste: text }, signal);
  }

  /** Gives control of the terminal to a person for as long as the connection lives. */
  control(input: Given<'session.control'>, signal?: AbortSignal) {
    return this.transport.follow('session.control', input as CallInput<'session.control'>, signal);
  }

  /** Types what a person types over a connection that has control. */
  type(input: Given<'session.type'>, signal?: AbortSignal) {
    return this.call('session.type', input, signal);
  }

  /** Changes the size of the terminal. */
  resize(input: Given<'session.resize'>, signal?: AbortSignal) {
    return this.call('session.resize', input, signal);
  }

  /** Interrupts the command, as Ctrl-C does, or ends the turn of an agent. */
  interrupt(session: string, signal?: AbortSignal) {
    return this.call('session.interrupt', { session }, signal);
  }

  /** Drops a prompt that is queued or unsure. */
  drop(session: string, prompt: string, signal?: AbortSignal) {
    return this.call('session.drop', { session, prompt }, signal);
  }

  /** Reads a turn of the conversation. Without a number, the last one. */
  turn(input: Given<'session.turn'>, signal?: AbortSignal) {
    return this.call('session.turn', input, signal);
  }

  /** Shows which files an agent session has changed. */
  changes(input: Given<'session.changes'>, signal?: AbortSignal) {
    return this.call('session.changes', input, signal);
  }

  /** Reports on one page what happened to a session. */
  report(session: string, signal?: AbortSignal) {
    return this.call('session.report', { session }, signal);
  }

  /** Reports the usage of each of the last days, by model and by session. */
  usage(input: Given<'usage.days'> = {}, signal?: AbortSignal) {
    return this.call('usage.days', input, signal);
  }

  /** Reads what machines measure: counts of what happened on this host, and how it is now. */
  metrics(signal?: AbortSignal) {
    return this.call('metrics.read', {}, signal);
  }

  /** Lists the usage limits of the accounts, as agents last reported them or sessions met them. */
  limits(signal?: AbortSignal) {
    return this.call('limit.list', {}, signal);
  }

  /** Lists the known agents, whether they are installed, and what works with each. */
  agents(input: Given<'agent.list'> = {}, signal?: AbortSignal) {
    return this.call('agent.list', input, signal);
  }

  /** Resumes an ended, held or limited agent session on the same conversation, or with another agent. */
  resume(input: Given<'session.resume'>, signal?: AbortSignal) {
    return this.call('session.resume', input, signal);
  }

  /** Gives control to a person, or takes it back. */
  handoff(input: Given<'session.handoff'>, signal?: AbortSignal) {
    return this.call('session.handoff', input, signal);
  }

  /** Moves a session to the background: its caller no longer waits for it. */
  background(session: string, signal?: AbortSignal) {
    return this.call('session.background', { session }, signal);
  }

  /** Ends a session and everything it started. */
  stop(input: Given<'session.stop'>, signal?: AbortSignal) {
    return this.call('session.stop', input, signal);
  }

  /** Removes an ended session and its output. */
  remove(input: Given<'session.remove'>, signal?: AbortSignal) {
    return this.call('session.remove', input, signal);
  }

  /** Removes ended sessions older than an age. */
  prune(input: Given<'session.prune'>, signal?: AbortSignal) {
    return this.call('session.prune', input, signal);
  }

  /** Returns the command that attaches to the terminal. */
  attach(input: Given<'session.attach'>, signal?: AbortSignal) {
    return this.call('session.attach', input, signal);
  }

  /** Lists what the last scans found and did. */
  lastBoots(input: Given<'boot.last'> = {}, signal?: AbortSignal) {
    return this.call('boot.last', input, signal);
  }

  /** Searches prompts, replies and tool calls of all conversations on this machine, newest first. */
  search(input: Given<'search.query'>, signal?: AbortSignal) {
    return this.call('search.query', input, signal);
  }

  /** Shows what the search index has, and whether it is up to date. */
  searchStatus(signal?: AbortSignal) {
    return this.call('search.status', {}, signal);
  }

  /** Deletes the search index; the next search builds a new one. */
  deleteSearchIndex(signal?: AbortSignal) {
    return this.call('search.delete', {}, signal);
  }

  /** Lists the notices, and how their last deliveries went. */
  notices(signal?: AbortSignal) {
    return this.call('notice.list', {}, signal);
  }

  /** Sends a test message to one notice, once. */
  testNotice(name: string, signal?: AbortSignal) {
    return this.call('notice.test', { name }, signal);
  }

  /** Adds a notice to the config file, and begins to send it. A secret is written to a file of its own. */
  setNotice(input: Given<'notice.set'>, signal?: AbortSignal) {
    return this.call('notice.set', input, signal);
  }

  /** Removes a notice from the config file, with its secret, and sends it no more. */
  removeNotice(name: string, signal?: AbortSignal) {
    return this.call('notice.remove', { name }, signal);
  }

  /** Shows daemon status. */
  daemonStatus(signal?: AbortSignal) {
    return this.call('daemon.status', {}, signal);
  }

  /** Stops the daemon; sessions keep running. With `planned`, what is gone when it starts again is no crash. */
  stopDaemon(input: Given<'daemon.stop'> = {}, signal?: AbortSignal) {
    return this.call('daemon.stop', input, signal);
  }

  /** Shows the settings that the daemon uses, and whether the config file has others now. */
  config(input: Given<'config.show'> = {}, signal?: AbortSignal) {
    return this.call('config.show', input, signal);
  }

  /** Reads the config again, and uses what needs no new start. A file with a mistake changes nothing. */
  reloadConfig(input: Given<'config.reload'> = {}, signal?: AbortSignal) {
    return this.call('config.reload', input, signal);
  }

  /** Notifies the daemon that the machine woke up; it also notices by itself. */
  wake(signal?: AbortSignal) {
    return this.call('daemon.wake', {}, signal);
  }

  /** Checks the installation of the daemon. */
  doctor(input: Given<'daemon.doctor'> = {}, signal?: AbortSignal) {
    return this.call('daemon.doctor', input, signal);
  }

  /** Lists tmux sessions on all sockets. Ours and foreign ones. */
  tmuxFind(input: Given<'tmux.find'> = {}, signal?: AbortSignal) {
    return this.call('tmux.find', input, signal);
  }

  /** Reads the screen of a tmux pane. */
  tmuxCapture(input: Given<'tmux.capture'>, signal?: AbortSignal) {
    return this.call('tmux.capture', input, signal);
  }

  /** Waits for a text in a tmux pane. */
  tmuxWait(input: Given<'tmux.wait'>, signal?: AbortSignal) {
    return this.call('tmux.wait', input, signal);
  }
}
