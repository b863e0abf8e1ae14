import type { Step as RecordedStep } from '../../agent/seam/turn.ts';
import type { LogLine } from '../../api/logs-shape.ts';
import type { CallStep, Step } from '../../api/step.ts';
import type { Event } from '../../core/event.ts';
import { isContinuation } from '../../core/say.ts';
import { durationText } from '../../present/duration.ts';
import type { AgentTurn } from '../../supervisor/all-turns.ts';
import { withoutHandover } from '../views/without-handover.ts';
import { withoutUpdates } from '../views/without-updates.ts';
import { CallLines } from './call-lines.ts';
import { beginning, eventLine, isRuled } from './event-line.ts';
import type { LogAgents } from './log-agents.ts';
import { PromptTexts } from './prompt-texts.ts';
import { isBefore, isEndOf, type Place, Recorded } from './recorded.ts';

/** Does an event wait until the agent has recorded what it is about? It gets the time of the event. */
export type Waits = (atMs: number, msMax: number) => boolean;

/** Agents record a moment after they report. */
const STEP_MS_MAX = 1_000;
const REPLY_MS_MAX = 3_000;

/**
 * Puts the journal of a session and the agent's record of it together, in the order in which things happened. The
 * record has no times: a call that is in both tells where in the record an event belongs. Pure: the same events and
 * turns give the same lines.
 */
export class LogMerge {
  readonly #agents: LogAgents;
  readonly #calls: CallLines;
  readonly #prompts = new PromptTexts();
  readonly #queue: Event[] = [];
  readonly #sent = new Map<string, string>();
  readonly recorded: Recorded;
  /** The recorded turns that were told, or whose prompt was: with its id, if it is one of ours. */
  readonly #begunTurns = new Map<number, string | null>();
  /** The next step to tell. */
  #next: Place = { turn: 0, step: 0 };
  /** How many prompts the agent got so far. */
  turn = 0;
  #createdAtMs = 0;
  #atMs: number | null = null;
  #sentAtMs = 0;
  #isRecovering = false;

  constructor(agents: LogAgents) {
    this.#agents = agents;
    this.#calls = new CallLines(agents.actions);
    this.recorded = new Recorded(agents);
  }

  /** Is there an event that waits for the record? */
  get isWaiting(): boolean {
    return this.#queue.length > 0;
  }

  /** The lines about what is new. */
  take(events: readonly Event[], turns: readonly AgentTurn[], waits: Waits): LogLine[] {
    this.recorded.turns = turns;
    for (const { body, atMs } of events) {
      if (body.type === 'tool.called' || body.type === 'tool.ended') this.#calls.hear(body, atMs);
      this.#prompts.hear(body);
    }
    this.#queue.push(...events);
    const lines = this.#changed();
    for (let event = this.#queue[0]; event !== undefined; event = this.#queue[0]) {
      const told = this.#event(event, waits);
      if (told === 'waits') return lines;
      this.#queue.shift();
      this.#atMs = event.atMs;
      lines.push(...told);
    }
    lines.push(...this.#upTo(this.recorded.end));
    return lines;
  }

  #event(event: Event, waits: Waits): LogLine[] | 'waits' {
    const { body, atMs } = event;
    const line = (): LogLine[] => [eventLine(event, this.turn, this.#createdAtMs)].flatMap((each) => each ?? []);
    switch (body.type) {
      case 'session.created':
        this.#createdAtMs = atMs;
        return [beginning(event)].flatMap((each) => each ?? []);
      case 'prompt.sending':
        return this.#sending(event, body);
      case 'turn.started':
        return this.#begun(`event ${event.seq}`, body.text, atMs, null);
      case 'tool.called':
        return this.#called(event, body.call, line, waits);
      case 'approval.asked':
        return this.#called(event, body.call, isRuled(this.#queue[1]) ? () => [] : line, waits);
      case 'tool.ended':
        return body.call !== null && this.#calls.isTold(body.call) ? this.#calls.told(body.call, this.turn, atMs) : [];
      case 'prompt.answered':
        return this.#answered(event, body.prompt, body.reply, waits);
      case 'turn.ended':
        return body.trouble === undefined ? this.#answered(event, null, body.reply, waits) : line();
      case 'run.faulted':
        this.#isRecovering = true;
        return [...this.#rest(), ...line()];
      case 'run.starting': {
        const isTold = this.#isRecovering && body.run > 1;
        this.#isRecovering = false;
        return isTold ? line() : [];
      }
      default:
        return [...this.#rest(), ...line()];
    }
  }

  /** A prompt is told when it is sent: the turn before it is over. */
  #sending({ seq, atMs }: Event, body: Extract<Event['body'], { type: 'prompt.sending' }>): LogLine[] {
    this.#sentAtMs = atMs;
    const text = this.#prompts.of(body.prompt);
    const id = `prompt ${body.prompt}`;
    if (body.turn > 1) {
      const told = `continues after the interruption (try ${body.turn})`;
      const next = this.recorded.continuation(this.#next.turn, this.#isTaken);
      const before = next === null ? this.#rest() : this.#upTo({ turn: next, step: 0 });
      if (next !== null) this.#begunTurns.set(next, null);
      return [...before, { id: `event ${seq}`, is: 'event', atMs, turn: this.turn, text: told, event: body.type }];
    }
    if (this.#sent.has(id)) return [];
    return this.#begun(id, text, atMs, body.prompt);
  }

  #begun(id: string, text: string, atMs: number | null, prompt: string | null): LogLine[] {
    const found = prompt === null ? this.#turnWith(text) : this.#turnOf(prompt);
    const before = found === null ? [] : this.#upTo({ turn: found, step: 0 });
    if (found !== null) this.#begunTurns.set(found, prompt);
    return [...before, this.#promptLine(id, text, atMs, prompt)];
  }

  #promptLine(id: string, text: string, atMs: number | null, prompt: string | null): LogLine {
    this.#sent.set(id, '');
    this.turn += 1;
    const shown = withoutUpdates(withoutHandover(text));
    return { id, is: 'prompt', atMs, turn: this.turn, text: shown, ...(prompt !== null && { prompt }) };
  }

  #called(event: Event, call: string | null, line: () => LogLine[], waits: Waits): LogLine[] | 'waits' {
    if (call === null) return line();
    const place = this.recorded.placeOf(call, this.#next.turn - 1);
    const isOther = event.body.type === 'tool.called' && event.body.subagent !== null;
    if (place === null && !isOther && !this.#calls.isTold(call) && waits(event.atMs, STEP_MS_MAX)) return 'waits';
    const before = place === null ? [] : this.#upTo({ ...place, step: place.step + 1 });
    if (event.body.type !== 'tool.called') return [...before, ...line()];
    return [...before, ...this.#calls.told(call, this.turn, event.atMs)];
  }

  /** A reply is in the record as the last text of its turn; if it is not, it is told from the journal. */
  #answered({ seq, atMs, body }: Event, prompt: string | null, reply: string, waits: Waits): LogLine[] | 'waits' {
    const turn = prompt === null ? this.recorded.turns.length - 1 : this.#turnOf(prompt);
    const said = turn === null || turn < 0 ? [] : this.recorded.textsOf(turn);
    const isThere = reply.trim() === '' || said.some((text) => isEndOf(text, reply));
    if (!isThere && this.#agents.isRecorded() && waits(atMs, REPLY_MS_MAX)) return 'waits';
    const steps = turn === null || turn < 0 ? [] : this.#upTo({ turn: turn + 1, step: 0 });
    const text: LogLine = { id: `reply ${seq}`, is: 'text', atMs, turn: this.turn, text: reply };
    if (!isThere) this.#sent.set(`said ${reply.trim()}`, '');
    const took = `answered after ${durationText(atMs - this.#sentAtMs)}`;
    const end: LogLine = { id: `event ${seq}`, is: 'event', atMs, turn: this.turn, text: took, event: body.type };
    return [...steps, ...(isThere ? [] : [text]), ...(prompt === null ? [] : [end])];
  }

  /** At the end of what is known, everything recorded comes before the event. */
  #rest(): LogLine[] {
    return this.#queue.length > 1 ? [] : this.#upTo(this.recorded.end);
  }

  /** Tells the steps before a place. */
  #upTo(end: Place): LogLine[] {
    const lines: LogLine[] = [];
    while (this.#next.turn < this.recorded.turns.length && isBefore(this.#next, end)) {
      const { turn, step } = this.#next;
      const steps = this.recorded.stepsOf(turn);
      const each = steps[step];
      // The last turn goes on.
      if (each === undefined && turn === this.recorded.turns.length - 1) break;
      if (step === 0) lines.push(...this.#turnBegun(turn));
      if (each !== undefined) lines.push(...this.#step(turn, step, each));
      if (each === undefined) this.#forget(turn - 1);
      this.#next = each === undefined ? { turn: turn + 1, step: 0 } : { turn, step: step + 1 };
    }
    return lines;
  }

  /** The steps of an old turn do not change any more. */
  #forget(turn: number): void {
    for (const index of this.recorded.stepsOf(turn).keys()) this.#sent.delete(`step ${turn + 1}.${index}`);
  }

  /** A turn of somebody else, of which there is no event. */
  #turnBegun(turn: number): LogLine[] {
    const text = this.recorded.turns[turn]?.prompt ?? '';
    if (text === '' || this.#begunTurns.has(turn)) return [];
    const known = [...this.#begunTurns.values()];
    const prompt = this.#prompts.find(
      (each) => this.recorded.beganWith(turn, each),
      (id) => known.includes(id),
    );
    this.#begunTurns.set(turn, prompt);
    if (isContinuation(text) || (prompt !== null && this.#sent.has(`prompt ${prompt}`))) return [];
    const id = prompt === null ? `turn ${turn + 1}` : `prompt ${prompt}`;
    return [this.#promptLine(id, text, this.#atMs, prompt)];
  }

  #step(turn: number, index: number, step: RecordedStep): LogLine[] {
    const id = `step ${turn + 1}.${index}`;
    const known = this.#sent.get(id);
    const text = JSON.stringify(step);
    if (known === text) return [];
    this.#sent.set(id, text);
    if (step.is === 'call') return this.#calls.recorded(this.#withActions(turn, step), this.turn, this.#atMs);
    if (step.text.trim() === '' || this.#sent.has(`said ${step.text.trim()}`)) return [];
    const base = { id, atMs: this.#atMs, turn: this.turn, text: step.text };
    if (step.is === 'told') return [{ ...base, is: 'note' }];
    return [{ ...base, is: step.is, ...this.#agents.namedIn(this.recorded.turns, turn) }];
  }

  /** Steps that were told and have changed since: results of calls, and texts that grow. */
  #changed(): LogLine[] {
    const lines: LogLine[] = [];
    for (let turn = Math.max(0, this.#next.turn - 1); turn <= this.#next.turn; turn++) {
      const max = turn < this.#next.turn ? Number.POSITIVE_INFINITY : this.#next.step;
      for (const [index, step] of this.recorded.stepsOf(turn).entries())
        if (index < max && this.#sent.has(`step ${turn + 1}.${index}`)) lines.push(...this.#step(turn, index, step));
    }
    return lines;
  }

  /** The recorded turn of a prompt: the first one with its text that belongs to no other prompt. */
  #turnOf(prompt: string): number | null {
    for (const [turn, known] of this.#begunTurns) if (known === prompt) return turn;
    return this.#turnWith(this.#prompts.of(prompt), this.#prompts.whole(prompt));
  }

  #turnWith(...texts: readonly string[]): number | null {
    return this.recorded.turnWith(texts, this.#next.turn, this.#isTaken);
  }

  readonly #isTaken = (turn: number): boolean => this.#begunTurns.has(turn);

  #withActions(turn: number, step: Extract<RecordedStep, { is: 'call' }>): CallStep {
    const { agent = '' } = this.recorded.turns[turn] ?? {};
    return { ...step, actions: this.#agents.actionsOf(agent)(step.name, step.input) } satisfies Step;
  }
}
