import type { CallInput, CallOutput } from '../api/contract.ts';
import type { CallerProof } from '../api/contract-approvals.ts';
import type { Transport } from '../api/transport.ts';
import type { Clock } from '../base/clock.ts';
import { isLost, noEnd } from './follow.ts';
import type { Given } from './given.ts';

/** A question that came, or one that is gone. */
export type ApprovalLine = CallOutput<'approval.follow'>;

/** How an answer is given besides yes and no. */
export type DecideOptions = Omit<Given<'approval.decide'>, 'which' | 'allow' | 'caller'>;

const FRUITLESS_MAX = 3;
const PAUSE_MS = 50;

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

  /** What waits now, oldest first; of all sessions, or of one. */
  async list(input: Given<'approval.list'> = {}, signal?: AbortSignal) {
    return (await this.#transport.call('approval.list', input, signal)).approvals;
  }

  /** Allows a call, or denies it: by the id of the question, or by a session that has exactly one. */
  decide(which: string, allow: boolean, options: DecideOptions = {}, signal?: AbortSignal) {
    const caller = this.#proof();
    return this.#transport.call('approval.decide', { ...options, which, allow, caller }, signal);
  }

  /**
   * What waits now, then each question that comes and goes, for ever; of one session, until it has ended. Over a
   * restart of the daemon each is told once all the same.
   */
  async *follow(input: Given<'approval.list'> = {}, signal?: AbortSignal): AsyncGenerator<ApprovalLine, void, void> {
    const known = new Set<string>();
    for (let fruitless = 0; ; fruitless += 1) {
      if (fruitless > 0) await this.#clock.sleep(PAUSE_MS, signal);
      try {
        const given = { ...input, known: [...known] } as CallInput<'approval.follow'>;
        for await (const line of this.#transport.follow('approval.follow', given, signal)) {
          fruitless = 0;
          if (line.is === 'asked') known.add(line.id);
          else known.delete(line.id);
          yield line;
        }
        // A daemon that leaves ends it too, so it is asked again: one that has ended says nothing more.
        if (fruitless >= FRUITLESS_MAX && input.session !== undefined) return;
        if (fruitless >= FRUITLESS_MAX) throw noEnd('the approvals');
      } catch (error) {
        if (!isLost(error) || fruitless >= FRUITLESS_MAX) throw error;
      }
    }
  }

  /** The rules that were kept, of all workspaces. */
  async rules(signal?: AbortSignal) {
    return (await this.#transport.call('rule.list', {}, signal)).rules;
  }

  /** Forgets a rule that was kept. */
  async removeRule(rule: Omit<Given<'rule.remove'>, 'caller'>, signal?: AbortSignal): Promise<void> {
    await this.#transport.call('rule.remove', { ...rule, caller: this.#proof() }, signal);
  }

  /** The decisions that were made, oldest first. */
  audit(input: Given<'audit.read'> = {}, signal?: AbortSignal) {
    return this.#transport.follow('audit.read', input as CallInput<'audit.read'>, signal);
  }

  /** Proves that no decision was changed, or names the first one that was. */
  verify(input: Given<'audit.verify'> = {}, signal?: AbortSignal) {
    return this.#transport.call('audit.verify', input, signal);
  }
}
