import type { Action } from '../../core/rules/action.ts';
import { fieldOf } from '../../core/rules/input.ts';

/** The fields that best describe a call of an unknown tool. */
const TELLING = ['command', 'url', 'path', 'pattern', 'query', 'prompt', 'description'];
/** The first of them, or a path by another name, in an input as JSON that may be cut. */
const TOLD = /"(?:command|url|(?:file_?|absolute_)?path|pattern|query|prompt|description)":"((?:[^"\\]|\\.)*)/i;

/** The most important text of an action, for a small screen. */
export function actionText(action: Action): string {
  switch (action.is) {
    case 'shell':
      return action.command ?? '';
    case 'read':
      return [action.pattern, action.path].filter((text) => text !== undefined && text !== null).join(' in ');
    case 'write':
      return action.path ?? '';
    case 'fetch':
      return action.url ?? '';
    case 'agent':
      return action.prompt ?? '';
    case 'mcp':
    case 'other':
      return inputText(action.input);
  }
}

function inputText(input: unknown): string {
  const found = TELLING.map((name) => fieldOf(input, name)).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : (JSON.stringify(input) ?? '');
}

/** The most important text of a tool input as JSON, which may be cut. */
export function textOfInput(json: string): string {
  const found = TOLD.exec(json)?.[1];
  return found === undefined ? json : (JSON.parse(`"${found}"`) as string);
}
