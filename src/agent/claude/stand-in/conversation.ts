import { randomUUID } from 'node:crypto';
import type { Clock } from '../../../base/clock.ts';
import { type Fields, fieldsOf, textOf } from './json.ts';
import {
  answerLine,
  attachmentLine,
  type Block,
  bulkLines,
  failureLine,
  type Message,
  type Moment,
  noiseLines,
  noteLine,
  type Place,
  promptLine,
  queueLine,
  resultLine,
  SYNTHETIC,
  systemLine,
} from './lines.ts';
import { type Met, metSteps } from './met.ts';
import { type Cue, type Cure, cueFor, type Said } from './story.ts';
import { withStory } from './told-stories.ts';
import type { Transcript } from './transcript.ts';

interface Setting {
  readonly place: Place;
  readonly transcript: Transcript;
  readonly clock: Clock;
  readonly config: string;
  /** The lines from before this process. */
  readonly past: readonly Fields[];
  /** Called with each line as it is added to the conversation. */
  readonly onLine: (line: Fields) => void;
}

const NOT_SAID = /^\s*(<system-reminder|<local-command|<command-|<bash-|<task-notification|\[Request interrupted)/;
const NO_REPLY = 'No response requested.';

/** One conversation: in memory for the story, and on disk for readers. */
export class Conversation {
  readonly place: Place;
  readonly transcript: Transcript;
  promptId: string | null = null;
  readonly #setting: Setting;
  readonly #met: Met;
  readonly #said: { text: string; messages: Set<string> }[] = [];
  #parent: string | null = null;
  #isOpen = false;
  #isBulky = false;
  readonly #cured = new Set<Cure>();

  constructor(setting: Setting) {
    this.#setting = setting;
    this.place = setting.place;
    this.transcript = setting.transcript;
    this.#met = metSteps(setting.config, setting.place.id);
    for (const line of setting.past) this.#remember(line);
    this.#isBulky = setting.past.length > 0;
  }

  /** Adds a prompt that begins a turn. After an interrupted turn, the real agent first writes a synthetic reply. */
  prompt(text: string, more: Fields = {}): void {
    const { id } = this.place;
    // Bookkeeping is written at once, messages late: an agent killed in between leaves an id that cannot be resumed.
    if (!this.#isBulky) this.transcript.note({ type: 'mode', mode: 'normal', sessionId: id });
    this.enqueue(text);
    this.transcript.add(queueLine(id, this.#now(), 'dequeue'));
    if (this.#isOpen)
      this.answer({ id: randomUUID(), model: SYNTHETIC, stop: 'stop_sequence' }, { type: 'text', text: NO_REPLY });
    this.#add(promptLine(this.place, this.#moment(), text, more));
    if (!this.#isBulky) for (const line of bulkLines(id, this.#now())) this.transcript.add(line);
    this.#isBulky = true;
  }

  /** Adds a prompt that waits for the running turn to accept it. */
  enqueue(text: string): void {
    this.transcript.add(queueLine(this.place.id, this.#now(), 'enqueue', text));
  }

  /** Adds a prompt that joins a running turn. */
  steer(text: string): void {
    this.transcript.add(queueLine(this.place.id, this.#now(), 'remove', text));
    const attachment = { type: 'queued_command', prompt: text, commandMode: 'prompt', humanTurn: true };
    this.#add(attachmentLine(this.place, this.#moment(), attachment));
  }

  answer(message: Message, block: Block): void {
    this.#add(answerLine(this.place, this.#moment(), message, block));
  }

  fail(failure: { text: string; error: string; status: number }): void {
    this.#add(failureLine(this.place, this.#moment(), failure));
  }

  result(result: Fields, structured: unknown): void {
    this.#add(resultLine(this.place, this.#moment(), result, structured));
  }

  note(text: string, more: Fields = {}): void {
    this.#add(noteLine(this.place, this.#moment(), text, more));
  }

  system(subtype: string, more: Fields): void {
    this.#add(systemLine(this.place, this.#moment(), subtype, more));
  }

  /** Records an attachment. */
  attach(attachment: Fields): void {
    this.#add(attachmentLine(this.place, this.#moment(), attachment));
  }

  /** Writes the bookkeeping at the end of a turn: the last line is almost never the last message. */
  rest(): void {
    for (const line of noiseLines(this.place.id, this.#said.at(-1)?.text ?? '')) this.transcript.add(line);
  }

  /** The step of the story for the next answer. */
  cue(): Cue {
    const { config } = this.#setting;
    const told = (text: string): string => withStory(config, text);
    const said: Said[] = this.#said.map(({ text, messages }) => ({ text: told(text), answers: messages.size }));
    const cue = cueFor(said, { met: (key) => this.#met.count(key), isCured: (cure) => this.#cured.has(cure) });
    if (cue.step.is !== 'text' && cue.step.is !== 'tools') this.#met.add(cue.key);
    return cue;
  }

  #add(line: Fields): void {
    this.transcript.add(line);
    this.#remember(line);
    this.#setting.onLine(line);
  }

  #remember(line: Fields): void {
    // A line without a parent does not become a parent itself.
    if ('parentUuid' in line) this.#parent = textOf(line.uuid) ?? this.#parent;
    const message = fieldsOf(line.message);
    if (line.type === 'assistant') this.#rememberAnswer(line, message);
    if (line.subtype === 'compact_boundary') this.#cured.add('compact');
    if ('forkedFrom' in line) this.#cured.add('fork');
    if (line.type !== 'user') return;
    this.#isOpen = true;
    const text = textOf(message.content);
    if (text !== null && line.isMeta !== true && line.isCompactSummary !== true && !NOT_SAID.test(text))
      this.#said.push({ text, messages: new Set() });
  }

  #rememberAnswer(line: Fields, message: Fields): void {
    if (message.model !== SYNTHETIC) this.#said.at(-1)?.messages.add(textOf(message.id) ?? '');
    this.#isOpen = message.stop_reason === 'tool_use' || line.isAbortedMidStream === true;
  }

  #moment(): Moment {
    return { timestamp: this.#now(), promptId: this.promptId, parentUuid: this.#parent };
  }

  #now(): string {
    return new Date(this.#setting.clock.wallMs()).toISOString();
  }
}
