// The fake world of the simulator: terminals, launchers, an agent, a transcript and a hook spool that survive the
// supervisor, and power cuts, which they do not survive.
import type { Effect, Event, HookInput, Input, InputId, Say } from '../../src/core/event.ts';
import { type ConversationId, runOf, type Session, type Trouble } from '../../src/core/session.ts';
import type { Snapshot, TerminalSnapshot } from '../../src/core/snapshot.ts';
import { tokenOf } from '../../src/core/steps.ts';
import { isHolderAsked } from '../../src/supervisor/holder.ts';
import type { ReadSoFar } from '../../src/supervisor/server-run.ts';
import { Agent } from './agent.ts';
import { Callers } from './callers.ts';
import { Conversation } from './conversation.ts';
import { StagedUpdates } from './in-turn-updates.ts';
import { freshProcess, GONE, type Process, screenOf, signsOf, terminalOf, verdictOf } from './process.ts';
import { COMPACT, conversationOf } from './remedies.ts';
import type { Elsewhere, Loss, Script } from './scripts.ts';
import { Search } from './search.ts';
import { approvalOf } from './server-adapter.ts';
import { ServerSide } from './server-side.ts';
import { TurnOutcomes } from './turn-outcomes.ts';

/** A power cut loses claims and exits that were written less than this time before. */
const UNSYNCED_MS = 100;

export class World {
  nowMs = 0;
  /** A container: it is restarted under the same kernel. */
  boot = 'kernel/1';
  aliveMax = 0;
  /** Another process has the conversation open. */
  isOpenElsewhere = false;
  /** An interrupt of the turn was requested, and the turn has not ended. */
  isInterrupting = false;
  /** The workspace is gone. */
  isFolderGone = false;
  /** Every effect that happened, for the checks: it must never contain the same entry twice. */
  readonly ledger: string[] = [];
  /** Violations that were noticed when they happened. */
  readonly violations: string[] = [];
  /** The prompts that were sent to the agent. */
  readonly sent: Say[] = [];
  readonly spool: { id: InputId; input: Input }[] = [];
  readonly conversation = new Conversation();
  readonly stagedUpdates = new StagedUpdates();
  readonly callers: Callers;
  readonly turnOutcomes: TurnOutcomes;
  readonly script: Script;
  readonly decided = new Map<string, boolean>();
  /** Approvals whose hooks are told to defer the call, and those that are asked again under another id. */
  readonly toldToDefer = new Set<string>();
  readonly repeated = new Map<string, string>();
  /** Questions whose agent was told to go on. */
  readonly postponed = new Set<string>();
  /** Decisions that were used, and so allow no further call. */
  readonly used = new Set<string>();
  readonly #processes = new Map<number, Process>();
  readonly #agent: Agent;
  readonly #search: Search;
  /** The agent's side of the messages, and what a daemon has stored of them, by run. */
  readonly server: ServerSide;
  readonly storedReads = new Map<number, ReadSoFar>();
  #alarms: { atMs: number; fire: () => void }[] = [];
  readonly #lateHooks: { atMs: number; input: Input }[] = [];
  #hooks = 0;
  #isGlitchPending = true;
  readonly #point: () => void;

  constructor(script: Script, point: () => void) {
    this.script = script;
    this.callers = new Callers(script);
    this.turnOutcomes = new TurnOutcomes(script);
    this.#point = point;
    this.#agent = new Agent(this);
    this.#search = new Search(this);
    this.server = new ServerSide(this, this.#agent, script.wire ?? 'durable');
  }

  look(session: Session): Omit<Snapshot, 'tried'> {
    const run = runOf(session);
    const p = this.#processes.get(run);
    const { follows, lagMs = 0, computing = false, usesTokens, oom, unrecorded, hostResumes = 0 } = this.script;
    const isPending = follows !== undefined && this.nowMs < follows.ms;
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
      wallMs: this.turnOutcomes.wallMs(this.nowMs),
      breach: null,
      used: usesTokens === true ? usedOf(session) : null,
      account: this.turnOutcomes.account(this.nowMs),
      compact: { by: 'command', text: COMPACT },
      fork: true,
      hostResumes,
      after: isPending ? { is: 'waiting' } : (follows?.snapshot ?? { is: 'met', texts: [] }),
      boot: this.boot,
      planned: this.script.planned ?? false,
      slot: true,
      ...(p?.stays === true && session.prompts.every((prompt) => prompt.run !== run) ? { isSaid: true } : {}),
      ...this.stagedUpdates.snapshot(session, this.conversation, this.nowMs, lagMs),
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
        this.stagedUpdates.stage(run, effect.update, effect.text, this.nowMs);
        return this.point();
      case 'unstage':
        this.stagedUpdates.take(run, 'back', this.nowMs);
        return this.point();
    }
  }

  /** The journal has these events now: they trigger inputs of callers and actions of a person. */
  notice(events: readonly Event['body'][]): void {
    for (const body of events) {
      if (body.type === 'approval.decided') this.decided.set(body.approval, body.allow);
      if (body.type === 'approval.deferred') this.toldToDefer.add(body.approval);
      if (body.type === 'approval.repeated')
        this.repeated.set(body.call == null ? body.hook : approvalOf(body.call), body.approval);
      if (body.type === 'approval.postponed') this.postponed.add(this.#askedLast(body.approval));
      if (body.type === 'approval.used') this.used.add(body.approval);
      if (body.type === 'session.released' && body.startFresh === true) this.conversation.isLost = false;
      if (body.type === 'turn.interrupting') this.isInterrupting = true;
      if (/^prompt\.(answered|interrupted|failed)$|^run\.faulted$/.test(body.type)) this.isInterrupting = false;
      if (body.type === 'session.limited') this.turnOutcomes.sleep(this.nowMs);
      for (const action of this.callers.notice(body.type, this.nowMs)) this.#agent.perform(action, this.#lastRun());
    }
  }

  /** The decision about a question, which may be one that was asked before. */
  decisionOn(question: string): boolean | undefined {
    return this.postponed.has(question) ? false : this.decided.get(this.repeated.get(question) ?? question);
  }

  /** The question with which the agent asked last about this approval. */
  #askedLast(approval: string): string {
    return [...this.repeated].findLast(([, first]) => first === approval)?.[0] ?? approval;
  }

  drawn(run: number): void {
    for (const action of this.callers.notice('drawn', this.nowMs)) this.#agent.perform(action, run);
  }

  point(): void {
    this.#point();
  }

  process(run: number): Process | undefined {
    return this.#processes.get(run);
  }

  /** Whether this glitch of the script happens now. True once. */
  takeGlitch(glitch: Script['glitch']): boolean {
    const isNow = this.#isGlitchPending && this.script.glitch === glitch;
    if (isNow) this.#isGlitchPending = false;
    return isNow;
  }

  /** Whether this glitch of the script has not happened yet. */
  isGlitchPending(glitch: Script['glitch']): boolean {
    return this.#isGlitchPending && this.script.glitch === glitch;
  }

  /** Advances the clock, and runs everything that is due until then. */
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
    for (const late of this.#lateHooks.filter((hook) => hook.atMs <= this.nowMs)) {
      this.#lateHooks.splice(this.#lateHooks.indexOf(late), 1);
      this.hook(late.input);
    }
  }

  /** When the next scheduled thing happens. */
  dueMs(): number {
    const lateMs = this.#lateHooks.map((d) => d.atMs);
    return Math.min(...this.#alarms.map((a) => a.atMs), ...lateMs, this.callers.dueMs(this.nowMs));
  }

  /** The power is cut: every process is gone, and so is what was not synced. */
  reboot(): void {
    this.#alarms = [];
    this.isOpenElsewhere = false;
    this.boot = `kernel/${Number(this.boot.slice(7)) + 1}`;
    this.conversation.settle();
    this.stagedUpdates.reboot(this.nowMs, UNSYNCED_MS);
    for (const [run, p] of this.#processes) {
      if (this.nowMs - p.claimedAtMs < UNSYNCED_MS && p.claimed) this.#processes.delete(run);
      else Object.assign(p, { ...GONE, children: 0 });
      if (this.nowMs - p.lastOutputMs < UNSYNCED_MS) p.status = null;
    }
  }

  /** The number of runs with live processes. */
  alive(): number {
    return [...this.#processes.values()].filter((p) => p.alive || p.children > 0).length;
  }

  hook(input: Input): void {
    if (this.script.wire !== undefined && isHook(input)) return this.server.report(input);
    for (let copy = 0; copy < (this.script.hooksReportTwice ? 2 : 1); copy += 1) {
      this.#hooks += 1;
      this.spool.push({ id: `hook-${this.#hooks}` as InputId, input });
    }
  }

  /** Schedules something that a process does if it is still alive. That counts as output, unless it is quiet. */
  later(ms: number, run: number, fire: (p: Process) => void, isQuiet = false): void {
    const guarded = (): void => {
      const p = this.#processes.get(run);
      if (!p?.alive) return;
      if (!isQuiet) p.lastOutputMs = this.nowMs;
      fire(p);
    };
    this.#alarms.push({ atMs: this.nowMs + ms, fire: guarded });
  }

  /** Deletes the transcript, or removes or restores the workspace. */
  lose(loss: Loss): void {
    if (loss === 'deleteTranscript') this.conversation.lose();
    else this.isFolderGone = loss === 'unmount';
  }

  /** Another process opens the conversation, or closes it after a turn of its own. */
  elsewhere(does: Elsewhere, ms: number): void {
    const fire = (): void => {
      const wasOpen = this.isOpenElsewhere;
      this.isOpenElsewhere = does === 'openElsewhere';
      if (does === 'openElsewhere' || !wasOpen) return;
      this.conversation.receive(null, this.nowMs);
      this.conversation.end('closed', 'Elsewhere.', this.nowMs);
      for (const p of this.#processes.values()) if (p.alive) p.behind = true;
    };
    this.#alarms.push({ atMs: this.nowMs + ms, fire });
  }

  #lastRun(): number {
    return Math.max(0, ...this.#processes.keys());
  }

  /** The launcher is a separate process: it claims its run a moment later, even if the supervisor has died. */
  #open(session: Session, effect: Extract<Effect, { kind: 'open' }>): void {
    this.point();
    if (this.isFolderGone) this.violations.push('a run was opened in a folder that is gone');
    if (this.isOpenElsewhere) this.violations.push('a run was opened while another process has the conversation open');
    this.#alarms.push({ atMs: this.nowMs + 3, fire: () => this.#claim(session, effect) });
    this.point();
  }

  #claim(session: Session, effect: Extract<Effect, { kind: 'open' }>): void {
    const { run, how, say } = effect;
    if (this.#processes.get(run)?.claimed) return;
    if (this.conversation.isLost) this.violations.push('a conversation was started in place of a lost one');
    const p = freshProcess(this.nowMs, conversationOf(session, effect));
    this.#processes.set(run, p);
    this.aliveMax = Math.max(this.aliveMax, this.alive());
    if (this.script.glitch === 'missing') Object.assign(p, { alive: false, status: 127, failed: 'not found' });
    else if (session.spec.drive === 'command') this.#runCommand(run);
    else this.#agent.start(run, session.spec.drive === 'turns' && how !== 'visit' ? 'turn' : 'screen', say);
  }

  #runCommand(run: number): void {
    this.ledger.push('command');
    this.later(5, run, (p) => {
      p.children = this.script.leavesChild ? 1 : 0;
    });
    if (this.script.runsForever) return;
    if (this.script.glitch === 'cut') this.later(15, run, (p) => Object.assign(p, { cut: true }));
    this.later(40, run, (p) => Object.assign(p, GONE, { status: this.takeGlitch('crash') ? null : 7 }));
  }

  #hangUp(run: number): void {
    this.ledger.push('hang up');
    this.later(1, run, (p) => Object.assign(p, GONE, { status: 7 }));
    this.point();
  }

  /** The last hook reports of a run that is closed come late. */
  #close(run: number): void {
    const p = this.#processes.get(run);
    this.point();
    // Claiming an unclaimed run keeps a launcher that is starting from ever running it.
    if (!p?.claimed) this.#processes.set(run, { ...freshProcess(-UNSYNCED_MS), alive: false });
    else p.children = 0;
    this.point();
    if (!p?.alive) return;
    Object.assign(p, GONE, { status: 143 });
    this.#lateHooks.push({ atMs: this.nowMs + 105, input: opened(run, p.conversation) });
    this.#lateHooks.push({ atMs: this.nowMs + 300, input: stopped(run, null, 'Killed.') });
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

export function stopped(run: number, turnId: string | null, reply: string, trouble: Trouble | null = null): Input {
  return { type: 'hook.stopped', run, turnId, reply, trouble, more: false };
}

/** An unreadable transcript, as src/supervisor/transcript-reader.ts shows it: accepted prompts count as received. */
function unread({ prompts }: Session): Snapshot['transcript'] {
  const received = prompts.filter(({ state }) => state === 'accepted').map(tokenOf);
  return { exists: false, received, turn: 'open', reply: '', isUnread: true };
}

/** Every turn uses tokens, and each snapshot repeats that. A turn that the session's end cuts off is counted once. */
function usedOf({ turn: { last }, accounting: { counted, countedUpTo }, phase, prompts }: Session): Snapshot['used'] {
  const used = { tokens: 10, usd: 0.5 };
  if (phase.at !== 'closing' || (last !== null && counted !== last.prompt))
    return { ...used, upTo: last?.prompt ?? null };
  const cut = prompts.find(({ state }) => state === 'accepted');
  return cut === undefined || countedUpTo?.message === cut.id ? null : { ...used, upTo: cut.id };
}

/** The terminal of a process that the kernel killed for its memory. */
function withOom(terminal: TerminalSnapshot): TerminalSnapshot {
  return terminal.is === 'dead' && terminal.exit.status !== 0 ? { ...terminal, oom: true } : terminal;
}
