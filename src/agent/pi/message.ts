import type { TokenKinds } from '../../core/usage.ts';
import { asFields, asList, asNumber, asText, type Fields } from '../seam/json.ts';
import { kindsOf } from '../seam/token-kinds.ts';
import type { ToolResult } from '../seam/turn.ts';

/** A message of pi, as it is in its output and in the file of a conversation. */
export type Message =
  | { readonly is: 'prompt'; readonly text: string; readonly images: number }
  | Reply
  | { readonly is: 'result'; readonly result: ToolResult };

/** What the model said in one response. */
export interface Reply {
  readonly is: 'reply';
  readonly parts: readonly ReplyPart[];
  /** Why the response ended: stop, length, toolUse, error, aborted. */
  readonly reason: string;
  /** What pi says about a response that failed. */
  readonly error: string | null;
  readonly model: string | null;
  readonly used: Used;
}

export type ReplyPart =
  | { readonly is: 'text'; readonly text: string }
  | { readonly is: 'thinking'; readonly text: string }
  | { readonly is: 'call'; readonly id: string; readonly name: string; readonly input: unknown };

/** What a response used up. */
export interface Used {
  readonly tokens: number;
  readonly byKind: TokenKinds | undefined;
  readonly usd: number;
}

/** Reads a message; null: it is of another kind, such as the system prompt. */
export function messageOf(value: unknown): Message | null {
  const message = asFields(value);
  switch (message?.role) {
    case 'user':
      return promptOf(message);
    case 'assistant':
      return replyOf(message);
    case 'toolResult': {
      const content = contentOf(message.content);
      const id = asText(message.toolCallId) ?? '';
      return { is: 'result', result: { id, ...content, isError: message.isError === true } };
    }
    default:
      return null;
  }
}

/** The names of images, which pi adds after the text. */
const NAMES = /(?:<file name="[^"\n]*\/[0-9a-f]{64}\.(?:png|jpg|gif|webp)">[^<]*<\/file>\s*)+$/;

function promptOf({ content }: Fields): Message {
  const { text, images } = contentOf(content);
  return { is: 'prompt', text: images === 0 ? text : text.replace(NAMES, ''), images };
}

/** The texts of a reply. */
export function textOf({ parts }: Reply): string {
  return parts.flatMap((part) => (part.is === 'text' ? [part.text] : [])).join('\n');
}

/** The tokens and dollars in the field `usage`. */
export function usedOf(value: unknown): Used {
  const usage = asFields(value);
  const { input, output, cacheRead, cacheWrite } = usage ?? {};
  const byKind = kindsOf({ input, output, cacheRead, cacheWrite });
  return { tokens: asNumber(usage?.totalTokens) ?? 0, byKind, usd: asNumber(asFields(usage?.cost)?.total) ?? 0 };
}

function replyOf(message: Fields): Reply {
  const [provider, model] = [asText(message.provider), asText(message.model)];
  return {
    is: 'reply',
    parts: asList(message.content).flatMap(partOf),
    reason: asText(message.stopReason) ?? 'unknown',
    error: asText(message.errorMessage),
    model: provider === null || model === null ? model : `${provider}/${model}`,
    used: usedOf(message.usage),
  };
}

function partOf(value: unknown): ReplyPart[] {
  const part = asFields(value);
  switch (part?.type) {
    case 'text':
      return [{ is: 'text', text: asText(part.text) ?? '' }];
    case 'thinking':
      return [{ is: 'thinking', text: asText(part.thinking) ?? '' }];
    case 'toolCall': {
      const [id, name] = [asText(part.id) ?? '', asText(part.name) ?? 'unknown'];
      return [{ is: 'call', id, name, input: part.arguments ?? null }];
    }
    default:
      return [];
  }
}

/** The content of a message is a text, or a list of blocks. */
function contentOf(content: unknown): { readonly text: string; readonly images: number } {
  const blocks = asList(content).map((block) => asFields(block) ?? {});
  return {
    text: asText(content) ?? blocks.flatMap((block) => asText(block.text) ?? []).join('\n'),
    images: blocks.filter(({ type }) => type === 'image').length,
  };
}
