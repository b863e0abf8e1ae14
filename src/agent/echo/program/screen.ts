import type { Conversation } from './conversation.ts';
import { counted, hook, type Say } from './hook.ts';
import type { Places } from './places.ts';
import { stepsOf } from './story.ts';
import { Turn } from './turn.ts';

/** Enter sends, Escape interrupts, Backspace and Ctrl-U delete, Ctrl-D exits. */
const [ENTER, ESCAPE, BACKSPACE, CLEAR, END] = ['\r', '\x1b', '\x7f', '\x15', '\x04'];
const [PASTE, PASTED] = ['\x1b[200~', '\x1b[201~'];

/** A draft that is longer, or has more lines, is shown as its length. */
const [ROWS_MAX, CHARS_MAX] = [100, 10_000];
const [SHOWN_CHARS_MAX, SHOWN_LINES_MAX] = [100, 5];

/** Echo with its own screen: the conversation, whether a turn is running, and an input line. */
export class ScreenMode {
  readonly #places: Places;
  readonly #conversation: Conversation;
  readonly #say: Say;
  readonly #shown: string[] = [];
  #draft = '';
  /** What was pasted so far; null: nothing is being pasted. */
  #paste: string | null = null;
  #turn: Turn | null = null;
  #prompts = 0;

  constructor(places: Places, conversation: Conversation, command?: string) {
    this.#places = places;
    this.#conversation = conversation;
    this.#say = counted(hook(command), () => this.#paint());
  }

  start(): void {
    this.#shown.push(...this.#conversation.past().map(({ by, text }) => `${by}: ${text}`));
    process.stdin.setRawMode(true);
    process.stdout.write('\x1b[?2004h\x1b]0;echo\x07');
    // A paste comes in pieces, which end in the middle of a character too.
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (text) => this.#typed(String(text)));
    process.stdin.on('end', () => process.exit(0));
    this.#say({ on: 'opened', conversation: this.#conversation.id, transcript: this.#conversation.path });
  }

  #typed(text: string): void {
    let rest = text;
    while (rest !== '') rest = this.#paste === null ? this.#keys(rest) : this.#pasted(rest);
    this.#paint();
  }

  /** Takes keys, up to the beginning of a paste; gives what comes after it. */
  #keys(text: string): string {
    const [keys = ''] = text.split(PASTE, 1);
    for (const key of keys) this.#key(key);
    if (keys.length === text.length) return '';
    this.#paste = '';
    return text.slice(keys.length + PASTE.length);
  }

  /** Takes what is pasted; a paste comes in pieces, and its end may be cut too. */
  #pasted(text: string): string {
    const all = (this.#paste ?? '') + text;
    const end = all.indexOf(PASTED, Math.max(0, all.length - text.length - PASTED.length));
    this.#paste = end < 0 ? all : null;
    if (end < 0) return '';
    this.#draft += all.slice(0, end).replaceAll(/\r\n?/g, '\n');
    return all.slice(end + PASTED.length);
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
    this.#turn = new Turn({ ...stage, ...odd }, id, stepsOf(text, this.#places.answer));
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
    const lines = this.#draft.split('\n');
    const isLong = this.#draft.length > SHOWN_CHARS_MAX || lines.length > SHOWN_LINES_MAX;
    const shown = isLong ? [`[${this.#draft.length} characters]`] : lines;
    const draft = shown.map((line, i) => `${i === 0 ? '>' : ' '} ${line}`);
    const state = this.#turn === null ? '(ready)' : '(working)';
    const said = this.#shown.slice(-ROWS_MAX).flatMap((text) => text.slice(-CHARS_MAX).split('\n'));
    const rows = [...said, state, ...draft];
    process.stdout.write(`\x1b[H\x1b[2J${rows.slice(-(process.stdout.rows ?? 24)).join('\r\n')}`);
  }
}
