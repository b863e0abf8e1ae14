import type { Conversation } from './conversation.ts';
import { counted, hook, type Say } from './hook.ts';
import type { Places } from './places.ts';
import { stepsOf } from './story.ts';
import { Turn } from './turn.ts';

/** Enter sends, Escape interrupts, Backspace and Ctrl-U delete, Ctrl-D exits. */
const [ENTER, ESCAPE, BACKSPACE, CLEAR, END] = ['\r', '\x1b', '\x7f', '\x15', '\x04'];
const PASTE = /\x1b\[200~([\s\S]*?)\x1b\[201~/g;

/** Echo with its own screen: the conversation, whether a turn is running, and an input line. */
export class ScreenMode {
  readonly #places: Places;
  readonly #conversation: Conversation;
  readonly #say: Say;
  readonly #shown: string[] = [];
  #draft = '';
  #turn: Turn | null = null;
  #prompts = 0;

  constructor(places: Places, conversation: Conversation, command?: string) {
    this.#places = places;
    this.#conversation = conversation;
    this.#say = counted(hook(command), () => this.#paint());
  }

  start(): void {
    process.stdin.setRawMode(true);
    process.stdout.write('\x1b[?2004h\x1b]0;echo\x07');
    process.stdin.on('data', (bytes) => this.#typed(String(bytes)));
    process.stdin.on('end', () => process.exit(0));
    this.#say({ on: 'opened', conversation: this.#conversation.id, transcript: this.#conversation.path });
  }

  #typed(text: string): void {
    const pasted = text.replaceAll(PASTE, (_, inside: string) => {
      this.#draft += inside.replaceAll('\r', '\n');
      return '';
    });
    for (const key of pasted) this.#key(key);
    this.#paint();
  }

  #key(key: string): void {
    if (key === ENTER) this.#enter();
    else if (key === ESCAPE) this.#turn?.interrupt();
    else if (key === BACKSPACE) this.#draft = this.#draft.slice(0, -1);
    else if (key === CLEAR) this.#draft = '';
    else if (key === END) this.#leave();
    else this.#draft += key;
  }

  #enter(): void {
    const text = this.#draft.trim();
    if (text === '' || this.#turn !== null) return;
    this.#draft = '';
    if (text === '/quit') this.#leave();
    else void this.#play(text);
  }

  async #play(text: string): Promise<void> {
    this.#prompts += 1;
    const prompt = `typed-${process.pid}-${this.#prompts}`;
    const id = this.#conversation.hear(prompt, text, null);
    const stage = { places: this.#places, conversation: this.#conversation, say: this.#say, ask: null };
    const odd = { sayHalf: () => () => {}, stray: () => {}, wonder: async () => 'nobody answers' };
    this.#turn = new Turn({ ...stage, ...odd }, id, stepsOf(text));
    this.#shown.push(`you: ${text}`);
    this.#say({ on: 'prompted', turn: id, prompt, text });
    const stopped = await this.#turn.play();
    this.#turn = null;
    this.#shown.push(stopped.interrupted ? 'echo was interrupted' : `echo: ${stopped.reply}`);
    this.#say({ on: 'stopped', ...stopped });
  }

  #leave(): void {
    process.stdout.write('\x1b[?2004l\r\n');
    process.exit(0);
  }

  #paint(): void {
    const [last = '', ...before] = this.#draft.split('\n').toReversed();
    const draft = [...before.toReversed(), last].map((line, i) => `${i === 0 ? '>' : ' '} ${line}`);
    const state = this.#turn === null ? '(ready)' : '(working)';
    const rows = [...this.#shown.flatMap((text) => text.split('\n')), state, ...draft];
    process.stdout.write(`\x1b[H\x1b[2J${rows.slice(-(process.stdout.rows ?? 24)).join('\r\n')}`);
  }
}
