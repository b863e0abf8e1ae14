// A fake world for the simulator: terminals, launchers, an agent, a transcript and a hook spool that survive the
// supervisor, and a power switch that they do not survive.
import type { Effect, Event, HookInput, Input, InputId, Say } from '../../src/core/event.ts';
import { type ConversationId, runOf, type Session, type Trouble } from '../../src/core/session.ts';
import type { Snapshot, TerminalSnapshot } from '../../src/core/snapshot.ts';
import { tokenOf } from '../../src/core/steps.ts';
import { isHolderAsked } from '../../src/supervisor/holder.ts';
import type { ReadSoFar } from '../../src/supervisor/server-run.ts';
import { Agent } from './agent.ts';
import { Callers } from './callers.ts';
import { Conversation } from './conversation.ts';
import { Offers } from './in-turn-updates.ts';
import { Lots } from './lots.ts';
import { freshProcess, GONE, type Process, screenOf, signsOf, terminalOf, verdictOf } from './process.ts';
import { COMPACT, conversationOf } from './remedies.ts';
import type { Elsewhere, Loss, Script } from './scripts.ts';
import { Search } from './search.ts';
import { ServerSide } from './server-side.ts';

/** How long after it is written a claim or an exit may still be lost with the power. */
const UNSYNCED_MS = 100;

export class World {
  nowMs = 0;
  /** A container: it is restarted under the same kernel. */
  boot = 'kernel/1';
  aliveMax = 0;
  /** Another process has the conversation open. */
  isOpenElsewhere = false;
  /** Somebody wants its turn to end, and it has not ended. */
  isInterrupting = false;
  /** The folder it works in. */
  isFolderGone = false;
  /** Everything that was really done, for the checker: it must never contain the same thing twice. */
  readonly ledger: string[] = [];
  /** Keys that were pressed where none may be. */
  readonly wrongs: string[] = [];
  /** The texts that the agent received. */
  readonly said: Say[] = [];
  readonly spool: { id: InputId; input: Input }[] = [];
  readonly conversation = new Conversation();
  readonly offers = new Offers();
  readonly callers: Callers;
  readonly lots: Lots;
  readonly script: Script;
  readonly decided = new Map<string, boolean>();
  /** Questions whose hooks are told to put the call off, and those that are asked again under another name. */
  readonly told = new Set<string>();
  readonly repeated = new Map<string, string>();
  /** Answers that were used, and so let nothing else through. */
  readonly used = new Set<string>();
  readonly #processes = new Map<number, Process>();
  readonly #agent: Agent;
  readonly #search: Search;
  /** What speaks in messages, and what a daemon has kept of that, by run. */
  readonly server: ServerSide;
  readonly kept = new Map<number, ReadSoFar>();
  #alarms: { atMs: number; fire: () => void }[] = [];
  readonly #dying: { atMs: number; input: Input }[] = [];
  #hooks = 0;
  #trouble = true;
  readonly #point: () => void;

  constructor(script: Script, point: () => void) {
    this.script = script;
    this.callers = new Callers(script);
    this.lots = new Lots(script);
    this.#point = point;
    this.#agent = new Agent(this);
    this.#search = new Search(this);
    this.server = new ServerSide(this, this.#agent, script.wire ?? 'keeps');
  }

  look(session: Session): Omit<Snapshot, 'tried'> {
    const run = runOf(session);
    const p = this.#processes.get(run);
    const { comesAfter, lagMs = 0, computing = false, uses, oom, unrecorded, hostResumes = 0 } = this.script;
    const isPending = comesAfter !== undefined && this.nowMs < comesAfter.ms;
    const terminal = terminalOf(p, run, this.nowMs);
    return {
      terminal: oom === true ? withOom(terminal) : terminal,
      ...verdictOf(terminal, session),
      strayProcesses: p?.children ?? 0,
      screen: screenOf(p, session),
      viewers: p?.viewers ?? 0,
      transcript: {
        ...this.conversation.snapshot(this.nowMs, lagMs),
        ...(p?.alive && p.behind ? { isAhead: true } : {}),
        ...(unrecorded === true ? unread(session) : {}),
        ...this.#search.snapshot(session, terminal),
      },
      ...(this.isFolderGone && terminal.is !== 'alive' ? { workspaceGone: true } : {}),
      ...(this.isOpenElsewhere && isHolderAsked(session) ? { holder: 'process 7 has its conversation open' } : {}),
      signs: { ...signsOf(p, this.nowMs), isComputing: computing, words: [] },
      wallMs: this.lots.wallMs(this.nowMs),
      breach: null,
      used: uses === true ? usedOf(session) : null,
      account: this.lots.account(this.nowMs),
      compact: COMPACT,
      fork: true,
      hostResumes,
      after: isPending ? { is: 'waiting' } : (comesAfter?.snapshot ?? { is: 'met', texts: [] }),
      boot: this.boot,
      planned: this.script.planned ?? false,
      slot: true,
      ...(p?.stays === true && session.prompts.every((prompt) => prompt.run !== run) ? { isSaid: true } : {}),
      ...this.offers.snapshot(session, this.conversation, this.nowMs, lagMs),
    };
  }

  act(session: Session, effect: Effect): void {
    this.point();
    const { run } = effect;
    switch (effect.kind) {
      case 'open':
        return this.#open(session, effect);
      case 'deliver':
        return this.#agent.type(session, run, effect.say);
      case 'enter':
        return this.#agent.enter(session, run);
      case 'withdraw':
        return this.#agent.clear(session, run);
      case 'interrupt':
        return this.#agent.interrupt(session, run);
      case 'close':
        return this.#close(run);
      case 'hangup':
        return this.#hangUp(run);
      case 'repair-output':
      case 'answer':
        return;
      case 'stage':
        this.offers.lay(run, effect.update, effect.text, this.nowMs);
        return this.point();
      case 'unstage':
        this.offers.take(run, 'back', this.nowMs);
        return this.point();
    }
  }

  /** The journal has these now. Whoever waited for one of them does what they wanted to do. */
  notice(events: readonly Event['body'][]): void {
    for (const body of events) {
      if (body.type === 'approval.decided') this.decided.set(body.approval, body.allow);
      if (body.type === 'approval.deferred') this.told.add(body.approval);
      if (body.type === 'approval.repeated') this.repeated.set(body.hook, body.approval);
      if (body.type === 'approval.used') this.used.add(body.approval);
      if (body.type === 'session.released' && body.startFresh === true) this.conversation.isLost = false;
      if (body.type === 'turn.interrupting') this.isInterrupting = true;
      if (/^prompt\.(answered|interrupted|failed)$|^run\.faulted$/.test(body.type)) this.isInterrupting = false;
      if (body.type === 'session.limited') this.lots.nap(this.nowMs);
      for (const deed of this.callers.notice(body.type, this.nowMs)) this.#agent.person(deed, this.#lastRun());
    }
  }

  drawn(run: number): void {
    for (const deed of this.callers.notice('drawn', this.nowMs)) this.#agent.person(deed, run);
  }

  point(): void {
    this.#point();
  }

  process(run: number): Process | undefined {
    return this.#processes.get(run);
  }

  /** The trouble of this script happens once. */
  befalls(trouble: Script['trouble']): boolean {
    const isNow = this.#trouble && this.script.trouble === trouble;
    if (isNow) this.#trouble = false;
    return isNow;
  }

  /** This trouble is still to come. */
  isAhead(trouble: Script['trouble']): boolean {
    return this.#trouble && this.script.trouble === trouble;
  }

  /** Lets everything happen that is due until then. */
  advance(toMs: number): void {
    for (;;) {
      this.#alarms.sort((a, b) => a.atMs - b.atMs);
      const alarm = this.#alarms[0];
      if (alarm === undefined || alarm.atMs > toMs) break;
      this.#alarms.shift();
      this.nowMs = Math.max(this.nowMs, alarm.atMs);
      alarm.fire();
    }
    this.nowMs = Math.max(this.nowMs, toMs);
    for (const late of this.#dying.filter((hook) => hook.atMs <= this.nowMs)) {
      this.#dying.splice(this.#dying.indexOf(late), 1);
      this.hook(late.input);
    }
  }

  /** When the next thing happens by itself. */
  dueMs(): number {
    const dying = this.#dying.map((d) => d.atMs);
    return Math.min(...this.#alarms.map((a) => a.atMs), ...dying, this.callers.dueMs(this.nowMs));
  }

  /** The power fails: every process is gone, and what was not yet on the disk too. */
  reboot(): void {
    this.#alarms = [];
    this.isOpenElsewhere = false;
    this.boot = `kernel/${Number(this.boot.slice(7)) + 1}`;
    this.conversation.settle();
    this.offers.reboot(this.nowMs, UNSYNCED_MS);
    for (const [run, p] of this.#processes) {
      if (this.nowMs - p.claimedAtMs < UNSYNCED_MS && p.claimed) this.#processes.delete(run);
      else Object.assign(p, { ...GONE, children: 0 });
      if (this.nowMs - p.lastOutputMs < UNSYNCED_MS) p.status = null;
    }
  }

  /** What is alive now, over all runs. */
  alive(): number {
    return [...this.#processes.values()].filter((p) => p.alive || p.children > 0).length;
  }

  hook(input: Input): void {
    if (this.script.wire !== undefined && isHook(input)) return this.server.report(input);
    for (let copy = 0; copy < (this.script.doubled ? 2 : 1); copy += 1) {
      this.#hooks += 1;
      this.spool.push({ id: `hook-${this.#hooks}` as InputId, input });
    }
  }

  /** What a process does later, if it still lives. It prints something with it, unless it only waits. */
  later(ms: number, run: number, fire: (p: Process) => void, isQuiet = false): void {
    const guarded = (): void => {
      const p = this.#processes.get(run);
      if (!p?.alive) return;
      if (!isQuiet) p.lastOutputMs = this.nowMs;
      fire(p);
    };
    this.#alarms.push({ atMs: this.nowMs + ms, fire: guarded });
  }

  /** Something that it needs is taken away, or put back. */
  lose(loss: Loss): void {
    if (loss === 'lose') this.conversation.lose();
    else this.isFolderGone = loss === 'unmount';
  }

  /** Another process opens the conversation, or leaves it. */
  elsewhere(does: Elsewhere, ms: number): void {
    const fire = (): void => {
      const wasOpen = this.isOpenElsewhere;
      this.isOpenElsewhere = does === 'open';
      if (does === 'open' || !wasOpen) return;
      this.conversation.hear(null, this.nowMs);
      this.conversation.end('closed', 'Elsewhere.', this.nowMs);
      for (const p of this.#processes.values()) if (p.alive) p.behind = true;
    };
    this.#alarms.push({ atMs: this.nowMs + ms, fire });
  }

  #lastRun(): number {
    return Math.max(0, ...this.#processes.keys());
  }

  /** The launcher is a process of its own: it claims its run a moment later, whatever became of the supervisor. */
  #open(session: Session, effect: Extract<Effect, { kind: 'open' }>): void {
    this.point();
    if (this.isFolderGone) this.wrongs.push('a run was opened in a folder that is gone');
    if (this.isOpenElsewhere) this.wrongs.push('a run was opened while another process has the conversation open');
    this.#alarms.push({ atMs: this.nowMs + 3, fire: () => this.#claim(session, effect) });
    this.point();
  }

  #claim(session: Session, effect: Extract<Effect, { kind: 'open' }>): void {
    const { run, how, say } = effect;
    if (this.#processes.get(run)?.claimed) return;
    if (this.conversation.isLost) this.wrongs.push('a conversation was begun in place of one that is gone');
    const p = freshProcess(this.nowMs, conversationOf(session, effect));
    this.#processes.set(run, p);
    this.aliveMax = Math.max(this.aliveMax, this.alive());
    if (this.script.trouble === 'missing') Object.assign(p, { alive: false, status: 127, failed: 'not found' });
    else if (session.spec.drive === 'command') this.#runCommand(run);
    else this.#agent.start(run, session.spec.drive === 'turns' && how !== 'visit' ? 'turn' : 'screen', say);
  }

  #runCommand(run: number): void {
    this.ledger.push('command');
    this.later(5, run, (p) => {
      p.children = this.script.leaves ? 1 : 0;
    });
    if (this.script.never) return;
    if (this.script.trouble === 'cut') this.later(15, run, (p) => Object.assign(p, { cut: true }));
    this.later(40, run, (p) => Object.assign(p, GONE, { status: this.befalls('crash') ? null : 7 }));
  }

  #hangUp(run: number): void {
    this.ledger.push('hang up');
    this.later(1, run, (p) => Object.assign(p, GONE, { status: 7 }));
    this.point();
  }

  /** The dying words of a run come late. */
  #close(run: number): void {
    const p = this.#processes.get(run);
    this.point();
    // Claiming an unclaimed run keeps a launcher that is starting from ever running it.
    if (!p?.claimed) this.#processes.set(run, { ...freshProcess(-UNSYNCED_MS), alive: false });
    else p.children = 0;
    this.point();
    if (!p?.alive) return;
    Object.assign(p, GONE, { status: 143 });
    this.#dying.push({ atMs: this.nowMs + 105, input: opened(run, p.conversation) });
    this.#dying.push({ atMs: this.nowMs + 300, input: stopped(run, null, 'Killed.') });
    this.point();
  }
}

function isHook(input: Input): input is HookInput {
  return input.type.startsWith('hook.');
}

export function opened(run: number, conversation: string): HookInput {
  return {
    type: 'hook.opened',
    run,
    conversation: conversation as ConversationId,
    transcript: '/t',
    source: 'startup',
  };
}

export function stopped(run: number, mark: string | null, reply: string, trouble: Trouble | null = null): Input {
  return { type: 'hook.stopped', run, turnId: mark, reply, trouble, more: false };
}

/** As src/supervisor/transcript-reader.ts says it where nothing can be read: what was accepted was heard. */
function unread({ prompts }: Session): Snapshot['transcript'] {
  const heard = prompts.filter(({ state }) => state === 'accepted').map(tokenOf);
  return { exists: false, received: heard, turn: 'open', reply: '', isUnread: true };
}

/** Every turn uses something, and says so again and again. What the end of a session cuts off is new once. */
function usedOf({ turn: { last }, accounting: { counted, countedUpTo }, phase, prompts }: Session): Snapshot['used'] {
  const used = { tokens: 10, usd: 0.5 };
  if (phase.at !== 'closing' || (last !== null && counted !== last.prompt))
    return { ...used, upTo: last?.prompt ?? null };
  const cut = prompts.find(({ state }) => state === 'accepted');
  return cut === undefined || countedUpTo?.message === cut.id ? null : { ...used, upTo: cut.id };
}

/** As the kernel leaves it when it was killed for its memory. */
function withOom(terminal: TerminalSnapshot): TerminalSnapshot {
  return terminal.is === 'dead' && terminal.exit.status !== 0 ? { ...terminal, oom: true } : terminal;
}
