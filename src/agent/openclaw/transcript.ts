import type { Judged, Tail } from '../seam/conversations.ts';
import { asFields, asList, asText, type Fields, readJsonLines } from '../seam/json.ts';
import { isGoAhead, isTrivial } from '../seam/trivial.ts';

/** One message of an OpenClaw conversation. */
export interface Message {
  readonly role: 'user' | 'assistant' | 'toolResult';
  readonly text: string;
  readonly images: number;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: string }[];
  /** The call that this is the result of. */
  readonly call: string | null;
  readonly stop: string | null;
  readonly error: string | null;
}

type Entry = { readonly is: 'message'; readonly message: Message } | { readonly is: 'unreadable' };

/** The metadata that OpenClaw puts before a person's text. */
const METADATA = /(Conversation info|Sender) \(untrusted metadata\):\s*```json[\s\S]*?```/g;
/** The stop reasons in a record that mean that an answer is complete. */
const FINAL = /"stopReason":\s*"(stop|length)"/;
const LIMIT = /limit|quota|too many requests|\b429\b/i;

/** Judges an OpenClaw conversation by its last lines; null when they contain no message. */
export function judgeTail({ text, isWhole }: Tail): Judged | null {
  const { entries, skipped } = entriesOf(text);
  const last = entries.at(-1);
  if (skipped > 0 && isWhole && entries.every(({ is }) => is === 'unreadable'))
    return { is: 'unreadable', why: 'nothing in it can be read', skipped };
  if (last === undefined) return isWhole ? { is: 'complete', why: 'it has no message', skipped } : null;
  if (last.is === 'unreadable') return { is: 'unknown', why: 'a line after the last message cannot be read', skipped };
  const before = entries.findLast((entry) => entry.is === 'message' && entry.message.role === 'assistant');
  const { role, text: words } = last.message;
  if (role === 'user' && before === undefined && !isWhole && isTrivial(words)) return null;
  const verdict = verdictOf(last.message, before?.is === 'message' ? before.message.text : '');
  const torn = text.slice(text.lastIndexOf('\n') + 1);
  if (verdict.is === 'interrupted' && FINAL.test(torn))
    return { is: 'unknown', why: 'the last line is torn, and looks like the end of an answer', skipped };
  // The torn line may be a new request.
  if (verdict.is !== 'interrupted' && torn !== '') return { is: 'unknown', why: 'the last line is torn', skipped };
  return { ...verdict, skipped };
}

/** The messages in a text. */
export function messagesOf(text: string): Message[] {
  return entriesOf(text).entries.flatMap((entry) => (entry.is === 'message' ? [entry.message] : []));
}

function verdictOf(message: Message, before: string): Omit<Judged, 'skipped'> {
  switch (message.role) {
    case 'toolResult':
      return { is: 'interrupted', why: 'the reply to a tool result is missing' };
    case 'user':
      return message.images === 0 && isTrivial(message.text) && !isGoAhead(message.text, before)
        ? { is: 'trivial', why: 'the last message needs no answer' }
        : { is: 'interrupted', why: 'the last request has no reply' };
    case 'assistant':
      return replyVerdict(message);
  }
}

function replyVerdict({ stop, error, text, calls }: Message): Omit<Judged, 'skipped'> {
  if (stop === 'error' || error !== null) {
    const why = error ?? text;
    return { is: LIMIT.test(why) ? 'limited' : 'failed', why: why === '' ? 'the model failed' : why };
  }
  if (stop === 'aborted') return { is: 'complete', why: 'a person stopped the turn' };
  const names = calls.map(({ name }) => name).join(', ');
  if (calls.length > 0) return { is: 'interrupted', why: `no result is recorded for ${names}` };
  if (text.trim() === '') return { is: 'interrupted', why: 'the last reply has no text' };
  if (stop === null || stop === 'stop' || stop === 'length') return { is: 'complete', why: 'it was answered' };
  return { is: 'unknown', why: `the last reply stopped for an unknown reason: ${stop}` };
}

function entriesOf(text: string): { entries: Entry[]; skipped: number } {
  const { lines, skipped } = readJsonLines(text);
  const entries = lines.flatMap((line): Entry[] => {
    if (line.is === 'unreadable') return [{ is: 'unreadable' }];
    const fields = asFields(line.fields.message);
    if (fields === null) return [];
    const message = messageOf(fields);
    return message === null ? [{ is: 'unreadable' }] : [{ is: 'message', message }];
  });
  return { entries, skipped };
}

function messageOf(fields: Fields): Message | null {
  const { role } = fields;
  if (role !== 'user' && role !== 'assistant' && role !== 'toolResult') return null;
  const blocks = asList(fields.content).map((block) => asFields(block) ?? {});
  const texts = blocks.flatMap((block) => (block.type === 'text' ? (asText(block.text) ?? []) : []));
  return {
    role,
    text: (asText(fields.content) ?? texts.join('\n')).replaceAll(METADATA, '').trim(),
    images: blocks.filter(({ type }) => type === 'image').length,
    calls: blocks
      .filter(({ type }) => type === 'toolCall')
      .map((block) => ({
        id: asText(block.id) ?? '',
        name: asText(block.name) ?? 'unknown',
        input: JSON.stringify(block.arguments ?? {}),
      })),
    call: asText(fields.toolCallId),
    stop: asText(fields.stopReason),
    error: asText(fields.errorMessage),
  };
}
