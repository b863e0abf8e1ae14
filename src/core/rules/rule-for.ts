import type { Action } from './action.ts';
import { commandRule, hostRule, parseRule, pathRule, subjectOf, toolRule } from './grammar.ts';
import { hostOf } from './host.ts';
import { judge } from './judge.ts';
import { absolutePath } from './path.ts';
import type { Call, Rule } from './rules.ts';

/**
 * The narrowest rule that says the same about this call the next time; null when there is none that says it for
 * certain, or only one that would say it about more than this.
 */
export function ruleFor(effect: 'allow' | 'deny', call: Call): Rule | null {
  const [action, ...others] = call.actions;
  // One rule says one thing: a call that does several has none of its own.
  const text = action === undefined || others.length > 0 ? null : textFor(call, action);
  return text === null ? null : ruleThatFits(effect, text, call);
}

/** The rule that a text is, when by itself it decides about this call. */
export function ruleThatFits(effect: 'allow' | 'deny', text: string, call: Call): Rule | null {
  const parsed = parseRule(effect, text);
  if (!parsed.ok) return null;
  return judge([parsed.rule], call).verdict === effect ? parsed.rule : null;
}

function textFor(call: Call, action: Action): string | null {
  const subject = subjectOf(action, call.tool);
  switch (action.is) {
    case 'shell':
      return commandRule(action.command);
    case 'read':
    case 'write': {
      const path = action.path === null ? null : absolutePath(action.path, call);
      return path === null ? null : pathRule(subject, path, action.is === 'read' && action.isDeep === true);
    }
    case 'fetch': {
      const found = hostOf(action.url);
      return found === null ? null : hostRule(found);
    }
    default:
      return toolRule(subject);
  }
}
