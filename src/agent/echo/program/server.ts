import type { Note, Reply, Request, Saying, Standing, Stopped, ToolCall } from '../protocol.ts';
import { Conversation } from './conversation.ts';
import { askIn } from './manners.ts';
import type { Places } from './places.ts';
import { stepsOf } from './story.ts';
import { type Answer, type Stage, Turn } from './turn.ts';

/** How a server reaches its clients. */
export interface Outlet {
  say(message: Note | Reply): void;
  /** Sends half of a message; returns a function that sends the rest. */
  sayHalf(message: Note): () => void;
  /** Resolves when everything was sent. */
  end(): void;
}

type Opened = { readonly conversation: Conversation; readonly asks: boolean };
type Question = Standing['questions'][number] & { readonly settle: (answer: Answer) => void };

/** How many past prompts and turns a new connection gets. */
const KEPT_MAX = 32;
/** Longer than a client takes to read the state. */
const REPEAT_MS = 300;

/** The part of echo that is the same over every wire. It handles each request as it comes, even a repeated one. */
export class Server {
  readonly #places: Places;
  readonly #outlet: Outlet;
  #open: Opened | null = null;
  #turn: Turn | null = null;
  #n = 0;
  #wondered = 0;
  readonly #prompts: { prompt: string; turn: string; text: string }[] = [];
  readonly #ended: Stopped[] = [];
  readonly #questions = new Map<string, Question>();
  readonly #wonders = new Map<string, (error: string) => void>();

  constructor(places: Places, outlet: Outlet) {
    this.#places = places;
    this.#outlet = outlet;
  }

  /** Handles a request. Anything else is ignored. */
  take(message: unknown): Reply | null {
    if (typeof message !== 'object' || message === null || !('do' in message)) return null;
    const request = message as Request;
    const error = this.#do(request);
    if (error !== null) return { re: request.id, error };
    return request.do === 'open' ? { re: request.id, ...this.#opened() } : { re: request.id };
  }

  /** Of the manner of the gate depends whether the open questions are told with the state, or asked again later. */
  #opened(): Pick<Reply, 'standing'> {
    const { manner, clock } = this.#places;
    const { standing } = this.#standing();
    if (standing === undefined) return {};
    if (manner !== 'repeats') return { standing };
    void clock.sleep(REPEAT_MS).then(() => {
      for (const { settle: _, ...question } of this.#questions.values()) this.#say({ on: 'asked', ...question });
    });
    return { standing: { ...standing, questions: [] } };
  }

  #do(request: Request): string | null {
    switch (request.do) {
      case 'open':
        return this.#begin(request);
      case 'prompt':
        return this.#prompt(request);
      case 'answer':
        return this.#answer(request);
      case 'interrupt':
        if (this.#turn === null) return 'no turn is running';
        this.#turn.interrupt();
        return null;
      case 'reply': {
        const settle = this.#wonders.get(request.to);
        this.#wonders.delete(request.to);
        settle?.(request.error);
        return settle === undefined ? `there is no question ${request.to}` : null;
      }
      case 'close':
        setImmediate(() => this.#outlet.end());
        return null;
      default:
        return 'unknown request';
    }
  }

  #begin({ conversation: id, ask }: Extract<Request, { do: 'open' }>): string | null {
    if (this.#open !== null) return null;
    const conversation = id === null ? Conversation.begin(this.#places) : Conversation.resume(this.#places, id);
    if (conversation === null) return `there is no conversation ${id}`;
    this.#open = { conversation, asks: ask };
    this.#say({ on: 'opened', conversation: conversation.id, transcript: conversation.path });
    return null;
  }

  #prompt({ id, text, steer }: Extract<Request, { do: 'prompt' }>): string | null {
    if (this.#open === null) return 'no conversation is open';
    if (this.#turn !== null && !steer) return 'a turn is running';
    const { conversation } = this.#open;
    const turn = conversation.hear(id, text, this.#turn?.id ?? null);
    keep(this.#prompts, { prompt: id, turn, text });
    this.#say({ on: 'prompted', turn, prompt: id, text });
    if (this.#turn === null) void this.#play(turn, text);
    else this.#turn.add(stepsOf(text, this.#places.answer));
    return null;
  }

  async #play(id: string, text: string): Promise<void> {
    if (this.#open === null) return;
    this.#turn = new Turn(this.#stage(this.#open), id, stepsOf(text, this.#places.answer));
    const stopped = await this.#turn.play();
    this.#turn = null;
    this.#questions.clear();
    this.#wonders.clear();
    keep(this.#ended, stopped);
    this.#say({ on: 'stopped', ...stopped });
  }

  #stage({ conversation, asks }: Opened): Stage {
    const { manner, clock } = this.#places;
    return {
      places: this.#places,
      conversation,
      say: (saying) => this.#say(saying),
      sayHalf: (saying) => this.#outlet.sayHalf(this.#note(saying)),
      stray: () => this.#outlet.say({ re: 'nobody-asked-this' }),
      ask: asks ? askIn(manner, (turn, call, signal) => this.#ask(turn, call, signal), clock) : null,
      wonder: (about, signal) => this.#wonder(about, signal),
    };
  }

  #ask(turn: string, call: ToolCall, signal: AbortSignal): Promise<Answer> {
    const question = `q-${call.call}`;
    return new Promise((settle, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#questions.set(question, { question, turn, ...call, settle });
      this.#say({ on: 'asked', turn, question, ...call });
    });
  }

  #answer({ question, allow, why, input }: Extract<Request, { do: 'answer' }>): string | null {
    const open = this.#questions.get(question);
    if (open === undefined) return `there is no question ${question}`;
    this.#questions.delete(question);
    const isYes = allow === true;
    this.#say({ on: 'answered', question, allow: isYes });
    open.settle({ allow: isYes, why, ...(input === undefined ? {} : { input }) });
    return null;
  }

  #wonder(about: string, signal: AbortSignal): Promise<string> {
    this.#wondered += 1;
    const id = `w${this.#wondered}`;
    return new Promise((settle, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#wonders.set(id, settle);
      this.#say({ on: 'wonders', id, about });
    });
  }

  #standing(): Pick<Reply, 'standing'> {
    if (this.#open === null) return {};
    const { id, path } = this.#open.conversation;
    const questions = [...this.#questions.values()].map(({ settle: _, ...question }) => question);
    const [prompts, ended] = [[...this.#prompts], [...this.#ended]];
    const standing = { n: this.#n, conversation: id, transcript: path, prompts, ended };
    return { standing: { ...standing, turn: this.#turn?.id ?? null, questions, wonders: [...this.#wonders.keys()] } };
  }

  #say(saying: Saying): void {
    this.#outlet.say(this.#note(saying));
  }

  #note(saying: Saying): Note {
    this.#n += 1;
    return { n: this.#n, ...saying };
  }
}

function keep<T>(list: T[], one: T): void {
  list.push(one);
  if (list.length > KEPT_MAX) list.shift();
}
