// A fake world for the simulator: terminals, launchers, an agent, a transcript and a hook spool that survive the
// supervisor, and a power switch that they do not survive.
import type { Effect, Input, InputId, Say, Sight } from '../../src/core/event.ts';
import { runOf } from '../../src/core/fold.ts';
import type { ApprovalId, ConversationId, Session } from '../../src/core/session.ts';
import type { Journal } from '../../src/journal/journal.ts';
import type { Script } from './scripts.ts';

interface Process {
  claimed: boolean;
  claimedAtMs: number;
  alive: boolean;
  status: number | null;
  lastOutputMs: number;
  children: number;
  cut: boolean;
  box: string | null;
}

/** How long after it is made a claim may still be lost with the power. */
const UNSYNCED_MS = 100;

export class World {
  nowMs = 0;
  boot = 'boot-1';
  aliveMax = 0;
  /** Everything that was really done, for the checker: it must never contain the same thing twice. */
  readonly ledger: string[] = [];
  readonly spool: { id: InputId; input: Input }[] = [];
  readonly #processes = new Map<number, Process>();
  readonly #heard: string[] = [];
  #turn: 'open' | 'closed' = 'closed';
  #reply = '';
  #alarms: { atMs: number; run: number; fire: () => void }[] = [];
  readonly #dying: { atMs: number; input: Input }[] = [];
  #hooks = 0;
  #trouble = true;
  readonly #script: Script;
  readonly #journal: Journal;
  readonly #point: () => void;

  constructor(script: Script, journal: Journal, point: () => void) {
    this.#script = script;
    this.#journal = journal;
    this.#point = point;
  }

  look(session: Session): Omit<Sight, 'tried'> {
    const run = runOf(session);
    const p = this.#processes.get(run);
    const base = { outputBytes: 10, left: p?.children ?? 0 };
    const terminal: Sight['terminal'] = !p?.claimed
      ? { is: 'absent' }
      : p.alive
        ? {
            is: 'alive',
            pid: 100 + run,
            quietMs: this.nowMs - p.lastOutputMs,
            outputBytes: 10,
            sink: p.cut ? 'cut' : 'ok',
          }
        : p.status !== null
          ? { is: 'dead', exit: { status: p.status }, outputBytes: 10, drained: true, exitAgeMs: 0, failed: null }
          : { is: 'lost', outputBytes: 10 };
    return {
      terminal,
      left: base.left,
      screen: p?.box != null ? 'holding' : 'unknown',
      transcript: { heard: [...this.#heard], turn: this.#turn, reply: this.#reply },
      boot: this.boot,
      slot: true,
    };
  }

  act(session: Session, effect: Effect): void {
    this.#point();
    switch (effect.kind) {
      case 'open':
        return this.#open(session, effect.run, effect.say);
      case 'type':
        return this.#type(effect.run, effect.say);
      case 'enter':
        return this.#enter(effect.run);
      case 'close':
        return this.#close(effect.run);
      case 'hangup':
        return this.#hangUp(effect.run);
      case 'mend':
        return;
    }
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
      this.#hook(late.input);
    }
  }

  /** When the next thing happens by itself. */
  dueMs(): number {
    return Math.min(...this.#alarms.map((a) => a.atMs), ...this.#dying.map((d) => d.atMs));
  }

  /** The power fails: every process is gone, and what was not yet on the disk too. */
  reboot(): void {
    this.#alarms = [];
    this.boot = `boot-${Number(this.boot.slice(5)) + 1}`;
    for (const [run, p] of this.#processes) {
      if (this.nowMs - p.claimedAtMs < UNSYNCED_MS && p.claimed) this.#processes.delete(run);
      else Object.assign(p, { alive: false, children: 0, box: null });
    }
  }

  /** What is alive now, over all runs. */
  alive(): number {
    return [...this.#processes.values()].filter((p) => p.alive || p.children > 0).length;
  }

  /** Does it say that an old process said it? The dying words of a run come late. */
  #hook(input: Input): void {
    this.#hooks += 1;
    this.spool.push({ id: `hook-${this.#hooks}` as InputId, input });
  }

  #later(ms: number, run: number, fire: (p: Process) => void): void {
    const guarded = (): void => {
      const p = this.#processes.get(run);
      if (p?.alive) {
        p.lastOutputMs = this.nowMs;
        fire(p);
      }
    };
    this.#alarms.push({ atMs: this.nowMs + ms, run, fire: guarded });
  }

  /** The launcher is a process of its own: it claims its run a moment later, whatever became of the supervisor. */
  #open(session: Session, run: number, say: Say | null): void {
    this.#point();
    this.#alarms.push({ atMs: this.nowMs + 3, run, fire: () => this.#claim(session, run, say) });
    this.#point();
  }

  #claim(session: Session, run: number, say: Say | null): void {
    const before = this.#processes.get(run);
    if (before?.claimed) return;
    const slow = this.#script.slowStart ? 60 : 0;
    const fresh = {
      claimed: true,
      claimedAtMs: this.nowMs,
      alive: true,
      status: null,
      children: 0,
      cut: false,
      box: null,
    };
    this.#processes.set(run, { ...fresh, lastOutputMs: this.nowMs });
    this.aliveMax = Math.max(this.aliveMax, this.alive());
    if (session.spec.drive === 'command') return this.#runCommand(run);
    if (session.spec.drive === 'turns') return this.#later(10 + slow, run, () => say && this.#hear(run, say.token));
    this.#later(10 + slow, run, () => this.#hook({ type: 'hook.ready', run, conversation: 'c1' as ConversationId }));
    if (!this.#script.person) return;
    this.#later(20, run, () => this.#hook({ type: 'hook.accepted', run, token: 'theirs' }));
    this.#later(40, run, () => this.#hook({ type: 'hook.stopped', run, token: 'theirs', reply: 'Hello.' }));
  }

  #runCommand(run: number): void {
    this.ledger.push(`command`);
    this.#later(5, run, (p) => {
      p.children = this.#script.leaves ? 1 : 0;
    });
    if (this.#script.never) return;
    if (this.#script.trouble === 'cut') this.#later(15, run, (p) => Object.assign(p, { cut: true }));
    this.#later(40, run, (p) => {
      const lost = this.#trouble && this.#script.trouble === 'crash';
      Object.assign(p, { alive: false, status: lost ? null : 7 });
      if (lost) this.#trouble = false;
    });
  }

  #hangUp(run: number): void {
    this.ledger.push('hang up');
    this.#later(1, run, (p) => Object.assign(p, { alive: false, status: 7 }));
    this.#point();
  }

  #close(run: number): void {
    const p = this.#processes.get(run);
    // Claiming what nobody claimed keeps a launcher on its way from ever starting.
    if (!p?.claimed) {
      this.#point();
      const none = { alive: false, status: null, lastOutputMs: 0, children: 0, cut: false, box: null };
      this.#processes.set(run, { claimed: true, claimedAtMs: -UNSYNCED_MS, ...none });
      return this.#point();
    }
    this.#point();
    p.children = 0;
    this.#point();
    if (!p.alive) return;
    Object.assign(p, { alive: false, status: 143, box: null });
    const token = this.#heard.at(-1) ?? '';
    const conversation = 'c1' as ConversationId;
    this.#dying.push({ atMs: this.nowMs + 105, input: { type: 'hook.ready', run, conversation } });
    this.#dying.push({ atMs: this.nowMs + 300, input: { type: 'hook.stopped', run, token, reply: 'Killed.' } });
    this.#point();
  }

  #type(run: number, say: Say): void {
    const p = this.#processes.get(run);
    if (!p?.alive) return;
    this.ledger.push(`say ${say.token} ${run}`);
    if (this.#trouble && this.#script.trouble === 'swallowedEnter') {
      this.#trouble = false;
      p.box = say.token;
      return;
    }
    this.#later(this.#script.acceptMs ?? 50, run, () => this.#hear(run, say.token));
    this.#point();
  }

  #enter(run: number): void {
    const p = this.#processes.get(run);
    const token = p?.box;
    if (!p?.alive || token == null) return;
    p.box = null;
    this.#later(50, run, () => this.#hear(run, token));
    this.#point();
  }

  /** The agent takes the prompt: it says so, asks for a tool, and works. */
  #hear(run: number, token: string): void {
    this.ledger.push(`hear ${token}`);
    this.#heard.push(token);
    this.#turn = 'open';
    this.#hook({ type: 'hook.accepted', run, token });
    const approval = `${token}/a` as ApprovalId;
    this.#later(20, run, () => {
      this.#hook({ type: 'hook.asked', run, approval, tool: 'Bash' });
      this.#awaitDecision(run, approval, token);
    });
  }

  #awaitDecision(run: number, approval: ApprovalId, token: string): void {
    this.#later(30, run, (p) => {
      const decided = this.#journal
        .read(0 as never, 10_000)
        .some(({ event }) => event.body.type === 'approval.decided' && event.body.approval === approval);
      if (!decided) return this.#awaitDecision(run, approval, token);
      if (this.#trouble && this.#befall(p)) return;
      this.#later(40, run, () => this.#answer(run, token));
    });
  }

  /** The trouble of this script, once. True when the agent will not answer. */
  #befall(p: Process): boolean {
    const { trouble } = this.#script;
    if (trouble !== 'crash' && trouble !== 'hang' && trouble !== 'orphan') return false;
    this.#trouble = false;
    if (trouble === 'crash') Object.assign(p, { alive: false, status: 137 });
    if (trouble === 'orphan') Object.assign(p, { alive: false, status: 137, children: 1 });
    return true;
  }

  #answer(run: number, token: string): void {
    this.ledger.push(`answer ${token}`);
    this.#turn = 'closed';
    this.#reply = 'All green.';
    this.#hook({ type: 'hook.stopped', run, token, reply: 'All green.' });
    if (this.#trouble && this.#script.trouble === 'crashAfterReply') {
      this.#trouble = false;
      this.spool.pop();
      Object.assign(this.#processes.get(run) ?? {}, { alive: false, status: 137 });
    } else if (this.#script.spec.drive === 'turns') {
      this.#later(5, run, (p) => Object.assign(p, { alive: false, status: 0 }));
    }
  }
}
