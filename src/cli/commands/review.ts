import type { ApprovalView } from '../../api/contract-approvals.ts';
import { type ApprovalLine, type DecideOptions, type Outlast, OutlastError } from '../../client/index.ts';
import type { Context } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';
import { editedJson } from '../input/editor.ts';
import { Keyboard } from '../input/keyboard.ts';
import { approvalLines } from '../views/approval-view.ts';
import { userOf } from './approve.ts';

/** A key pressed this soon was meant for what was shown before. */
const SETTLE_MS = 300;
const CHOICES = '[y]es [n]o [e]dit, yes for this [s]ession, [a]lways, all [l]ike it, s[k]ip, [q]uit? ';
const LEAVE = new Set(['q', '\x03', '\x04']);

type Reviewing = Pick<Context, 'print' | 'clock' | 'env'>;

/** Shows approvals one by one to a person, who decides each with a key. */
export async function review(context: Reviewing, outlast: Outlast, which: { session?: string }): Promise<number> {
  const keyboard = new Keyboard();
  const leaving = new AbortController();
  const inbox = new Inbox(outlast.approvals.follow(which, leaving.signal));
  try {
    const isExpected = (await outlast.approvals.list(which, leaving.signal)).length > 0;
    return await new Review(context, outlast, keyboard, inbox).run(isExpected);
  } finally {
    leaving.abort();
    keyboard.close();
  }
}

/** The pending approvals, kept current. */
class Inbox {
  readonly open = new Map<string, ApprovalView>();
  readonly gone = new Map<string, ApprovalLine>();
  #changed = Promise.withResolvers<void>();
  #error: unknown = null;
  isOver = false;

  constructor(lines: AsyncIterable<ApprovalLine>) {
    void this.#read(lines);
  }

  /** Resolves with the next approval that comes or goes. Look first, then wait. */
  async change(): Promise<void> {
    if (!this.isOver) await this.#changed.promise;
    if (this.#error !== null) throw this.#error;
  }

  async #read(lines: AsyncIterable<ApprovalLine>): Promise<void> {
    try {
      for await (const line of lines) {
        if (line.approval === undefined) this.gone.set(line.id, line);
        else this.open.set(line.id, line.approval);
        if (line.approval === undefined) this.open.delete(line.id);
        this.#tell();
      }
    } catch (error) {
      this.#error = error;
    }
    this.isOver = true;
    this.#tell();
  }

  #tell(): void {
    const { resolve } = this.#changed;
    this.#changed = Promise.withResolvers();
    resolve();
  }
}

class Review {
  readonly #context: Reviewing;
  readonly #outlast: Outlast;
  readonly #keyboard: Keyboard;
  readonly #inbox: Inbox;
  readonly #skipped = new Set<string>();

  constructor(context: Reviewing, outlast: Outlast, keyboard: Keyboard, inbox: Inbox) {
    this.#context = context;
    this.#outlast = outlast;
    this.#keyboard = keyboard;
    this.#inbox = inbox;
  }

  /** Says that nothing is pending, unless an approval is expected at once. */
  async run(isExpected: boolean): Promise<number> {
    for (let isSaid = isExpected; ; ) {
      const asked = [...this.#inbox.open.values()].find(({ id }) => !this.#skipped.has(id));
      if (asked !== undefined) {
        isSaid = false;
        if ((await this.#show(asked)) === 'leave') return EXIT.fine;
        continue;
      }
      if (this.#inbox.isOver) return EXIT.fine;
      if (!isSaid) await this.#context.print.line('No pending approvals. q quits.');
      isSaid = true;
      const key = await Promise.race([this.#inbox.change(), this.#keyboard.key()]);
      if (key !== undefined && LEAVE.has(key)) return EXIT.fine;
    }
  }

  /** Shows one approval and reads the decision; it may be settled elsewhere first. */
  async #show(asked: ApprovalView): Promise<'leave' | 'next'> {
    const { print, clock } = this.#context;
    await print.line(`\n${approvalLines(asked, print).join('\n')}\n`);
    await clock.sleep(SETTLE_MS);
    this.#keyboard.forget();
    await print.stdout.write(print.style('bold', CHOICES));
    for (;;) {
      if (!this.#inbox.open.has(asked.id)) return this.#tellGone(asked.id);
      const key = await Promise.race([this.#inbox.change(), this.#keyboard.key()]);
      if (key === undefined) continue;
      if (LEAVE.has(key)) return print.line('').then(() => 'leave');
      if (await this.#answer(asked, key)) return 'next';
    }
  }

  async #tellGone(id: string): Promise<'next'> {
    const decided = this.#inbox.gone.get(id)?.decided;
    const how = decided ? `was ${decided.allow ? 'allowed' : 'denied'} by ${oneLine(decided.by)}` : 'is gone';
    await this.#context.print.line(`\n${id} ${how}.`);
    return 'next';
  }

  /** Carries out a key; false when the key means nothing. */
  async #answer(asked: ApprovalView, key: string): Promise<boolean> {
    const { print } = this.#context;
    switch (key) {
      case 'y':
        return this.#decide(asked, true, {});
      case 'n': {
        await print.stdout.write('no. Why? (Enter: no reason) ');
        const why = (await this.#keyboard.line()).trim();
        return this.#decide(asked, false, why === '' ? {} : { why });
      }
      case 'e': {
        await print.line('edit');
        const edited = await this.#keyboard.away(() => editedJson(asked.input, this.#context.env));
        if ('edit' in edited) return this.#decide(asked, true, edited);
        await print.line(`  ${edited.why}`);
        return true;
      }
      case 's':
        return this.#decide(asked, true, { keep: 'session' });
      case 'a':
        return this.#decide(asked, true, { keep: 'always' });
      case 'l':
        return this.#decide(asked, true, { alike: true });
      case 'k':
        this.#skipped.add(asked.id);
        return print.line('skipped').then(() => true);
      default:
        return false;
    }
  }

  async #decide({ id }: ApprovalView, allow: boolean, options: DecideOptions): Promise<boolean> {
    const { print, env } = this.#context;
    try {
      const { decided, rule } = await this.#outlast.approvals.decide(id, allow, { ...options, by: userOf(env) });
      const ids = decided.map(({ approval }) => approval).join(', ');
      await print.line(`${allow ? 'allowed' : 'denied'} ${ids}${rule === null ? '' : `, rule: ${oneLine(rule)}`}`);
      for (const { approval } of decided) this.#inbox.open.delete(approval);
    } catch (error) {
      if (!(error instanceof OutlastError)) throw error;
      await print.line(`\n  ${oneLine(error.message)}`);
      // Shown again unless it is settled.
      if (['approval_decided', 'approval_unknown'].includes(error.code)) this.#inbox.open.delete(id);
    }
    return true;
  }
}
