import type { PermissionMode, Trouble } from '../../core/session.ts';
import { asText, type Fields } from '../seam/json.ts';
import { troubleOf } from './trouble.ts';

/** A tool call of an agent, as far as its messages name it. */
export interface AcpTool {
  readonly name: string;
  readonly input: unknown;
}

/** What the protocol leaves open, and one agent does in its own way. */
export interface AcpDialect {
  /** The tool and its input, from the fields of a `tool_call`. */
  tool(call: Fields): AcpTool;
  /** Does this update, which is not part of an answer, show that the agent has begun with a prompt? */
  isBegun(update: Fields): boolean;
  /** The error in a reply, from an agent that ends a failed turn like any other; null: it is a reply. */
  failure(reply: string): string | null;
  /** The agent's own name for how it asks, which is set in every conversation; null: it is not set. */
  modeWord(isGated: boolean, mode: PermissionMode): string | null;
  /** The kind of trouble that this error is. */
  trouble(text: string): Trouble;
  /**
   * It goes on telling a loaded conversation after it has answered that it is open. It is ready when it has answered
   * another request.
   */
  readonly tellsOn: boolean;
  /** Would the agent read this text as a command instead of a prompt? */
  isCommand(text: string): boolean;
}

/**
 * What holds for every agent. The title of a call is a text for people, so the kind of a tool has to stand for its
 * name.
 */
export const ANY_DIALECT: AcpDialect = {
  tool: (call) => ({
    name: asText(call.kind) ?? 'other',
    input: call.rawInput ?? { title: call.title ?? null, locations: call.locations ?? [] },
  }),
  isBegun: () => false,
  failure: () => null,
  modeWord: () => null,
  trouble: troubleOf,
  tellsOn: false,
  // Which commands there are is said after a conversation was opened.
  isCommand: () => false,
};
