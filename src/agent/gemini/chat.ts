import type { TokenKinds } from '../../core/usage.ts';
import { withoutMentions } from '../seam/images.ts';
import { asFields, asList, asNumber, asText, type Fields, type Line } from '../seam/json.ts';
import { kindsInAll } from '../seam/token-kinds.ts';
import type { ToolResult } from '../seam/turn.ts';

/** One message of a conversation of Gemini CLI. */
export type Message =
  | Given
  | Reply
  /** What only the model is told: about the machine, or the results of calls. */
  | { readonly is: 'context'; readonly id: string; readonly results: readonly ToolResult[] }
  | { readonly is: 'unreadable'; readonly id: '' };

/** A prompt, and the texts of files that it names. */
export interface Given {
  readonly is: 'prompt';
  readonly id: string;
  readonly atMs: number;
  readonly texts: readonly string[];
  readonly images: number;
}

/** An answer of the model. Its calls are added when they are over. */
export interface Reply {
  readonly is: 'reply';
  readonly id: string;
  readonly atMs: number;
  readonly thoughts: readonly string[];
  readonly text: string;
  readonly calls: readonly ChatCall[];
  readonly model: string | null;
  /** Missing in a copy. */
  readonly tokens: number;
  readonly byKind: TokenKinds | undefined;
}

/** A call of a tool. Its result is here, or in a message of its own. */
export interface ChatCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly result: ToolResult | null;
}

/** What a line does to the messages. */
export type Change =
  | { readonly do: 'put'; readonly message: Message }
  /** All messages are replaced, with other times. */
  | { readonly do: 'replace'; readonly messages: readonly Message[] }
  /** This message and what follows is dropped; everything, if it is not there. */
  | { readonly do: 'rewind'; readonly to: string };

/** The change that a line makes; null: none. */
export function changeOf(line: Line): Change | null {
  if (line.is === 'unreadable') return { do: 'put', message: { is: 'unreadable', id: '' } };
  const { fields } = line;
  const to = asText(fields.$rewindTo);
  if (to !== null) return { do: 'rewind', to };
  const set = asFields(fields.$set);
  if (Array.isArray(set?.messages))
    return { do: 'replace', messages: set.messages.flatMap((each) => messageOf(asFields(each) ?? {}) ?? []) };
  const message = messageOf(fields);
  return message === null ? null : { do: 'put', message };
}

function messageOf(fields: Fields): Message | null {
  const id = asText(fields.id);
  if (id === null) return null;
  const atMs = Date.parse(asText(fields.timestamp) ?? '') || 0;
  const parts = partsOf(fields.content);
  const texts = parts.flatMap(({ text, thought }) => (thought === true ? [] : (asText(text) ?? [])));
  switch (fields.type) {
    case 'user':
      return isContext(texts)
        ? { is: 'context', id, results: parts.flatMap(resultsOf) }
        : { is: 'prompt', id, atMs, ...givenIn(parts, texts) };
    case 'gemini':
      return {
        ...{ is: 'reply', id, atMs, thoughts: asList(fields.thoughts).flatMap(thoughtOf), text: texts.join('') },
        calls: [...parts.flatMap(copiedCall), ...asList(fields.toolCalls).flatMap(callOf)],
        model: asText(fields.model),
        ...countsOf(asFields(fields.tokens)),
      };
    default:
      // What it only shows.
      return null;
  }
}

/** Everything that is neither the prompt nor what its tools added to it is output: thoughts are counted apart. */
function countsOf(tokens: Fields | null): Pick<Reply, 'tokens' | 'byKind'> {
  const [all, prompt] = [asNumber(tokens?.total), asNumber(tokens?.input)];
  if (all === null || prompt === null) return { tokens: all ?? 0, byKind: undefined };
  const input = prompt + (asNumber(tokens?.tool) ?? 0);
  return { tokens: all, byKind: kindsInAll({ input, output: all - input, cacheRead: tokens?.cached, cacheWrite: 0 }) };
}

/** The first message tells the model about the machine, and others have results only. */
function isContext(texts: readonly string[]): boolean {
  return texts.length === 0 || /^\s*<session_context>/.test(texts[0] ?? '');
}

/** Around the files that a prompt names. */
const FRAME = /^\s*--- (Content from referenced files|End of content) ---\s*$/;

function givenIn(
  parts: readonly Fields[],
  [first = '', ...others]: readonly string[],
): Pick<Given, 'texts' | 'images'> {
  const images = parts.filter(({ inlineData }) => asFields(inlineData) !== null).length;
  const files = images === 0 ? others : others.filter((text) => !FRAME.test(text));
  return { texts: [withoutMentions(first), ...files], images };
}

function partsOf(content: unknown): Fields[] {
  const text = asText(content);
  return text === null ? asList(content).map((part) => asFields(part) ?? {}) : [{ text }];
}

function thoughtOf(thought: unknown): string[] {
  const { subject, description } = asFields(thought) ?? {};
  const text = [asText(subject), asText(description)].filter((each) => each !== null && each !== '').join(': ');
  return text === '' ? [] : [text];
}

/** A copy has a call in the text, and its result in the next message. */
function copiedCall(part: Fields): ChatCall[] {
  const call = asFields(part.functionCall);
  if (call === null) return [];
  const id = asText(call.id) ?? '';
  return [{ id, name: asText(call.name) ?? 'unknown', input: call.args ?? null, result: null }];
}

function callOf(given: unknown): ChatCall[] {
  const call = asFields(given);
  const id = asText(call?.id);
  if (call === null || id === null) return [];
  const [result = null] = asList(call.result).flatMap((part) => resultsOf(asFields(part) ?? {}));
  return [{ id, name: asText(call.name) ?? 'unknown', input: call.args ?? null, result }];
}

function resultsOf(part: Fields): ToolResult[] {
  const answer = asFields(part.functionResponse);
  if (answer === null) return [];
  const { error, output } = asFields(answer.response) ?? {};
  const failed = asText(error);
  return [{ id: asText(answer.id) ?? '', text: failed ?? asText(output) ?? '', images: 0, isError: failed !== null }];
}
