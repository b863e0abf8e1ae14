import { resolve } from 'node:path';
import type { ToolCallContent, ToolCallLocation, ToolCallUpdate, ToolKind } from '@agentclientprotocol/sdk';
import type { CallStep } from '../api/step.ts';
import type { Action } from '../core/rules/action.ts';
import { titleOf } from '../present/tool-title.ts';
import { diffsOf } from './diff.ts';

/** How much of a result is sent: the whole one is in the transcript. */
const RESULT_CHARS_MAX = 64 * 1024;

/** A tool call as an editor shows it. */
export function toolCallOf(call: CallStep, workspace: string): ToolCallUpdate & { title: string } {
  const { id, name, input, actions, result } = call;
  const status = result === null ? 'in_progress' : result.isError ? 'failed' : 'completed';
  const text = result === null ? '' : cut(result.text);
  return {
    toolCallId: id,
    title: titleOf(name, actions),
    name,
    kind: kindOf(actions),
    status,
    locations: locationsOf(actions, workspace),
    content: [...diffContent(actions, workspace), ...textContent(text)],
    rawInput: input,
    ...(result === null ? {} : { rawOutput: text }),
  };
}

/** The kind of a call, by which editors choose an icon. */
export function kindOf(actions: readonly { readonly is: string }[]): ToolKind {
  const kinds = new Set((actions as readonly Action[]).map(oneKind));
  const [kind = 'other'] = kinds;
  return kinds.size === 1 ? kind : 'other';
}

/** The files that a call is about. */
export function locationsOf(actions: readonly Action[], workspace: string): ToolCallLocation[] {
  return actions.flatMap((action) => {
    const isFile = (action.is === 'read' || action.is === 'write') && action.path !== null;
    return isFile ? [{ path: resolve(workspace, action.path) }] : [];
  });
}

/** A text as the content of a call; none if it is empty. */
export function textContent(text: string): ToolCallContent[] {
  return text === '' ? [] : [{ type: 'content', content: { type: 'text', text } }];
}

function diffContent(actions: readonly Action[], workspace: string): ToolCallContent[] {
  return diffsOf(actions, workspace).map((diff) => ({ type: 'diff', ...diff }));
}

function oneKind(action: Action): ToolKind {
  switch (action.is) {
    case 'shell':
      return 'execute';
    case 'read':
      return action.pattern === undefined ? 'read' : 'search';
    case 'write':
      return 'edit';
    case 'fetch':
      return 'fetch';
    case 'agent':
      return 'think';
    default:
      return 'other';
  }
}

function cut(text: string): string {
  const more = text.length - RESULT_CHARS_MAX;
  return more <= 0 ? text : `${text.slice(0, RESULT_CHARS_MAX)}\n[${more} more characters: outlast turn --full]`;
}
