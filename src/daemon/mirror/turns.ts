import { actorText } from '../../core/actor.ts';
import type { Event, EventBody } from '../../core/event.ts';
import { toText } from '../../terminal/text.ts';
import { cut, oneLine } from '../views/one-line.ts';

const TOOL_CHARS_MAX = 200;

/** Writes the turns of a conversation for people, event by event: what was said, what was used, what was answered. */
export class TurnText {
  /** Prompts that are not shown yet: they are shown when the agent takes them, not when they are queued. */
  readonly #waiting = new Map<string, string>();

  /** The text of one more event; empty for most. */
  add({ body, atMs }: Event): string {
    const at = `[${new Date(atMs).toISOString().slice(0, 19)}Z]`;
    this.#remember(body);
    const prompt = 'prompt' in body ? body.prompt : null;
    const before = prompt !== null && SHOWING.has(body.type) ? this.#show(at, prompt) : '';
    if (body.type === 'prompt.dropped') this.#waiting.delete(body.prompt);
    return before + textOf(body, at);
  }

  #remember(body: EventBody): void {
    if (body.type === 'prompt.queued') this.#waiting.set(body.prompt, body.text);
    if (body.type === 'session.followed') for (const { prompt, text } of body.texts) this.#waiting.set(prompt, text);
  }

  #show(at: string, prompt: string): string {
    const text = this.#waiting.get(prompt);
    this.#waiting.delete(prompt);
    return text === undefined ? '' : part(`${at} prompt`, text);
  }
}

/** A prompt was received, or its turn is over without a report that it was. */
const SHOWING: ReadonlySet<string> = new Set<EventBody['type']>([
  'prompt.accepted',
  'prompt.answered',
  'prompt.failed',
  'prompt.interrupted',
  'prompt.unsure',
]);

function textOf(body: EventBody, at: string): string {
  switch (body.type) {
    case 'prompt.answered':
      return part(`${at} reply`, body.reply);
    case 'prompt.failed':
      return part(`${at} failed`, body.error);
    case 'prompt.interrupted':
      return part(`${at} interrupted by ${oneLine(actorText(body.by))}`, '');
    case 'prompt.unsure':
      return part(`${at} it is not known whether the agent received this prompt`, '');
    case 'turn.started':
      return part(`${at} prompt from another source`, body.text);
    case 'turn.ended':
      return part(`${at} reply`, body.reply);
    case 'tool.called':
      return `${at} ${oneLine(body.tool)} ${cut(oneLine(body.input), TOOL_CHARS_MAX)}\n`;
    case 'session.held':
      return part(`${at} a person is needed`, body.why.text);
    default:
      return '';
  }
}

function part(head: string, text: string): string {
  const plain = toText(Buffer.from(text)).trimEnd();
  return `${head}\n${plain === '' ? '' : `${plain}\n`}\n`;
}
