import type { Action } from '../../core/rules/action.ts';
import { fieldOf } from '../../core/rules/input.ts';

/** What says most of a call that is known by its name only. */
const TELLING = ['command', 'url', 'path', 'pattern', 'query', 'prompt', 'description'];

/** What says most of an action on a small screen. */
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
