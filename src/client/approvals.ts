import type { CallInput, CallOutput } from '../api/contract.ts';
import type { CallerProof } from '../api/contract-approvals.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../base/clock.ts';
import { followOn, hasEnded } from './follow.ts';
import type { Given } from './given.ts';

/** A new approval, or one that is settled. */
export type ApprovalLine = CallOutput<'approval.follow'>;

/** Options of an answer besides allow and deny. */
export type DecideOptions = Omit<Given<'approval.decide'>, 'which' | 'allow' | 'caller'>;

/** Tool calls that wait for an answer: `for await (const { is, approval } of outlast.approvals.follow()) …` */
export class Approvals {
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #proof: () => CallerProof | undefined;

  constructor(transport: Transport, clock: Clock, proof: () => CallerProof | undefined) {
    this.#transport = transport;
    this.#clock = clock;
    this.#proof = proof;
  }

  /** The pending approvals, oldest first; of all sessions, or of one. */
  async list(input: Given<'approval.list'> = {}, signal?: AbortSignal) {
    return (await this.#transport.call('approval.list', input, signal)).approvals;
  }

  /** Allows or denies a call: by the id of the approval, or by a session that has exactly one. */
  decide(which: string, allow: boolean, options: DecideOptions = {}, signal?: AbortSignal) {
    const caller = this.#proof();
    return this.#transport.call('approval.decide', { ...options, which, allow, caller }, signal);
  }

  /**
   * The pending approvals, then each one that comes and goes, without end; of one session, until it has ended. Each is
   * reported once, also over a restart of the daemon.
   */
  async *follow(input: Given<'approval.list'> = {}, signal?: AbortSignal): AsyncGenerator<ApprovalLine, void, void> {
    const known = new Set<string>();
    const open = () => {
      const given = { ...input, known: [...known] } as CallInput<'approval.follow'>;
      return this.#transport.follow('approval.follow', given, signal);
    };
    for await (const line of followOn(this.#transport, this.#clock, open, signal)) {
      if (line === 'ended') {
        // A daemon that shuts down ends it too.
        if (input.session !== undefined && (await hasEnded(this.#transport, this.#clock, input.session, signal)))
          return;
        continue;
      }
      if (line.is === 'asked') known.add(line.id);
      else known.delete(line.id);
      yield line;
    }
  }

  /** The stored rules, of all workspaces. */
  async rules(signal?: AbortSignal) {
    return (await this.#transport.call('rule.list', {}, signal)).rules;
  }

  /** Removes a stored rule. */
  async removeRule(rule: Omit<Given<'rule.remove'>, 'caller'>, signal?: AbortSignal): Promise<void> {
    await this.#transport.call('rule.remove', { ...rule, caller: this.#proof() }, signal);
  }

  /** The decisions that were made, oldest first. */
  audit(input: Given<'audit.read'> = {}, signal?: AbortSignal) {
    return this.#transport.follow('audit.read', input as CallInput<'audit.read'>, signal);
  }

  /** Records in the audit that a browser of the web page got access or lost it, and tells of new ones. */
  recordDevice(input: Omit<Given<'device.record'>, 'caller'>, signal?: AbortSignal) {
    return this.#transport.call('device.record', { ...input, caller: this.#proof() }, signal);
  }

  /** Proves that no decision was changed, or names the first one that was. */
  verify(input: Given<'audit.verify'> = {}, signal?: AbortSignal) {
    return this.#transport.call('audit.verify', input, signal);
  }
}
