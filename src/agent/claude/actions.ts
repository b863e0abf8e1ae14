import type { Action, Change, Replacement } from '../../core/rules/action.ts';
import { spelledActions } from '../../core/rules/grammar.ts';
import { fieldOf } from '../../core/rules/input.ts';

/** What its tools make of a file. */
const CHANGES: Readonly<Record<string, (input: unknown) => Change | null>> = {
  Edit: (input) => replaced([input], ['old_string', 'new_string', 'replace_all']),
  MultiEdit: (input) => replaced(fieldOf(input, 'edits'), ['edits']),
  Write: (input) => written(fieldOf(input, 'content')),
};

/**
 * What a tool call of Claude Code would do. Rules are spelled in the words of its tools, so its calls are read as they
 * are spelled; a tool that rules have no word for is known by its name only.
 */
export function claudeActions(tool: string, input: unknown): readonly Action[] {
  const changeOf = Object.hasOwn(CHANGES, tool) ? CHANGES[tool] : undefined;
  const actions = spelledActions(tool, input);
  if (changeOf === undefined) return actions;
  return actions.map((action) => (action.is === 'write' ? { ...action, change: changeOf(input) } : action));
}

function written(content: unknown): Change | null {
  return typeof content === 'string' ? { is: 'text', text: content, fields: ['content'] } : null;
}

function replaced(list: unknown, fields: readonly string[]): Change | null {
  const replacements = (Array.isArray(list) ? list : []).flatMap((each): Replacement[] => {
    const [before, after] = [fieldOf(each, 'old_string'), fieldOf(each, 'new_string')];
    if (typeof before !== 'string' || typeof after !== 'string') return [];
    return [{ before, after, everywhere: fieldOf(each, 'replace_all') === true }];
  });
  return replacements.length === 0 ? null : { is: 'replacements', replacements, fields };
}
