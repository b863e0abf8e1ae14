// The fake agent: it accepts prompts, asks before it uses a tool, and replies. A person may use its screen.
import type { Input, Say } from '../../src/core/event.ts';
import type { ApprovalId, Session } from '../../src/core/session.ts';
import { askDeferredAgain, continueTurn, decisionOf, deferIfTold } from './deferring.ts';
import { noteSubagent, noteTool, QUESTION, TRUST } from './facts.ts';
import { updateEntries } from './in-turn-updates.ts';
import { askOnScreen, denyOnScreen } from './on-screen.ts';
import { GONE, type Process, type Turn } from './process.ts';
import { COMPACT, compactLive, compactTurn, Poison } from './remedies.ts';
import type { PersonAction } from './scripts.ts';
import { endUnnamed, isUnnamed } from './search.ts';
import { opened, stopped, type World } from './world.ts';

const HOOK_MS_MAX = 4_000;

export class Agent {
  readonly #world: World;
  readonly #poison: Poison;
  #trusted = false;
  #turnCount = 0;
  #swallowed = 0;

  constructor(world: World) {
    this.#world = world;
    this.#poison = new Poison(world);
    this.#trusted = world.script.trustMs === undefined;
  }

  /** turn: the launch contains the prompt, and the process exits after the turn. screen: prompts are typed into it. */
  start(run: number, kind: 'turn' | 'screen', say: Say | null): void {
    const world = this.#world;
    const slow = world.script.slowStart ? 60 : 0;
    // An agent that is driven by messages reports this in reply to the hello message.
    if (world.script.wire === undefined && !isUnnamed(world))
      world.later(5 + slow, run, (p) => world.hook(opened(run, p.conversation)));
    if (kind === 'turn') {
      if (say !== null) world.sent.push(say);
      if (askDeferredAgain(world, run, say, (turn, approval) => this.#awaitDecision(run, turn, approval))) return;
      if (say?.text === COMPACT) return compactTurn(world, run, say);
      return world.later(10 + slow, run, (p) => say && this.#receivePrompt(run, p, say.token));
    }
    world.later(10 + slow, run, (p) => {
      p.drawn = true;
      if (!this.#trusted) this.#askTrust(run, p);
      world.drawn(run);
    });
  }

  type(session: Session, run: number, say: Say): void {
    const world = this.#world;
    const p = world.process(run);
    if (!p?.alive) return;
    this.#checkMayType('typed', session, p);
    if (world.isOpenElsewhere) world.violations.push('typed while another process has the conversation open');
    if (p.behind) world.violations.push('typed into a process that has not read what another one wrote');
    if (p.box !== null) world.violations.push(`typed into a box that holds ${JSON.stringify(p.box)}`);
    const isNow = session.prompts.some((prompt) => prompt.now && say.token.startsWith(`${prompt.id}#`));
    if (p.turn !== null && !isNow) world.violations.push('typed into a running turn');
    world.ledger.push(`sent ${say.token} ${run}`);
    world.sent.push(say);
    if (say.text === COMPACT) return compactLive(world, run, p);
    if (world.takeGlitch('deaf')) return;
    if (world.takeGlitch('swallowedEnter') || (world.script.glitch === 'swallowedEnters' && this.#swallowed === 0)) {
      this.#swallowed += 1;
      p.box = say;
      return;
    }
    world.later(world.script.acceptMs ?? 50, run, (now) => this.#receivePrompt(run, now, say.token));
    world.point();
  }

  /** Receives a prompt as a message. Only a steering prompt may arrive while a turn is running. */
  receiveMessage(run: number, say: Say, steer: boolean): void {
    const world = this.#world;
    const p = world.process(run);
    if (!p?.alive) return;
    if (p.turn !== null && !steer) world.violations.push('sent into a running turn');
    world.ledger.push(`sent ${say.token} ${run}`);
    world.sent.push(say);
    if (world.takeGlitch('deaf')) return;
    world.later(world.script.acceptMs ?? 50, run, (now) => this.#receivePrompt(run, now, say.token));
  }

  /** Receives an interrupt as a message. */
  cancel(run: number, token: string): void {
    const world = this.#world;
    const p = world.process(run);
    if (!p?.alive || p.turn === null || p.turn.outcome === 'hangDeaf') return;
    world.ledger.push(`interrupt ${run} ${token}`);
    const { turnId } = p.turn;
    p.turn = null;
    world.conversation.end('interrupted', '', world.nowMs);
    world.hook({ ...stopped(run, turnId, ''), interrupted: true } as Input);
  }

  enter(session: Session, run: number): void {
    const world = this.#world;
    const p = world.process(run);
    if (!p?.alive) return;
    this.#checkMayType('pressed Enter', session, p);
    if (p.box === 'theirs') world.violations.push("sent a person's draft");
    if (p.box === null || p.box === 'theirs') return;
    if (world.script.glitch === 'swallowedEnters' && this.#swallowed < 3) {
      this.#swallowed += 1;
      return;
    }
    const { token } = p.box;
    p.box = null;
    world.later(50, run, (now) => this.#receivePrompt(run, now, token));
    world.point();
  }

  clear(session: Session, run: number): void {
    const p = this.#world.process(run);
    if (!p?.alive) return;
    this.#checkMayType('cleared', session, p);
    if (p.box === 'theirs') this.#world.violations.push("cleared a person's draft");
    p.box = null;
    this.#world.point();
  }

  interrupt(session: Session, run: number): void {
    const world = this.#world;
    const p = world.process(run);
    if (!p?.alive) return;
    // An interrupt without effect may be repeated after a restart, so it is not in the ledger.
    const isDeaf = p.turn?.outcome === 'hangDeaf';
    if (!isDeaf) world.ledger.push(`interrupt ${run} ${session.turn.interrupting?.sinceMs}`);
    // A process for a single turn gets a signal, and reports nothing after that.
    if (!p.drawn) world.later(1, run, (now) => Object.assign(now, GONE, { status: 130 }));
    else if (p.dialog !== null) world.violations.push('pressed Escape in a dialog');
    else this.#escape(p);
    world.point();
  }

  /** Performs what a person does: at once, or after a delay if the process is still alive. */
  perform(action: PersonAction, run: number): void {
    const p = this.#world.process(run);
    if (action.does === 'deleteTranscript' || action.does === 'unmount' || action.does === 'mount')
      this.#world.lose(action.does);
    else if (action.does === 'openElsewhere' || action.does === 'closeElsewhere')
      this.#world.elsewhere(action.does, action.ms ?? 0);
    else if (action.ms) this.#world.later(action.ms, run, (now) => this.#performNow(action, run, now));
    else if (p?.alive) this.#performNow(action, run, p);
  }

  #performNow({ does }: PersonAction, run: number, p: Process): void {
    if (!p.drawn) return;
    switch (does) {
      case 'attach':
        p.viewers = 1;
        return;
      case 'detach':
        p.viewers = 0;
        return;
      case 'draft':
        p.box = 'theirs';
        return;
      case 'erase':
        p.box = p.box === 'theirs' ? null : p.box;
        return;
      case 'escape':
        return this.#escape(p);
      case 'exit':
      case 'hangup':
        this.#exit(run, p, does === 'exit' ? 'prompt_input_exit' : 'other');
        return;
      case 'kill':
        Object.assign(p, GONE, { status: 137 });
        return;
      case 'prompt':
        return p.turn === null && p.dialog === null ? this.#receivePrompt(run, p, null) : undefined;
      case 'dialog':
        p.dialog = QUESTION;
        return;
      case 'answer':
        p.dialog = null;
        return;
      case 'deny':
        return denyOnScreen(this.#world, p);
      case 'deleteTranscript':
      case 'unmount':
      case 'mount':
      case 'openElsewhere':
      case 'closeElsewhere':
        return;
    }
  }

  /** The agent reports why it exits. The exit status is always 0. */
  #exit(run: number, p: Process, reason: string): void {
    this.#world.hook({ type: 'hook.noted', run, fact: { type: 'agent.left', run, reason } });
    Object.assign(p, GONE, { status: 0, terminalGone: reason === 'other' });
  }

  #checkMayType(what: string, { attendance: { control } }: Session, p: Process): void {
    if (p.dialog !== null) this.#world.violations.push(`${what} in a dialog`);
    if (p.viewers > 0 || control !== null) this.#world.violations.push(`${what} while a person has control`);
  }

  #askTrust(run: number, p: Process): void {
    p.dialog = TRUST;
    this.#world.later(this.#world.script.trustMs ?? 0, run, (now) => {
      this.#trusted = true;
      now.dialog = null;
    });
  }

  /** Before the first output Escape puts the text back into the box. Later it ends the turn, without a hook report. */
  #escape(p: Process): void {
    const { turn } = p;
    if (turn === null || turn.outcome === 'hangDeaf') return;
    p.turn = null;
    if (turn.hasReported) this.#world.conversation.end('interrupted', '', this.#world.nowMs);
    else this.#world.conversation.withdraw();
    if (!turn.hasReported && p.box === null)
      p.box = this.#world.sent.findLast((s) => s.token === turn.tokens[0]) ?? 'theirs';
  }

  /** The agent accepts a prompt, asks for a tool, and works. A prompt that arrives in a running turn joins it. */
  #receivePrompt(run: number, p: Process, token: string | null): void {
    const world = this.#world;
    if (token !== null && endUnnamed(world, p, token)) return;
    this.#turnCount += 1;
    const turnId = `m${this.#turnCount}`;
    world.conversation.receive(token, world.nowMs);
    if (token !== null) world.ledger.push(`received ${token}`, ...this.#updatesOf(token));
    const isLost = token !== null && world.takeGlitch('lostPrompted');
    if (!isLost) world.hook({ type: 'hook.prompted', run, token, turnId, text: token === null ? 'Hello?' : '' });
    if (p.turn !== null) {
      p.turn.tokens.push(token);
      return;
    }
    const outcome = token === null ? 'answer' : world.turnOutcomes.current();
    const turn: Turn = { tokens: [token], turnId, hasReported: false, allowed: false, outcome };
    p.turn = turn;
    if (token === null) return this.#later(40, run, turn, () => this.#answer(run, turn));
    this.#poison.check(p);
    const wrong = world.turnOutcomes.sendViolation(world.nowMs);
    if (wrong !== null) world.violations.push(wrong);
    if (turn.outcome === 'hangMute') return world.turnOutcomes.advance();
    this.#later(20, run, turn, () => {
      turn.hasReported = true;
      if (this.#isTold(token)) return this.#later(40, run, turn, () => this.#answer(run, turn));
      const approval = `${token}/a` as ApprovalId;
      const hook = world.script.asksOnScreen ? '' : approval;
      const call = { call: `${token}/t`, tool: 'Bash', input: '{}', hash: 'h', subagent: null, hook };
      const ruling = { verdict: 'ask', rule: null, why: 'no rule allows it' } as const;
      world.hook({ type: 'hook.asked', run, approval, ...call, ruling });
      if (world.script.doesNotWait) return this.#proceed(run, turn, true);
      if (!world.script.asksOnScreen) return this.#awaitDecision(run, turn, approval);
      askOnScreen(world, run, approval, (allowed) => this.#proceed(run, turn, allowed));
    });
  }

  /** A prompt about a decision makes it do nothing. */
  #isTold(token: string): boolean {
    const { sent, script } = this.#world;
    const about = script.postpones?.ignores === true ? 'waited for approval' : 'was denied';
    return sent.some((say) => say.token === token && say.text.includes(about));
  }

  /** The updates of a prompt. A continuation does not deliver them again. */
  #updatesOf(token: string): string[] {
    const sent = this.#world.sent.find((say) => say.token === token);
    return sent === undefined || !token.endsWith('#1') ? [] : updateEntries(sent.text);
  }

  /** Runs it later, if the turn is still running. */
  #later(ms: number, run: number, turn: Turn, fire: (p: Process) => void): void {
    this.#world.later(ms, run, (p) => {
      if (p.turn === turn) fire(p);
    });
  }

  /** Polls for the decision. The hook has its own deadline, after which it denies the call itself. */
  #awaitDecision(run: number, turn: Turn, approval: ApprovalId, sinceMs = this.#world.nowMs): void {
    this.#later(30, run, turn, (p) => {
      const isServer = this.#world.script.wire !== undefined;
      const allowed = isServer ? this.#world.server.answers.get(approval) : decisionOf(this.#world, approval);
      if (allowed === undefined && deferIfTold(this.#world, run, p, approval)) return;
      const isPatient = isServer || this.#world.script.defers !== undefined;
      const isDecided = allowed !== undefined || (!isPatient && this.#world.nowMs > sinceMs + HOOK_MS_MAX);
      if (!isDecided || p.dialog !== null) return this.#awaitDecision(run, turn, approval, sinceMs);
      this.#proceed(run, turn, allowed ?? false);
    });
  }

  /** Continues the turn after the decision: the tool runs or not, then the agent replies. */
  #proceed(run: number, turn: Turn, allowed: boolean): void {
    const p = this.#world.process(run);
    if (p?.turn !== turn) return;
    turn.allowed = allowed;
    continueTurn(this.#world, turn);
    noteTool(this.#world, run, turn, 'tool.called');
    if (this.#breakDown(p, turn)) return;
    const { afterMs } = this.#world.script;
    this.#later(this.#world.script.workMs ?? 40, run, turn, (still) => {
      if (turn.tokens.some((token) => token !== null)) this.#world.turnOutcomes.advance();
      const isGoneAfterTool = this.#world.takeGlitch('crashAfterTool');
      if (isGoneAfterTool) noteTool(this.#world, run, turn, 'tool.ended');
      if (isGoneAfterTool || turn.outcome === 'crash' || !this.#deliverUpdates(run))
        Object.assign(still, GONE, { status: 137 });
      else if (afterMs === undefined) this.#answer(run, turn);
      else this.#later(afterMs, run, turn, () => this.#answer(run, turn));
    });
  }

  /** The hook after the tool call delivers the staged updates. Returns false if the agent crashes at that moment. */
  #deliverUpdates(run: number): boolean {
    const world = this.#world;
    const taken = world.script.deliversNoUpdates ? null : world.stagedUpdates.take(run, 'taken', world.nowMs);
    if (taken === null) return true;
    if (world.takeGlitch('crashAfterTake')) return false;
    world.conversation.addContext(taken.id, world.nowMs);
    world.ledger.push(...updateEntries(taken.text));
    return true;
  }

  #crashUnwritten(p: Process): void {
    this.#world.conversation.unwrite();
    Object.assign(p, GONE, { status: 137 });
  }

  /** Applies a hang, a cut or a crash of this script, if it is due. Returns true if the agent will not reply. */
  #breakDown(p: Process, { outcome }: Turn): boolean {
    const world = this.#world;
    const isHang = typeof outcome === 'string' && outcome.startsWith('hang');
    if (isHang || outcome === 'cut') world.turnOutcomes.advance();
    if (isHang) return true;
    if (outcome === 'cut') Object.assign(p, { cut: true });
    else if (world.takeGlitch('hang')) Object.assign(p, { hung: true });
    else if (world.takeGlitch('crash')) Object.assign(p, GONE, { status: 137 });
    else if (world.takeGlitch('crashUnwritten')) this.#crashUnwritten(p);
    else if (world.takeGlitch('orphan')) Object.assign(p, GONE, { status: 137, children: 1 });
    else return false;
    return true;
  }

  #answer(run: number, turn: Turn): void {
    const world = this.#world;
    const p = world.process(run);
    if (p === undefined) return;
    // A continuation replies to the prompt of the turn that it continues.
    const ours = turn.tokens.every((token) => token === null) ? [] : world.conversation.open();
    const outcome = ours.length > 0 && world.takeGlitch('fails') ? 'other' : turn.outcome;
    const trouble = world.turnOutcomes.troubleOf(outcome, world.nowMs);
    if (trouble?.kind === 'poisoned') this.#poison.set(p);
    const reply = trouble ? `Failed: ${trouble.kind}` : ours.length > 0 ? `Did ${ours.join(' and ')}.` : 'Hello.';
    if (ours.length > 0) world.ledger.push(`${trouble ? 'fail' : 'answer'} ${ours.join(' ')}`);
    world.conversation.end(trouble ? 'failed' : 'closed', reply, world.nowMs, trouble);
    noteTool(world, run, turn, 'tool.ended');
    noteSubagent(world, run);
    p.turn = null;
    if (ours.length === 0 || !world.takeGlitch('lostStop')) world.hook(stopped(run, turn.turnId, reply, trouble));
    if (world.takeGlitch('crashAfterReply')) {
      world.spool.pop();
      Object.assign(p, GONE, { status: 137 });
    } else if (turn.next !== undefined) {
      const { next } = turn;
      world.later(5, run, (now) => this.#receivePrompt(run, now, next));
    } else if (!p.drawn && world.takeGlitch('doesNotExit')) {
      p.stays = true;
    } else if (!p.drawn) {
      world.later(5, run, (now) => Object.assign(now, GONE, { status: trouble ? 1 : 0 }));
    }
  }
}
