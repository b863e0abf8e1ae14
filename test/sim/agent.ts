// The fake agent: it takes prompts, asks for a tool, answers; and a person may be at its screen.
import type { Input, Say } from '../../src/core/event.ts';
import type { ApprovalId, Session } from '../../src/core/session.ts';
import { noteSubagent, noteTool, QUESTION, TRUST } from './facts.ts';
import { newsIn } from './in-turn-updates.ts';
import { askOnScreen, sayNo } from './on-screen.ts';
import { GONE, type Process, type Turn } from './process.ts';
import { answerOf, askAgain, goesOn, isPutOff } from './putting-off.ts';
import { COMPACT, compactLive, compactTurn, Poison } from './remedies.ts';
import type { Deed } from './scripts.ts';
import { endUnnamed, isUnnamed } from './search.ts';
import { opened, stopped, type World } from './world.ts';

const HOOK_MS_MAX = 4_000;

export class Agent {
  readonly #world: World;
  readonly #poison: Poison;
  #trusted = false;
  #marks = 0;
  #swallowed = 0;

  constructor(world: World) {
    this.#world = world;
    this.#poison = new Poison(world);
    this.#trusted = world.script.trustMs === undefined;
  }

  /** turn: the prompt is in the launch, and the process ends with its turn. screen: it waits for what is typed. */
  start(run: number, kind: 'turn' | 'screen', say: Say | null): void {
    const world = this.#world;
    const slow = world.script.slowStart ? 60 : 0;
    // In messages it says so when it is greeted.
    if (world.script.wire === undefined && !isUnnamed(world))
      world.later(5 + slow, run, (p) => world.hook(opened(run, p.conversation)));
    if (kind === 'turn') {
      if (say !== null) world.said.push(say);
      if (askAgain(world, run, say, (turn, approval) => this.#awaitDecision(run, turn, approval))) return;
      if (say?.text === COMPACT) return compactTurn(world, run, say);
      return world.later(10 + slow, run, (p) => say && this.#hear(run, p, say.token));
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
    this.#guard('typed', session, p);
    if (world.isOpenElsewhere) world.wrongs.push('typed while another process has the conversation open');
    if (p.behind) world.wrongs.push('typed into a process that has not read what another one wrote');
    if (p.box !== null) world.wrongs.push(`typed into a box that holds ${JSON.stringify(p.box)}`);
    const isNow = session.prompts.some((prompt) => prompt.now && say.token.startsWith(`${prompt.id}#`));
    if (p.turn !== null && !isNow) world.wrongs.push('typed into a running turn');
    world.ledger.push(`say ${say.token} ${run}`);
    world.said.push(say);
    if (say.text === COMPACT) return compactLive(world, run, p);
    if (world.befalls('deaf')) return;
    if (world.befalls('swallowedEnter') || (world.script.trouble === 'swallowedEnters' && this.#swallowed === 0)) {
      this.#swallowed += 1;
      p.box = say;
      return;
    }
    world.later(world.script.acceptMs ?? 50, run, (now) => this.#hear(run, now, say.token));
    world.point();
  }

  /** A prompt in a message. It goes into a running turn only if it is meant as steering. */
  get(run: number, say: Say, steer: boolean): void {
    const world = this.#world;
    const p = world.process(run);
    if (!p?.alive) return;
    if (p.turn !== null && !steer) world.wrongs.push('told in a running turn');
    world.ledger.push(`say ${say.token} ${run}`);
    world.said.push(say);
    if (world.befalls('deaf')) return;
    world.later(world.script.acceptMs ?? 50, run, (now) => this.#hear(run, now, say.token));
  }

  /** A message that ends the turn, if there is one. */
  cancel(run: number, token: string): void {
    const world = this.#world;
    const p = world.process(run);
    if (!p?.alive || p.turn === null || p.turn.lot === 'hangDeaf') return;
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
    this.#guard('pressed Enter', session, p);
    if (p.box === 'theirs') world.wrongs.push("sent a person's draft");
    if (p.box === null || p.box === 'theirs') return;
    if (world.script.trouble === 'swallowedEnters' && this.#swallowed < 3) {
      this.#swallowed += 1;
      return;
    }
    const { token } = p.box;
    p.box = null;
    world.later(50, run, (now) => this.#hear(run, now, token));
    world.point();
  }

  clear(session: Session, run: number): void {
    const p = this.#world.process(run);
    if (!p?.alive) return;
    this.#guard('cleared', session, p);
    if (p.box === 'theirs') this.#world.wrongs.push("cleared a person's draft");
    p.box = null;
    this.#world.point();
  }

  interrupt(session: Session, run: number): void {
    const world = this.#world;
    const p = world.process(run);
    if (!p?.alive) return;
    // What has no effect may be repeated after a restart.
    const isDeaf = p.turn?.lot === 'hangDeaf';
    if (!isDeaf) world.ledger.push(`interrupt ${run} ${session.turn.interrupting?.sinceMs}`);
    // A process of one turn is sent a signal; it says nothing more.
    if (!p.drawn) world.later(1, run, (now) => Object.assign(now, GONE, { status: 130 }));
    else if (p.dialog !== null) world.wrongs.push('pressed Escape in a dialog');
    else this.#escape(p);
    world.point();
  }

  /** What a person does at the screen: at the very moment, or a while later if the process still lives. */
  person(deed: Deed, run: number): void {
    const p = this.#world.process(run);
    if (deed.does === 'lose' || deed.does === 'unmount' || deed.does === 'mount') this.#world.lose(deed.does);
    else if (deed.does === 'open' || deed.does === 'shut') this.#world.elsewhere(deed.does, deed.ms ?? 0);
    else if (deed.ms) this.#world.later(deed.ms, run, (now) => this.#does(deed, run, now));
    else if (p?.alive) this.#does(deed, run, p);
  }

  #does({ does }: Deed, run: number, p: Process): void {
    if (!p.drawn) return;
    switch (does) {
      case 'attach':
        p.viewers = 1;
        return;
      case 'leave':
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
        this.#leave(run, p, does === 'exit' ? 'prompt_input_exit' : 'other');
        return;
      case 'kill':
        Object.assign(p, GONE, { status: 137 });
        return;
      case 'prompt':
        return p.turn === null && p.dialog === null ? this.#hear(run, p, null) : undefined;
      case 'dialog':
        p.dialog = QUESTION;
        return;
      case 'answer':
        p.dialog = null;
        return;
      case 'deny':
        return sayNo(this.#world, p);
      case 'lose':
      case 'unmount':
      case 'mount':
      case 'open':
      case 'shut':
        return;
    }
  }

  /** It says why it leaves, and leaves with 0 whatever the reason. */
  #leave(run: number, p: Process, reason: string): void {
    this.#world.hook({ type: 'hook.noted', run, fact: { type: 'agent.left', run, reason } });
    Object.assign(p, GONE, { status: 0, terminalGone: reason === 'other' });
  }

  #guard(what: string, { attendance: { control } }: Session, p: Process): void {
    if (p.dialog !== null) this.#world.wrongs.push(`${what} in a dialog`);
    if (p.viewers > 0 || control !== null) this.#world.wrongs.push(`${what} while a person has control`);
  }

  #askTrust(run: number, p: Process): void {
    p.dialog = TRUST;
    this.#world.later(this.#world.script.trustMs ?? 0, run, (now) => {
      this.#trusted = true;
      now.dialog = null;
    });
  }

  /** Before anything was printed the text goes back into the box; later the turn ends, and only its file says so. */
  #escape(p: Process): void {
    const { turn } = p;
    if (turn === null || turn.lot === 'hangDeaf') return;
    p.turn = null;
    if (turn.hasReported) this.#world.conversation.end('interrupted', '', this.#world.nowMs);
    else this.#world.conversation.withdraw();
    if (!turn.hasReported && p.box === null)
      p.box = this.#world.said.findLast((s) => s.token === turn.tokens[0]) ?? 'theirs';
  }

  /** The agent takes the prompt: it says so, asks for a tool, and works. Into a running turn it is only added. */
  #hear(run: number, p: Process, token: string | null): void {
    const world = this.#world;
    if (token !== null && endUnnamed(world, p, token)) return;
    this.#marks += 1;
    const mark = `m${this.#marks}`;
    world.conversation.hear(token, world.nowMs);
    if (token !== null) world.ledger.push(`hear ${token}`, ...this.#newsOf(token));
    const isLost = token !== null && world.befalls('lostPrompted');
    if (!isLost) world.hook({ type: 'hook.prompted', run, token, turnId: mark, text: token === null ? 'Hello?' : '' });
    if (p.turn !== null) {
      p.turn.tokens.push(token);
      return;
    }
    const lot = token === null ? 'answer' : world.lots.draw();
    const turn: Turn = { tokens: [token], turnId: mark, hasReported: false, allowed: false, lot };
    p.turn = turn;
    if (token === null) return this.#later(40, run, turn, () => this.#answer(run, turn));
    this.#poison.taste(p);
    const wrong = world.lots.wrong(world.nowMs);
    if (wrong !== null) world.wrongs.push(wrong);
    if (turn.lot === 'hangMute') return world.lots.spend();
    this.#later(20, run, turn, () => {
      turn.hasReported = true;
      const approval = `${token}/a` as ApprovalId;
      const hook = world.script.onScreen ? '' : approval;
      const call = { call: `${token}/t`, tool: 'Bash', input: '{}', hash: 'h', subagent: null, hook };
      const ruling = { verdict: 'ask', rule: null, why: 'no rule allows it' } as const;
      world.hook({ type: 'hook.asked', run, approval, ...call, ruling });
      if (world.script.rushes) return this.#goOn(run, turn, true);
      if (!world.script.onScreen) return this.#awaitDecision(run, turn, approval);
      askOnScreen(world, run, approval, (allowed) => this.#goOn(run, turn, allowed));
    });
  }

  /** The updates of a prompt. A continuation does not deliver them again. */
  #newsOf(token: string): string[] {
    const said = this.#world.said.find((say) => say.token === token);
    return said === undefined || !token.endsWith('#1') ? [] : newsIn(said.text);
  }

  /** Runs it later, if the turn is still running. */
  #later(ms: number, run: number, turn: Turn, fire: (p: Process) => void): void {
    this.#world.later(ms, run, (p) => {
      if (p.turn === turn) fire(p);
    });
  }

  /** The hook that asks has a deadline of its own, and writes the denial itself. */
  #awaitDecision(run: number, turn: Turn, approval: ApprovalId, sinceMs = this.#world.nowMs): void {
    this.#later(30, run, turn, (p) => {
      const isTold = this.#world.script.wire !== undefined;
      const allowed = isTold ? this.#world.server.answers.get(approval) : answerOf(this.#world, approval);
      if (allowed === undefined && isPutOff(this.#world, run, p, approval)) return;
      const isPatient = isTold || this.#world.script.defers !== undefined;
      const isDecided = allowed !== undefined || (!isPatient && this.#world.nowMs > sinceMs + HOOK_MS_MAX);
      if (!isDecided || p.dialog !== null) return this.#awaitDecision(run, turn, approval, sinceMs);
      this.#goOn(run, turn, allowed ?? false);
    });
  }

  /** Its tool is done, or not; then it answers. */
  #goOn(run: number, turn: Turn, allowed: boolean): void {
    const p = this.#world.process(run);
    if (p?.turn !== turn) return;
    turn.allowed = allowed;
    goesOn(this.#world, turn);
    noteTool(this.#world, run, turn, 'tool.called');
    if (this.#befall(p, turn)) return;
    const { afterMs } = this.#world.script;
    this.#later(this.#world.script.workMs ?? 40, run, turn, (still) => {
      if (turn.tokens.some((token) => token !== null)) this.#world.lots.spend();
      if (turn.lot === 'crash' || !this.#takesNews(run)) Object.assign(still, GONE, { status: 137 });
      else if (afterMs === undefined) this.#answer(run, turn);
      else this.#later(afterMs, run, turn, () => this.#answer(run, turn));
    });
  }

  /** The hook after its tool delivers the staged updates. False: the agent dies then. */
  #takesNews(run: number): boolean {
    const world = this.#world;
    const taken = world.script.takesNothing ? null : world.offers.take(run, 'taken', world.nowMs);
    if (taken === null) return true;
    if (world.befalls('crashAfterTake')) return false;
    world.conversation.tell(taken.id, world.nowMs);
    world.ledger.push(...newsIn(taken.text));
    return true;
  }

  /** The trouble of this script, once. True when the agent will not answer. */
  #befall(p: Process, { lot }: Turn): boolean {
    const world = this.#world;
    const isHang = typeof lot === 'string' && lot.startsWith('hang');
    if (isHang || lot === 'cut') world.lots.spend();
    if (isHang) return true;
    if (lot === 'cut') Object.assign(p, { cut: true });
    else if (world.befalls('hang')) Object.assign(p, { hung: true });
    else if (world.befalls('crash')) Object.assign(p, GONE, { status: 137 });
    else if (world.befalls('orphan')) Object.assign(p, GONE, { status: 137, children: 1 });
    else return false;
    return true;
  }

  #answer(run: number, turn: Turn): void {
    const world = this.#world;
    const p = world.process(run);
    if (p === undefined) return;
    // A turn that continues another one answers the prompt of that one.
    const ours = turn.tokens.every((token) => token === null) ? [] : world.conversation.open();
    const lot = ours.length > 0 && world.befalls('fails') ? 'other' : turn.lot;
    const trouble = world.lots.troubleOf(lot, world.nowMs);
    if (trouble?.kind === 'poisoned') this.#poison.meet(p);
    const reply = trouble ? `Failed: ${trouble.kind}` : ours.length > 0 ? `Did ${ours.join(' and ')}.` : 'Hello.';
    if (ours.length > 0) world.ledger.push(`${trouble ? 'fail' : 'answer'} ${ours.join(' ')}`);
    world.conversation.end(trouble ? 'failed' : 'closed', reply, world.nowMs, trouble);
    noteTool(world, run, turn, 'tool.ended');
    noteSubagent(world, run);
    p.turn = null;
    if (ours.length === 0 || !world.befalls('lostStop')) world.hook(stopped(run, turn.turnId, reply, trouble));
    if (world.befalls('crashAfterReply')) {
      world.spool.pop();
      Object.assign(p, GONE, { status: 137 });
    } else if (turn.next !== undefined) {
      const { next } = turn;
      world.later(5, run, (now) => this.#hear(run, now, next));
    } else if (!p.drawn && world.befalls('stays')) {
      p.stays = true;
    } else if (!p.drawn) {
      world.later(5, run, (now) => Object.assign(now, GONE, { status: trouble ? 1 : 0 }));
    }
  }
}
