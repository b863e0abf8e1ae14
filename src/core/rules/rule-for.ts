import type { Action } from './action.ts';
import { commandRule, hostRule, parseRule, pathRule, subjectOf, toolRule } from './grammar.ts';
import { hostOf } from './host.ts';
import { judge } from './judge.ts';
import { absolutePath } from './path.ts';
import type { Call, Rule } from './rules.ts';

/**
 * The narrowest rule that decides this call the same way the next time; null if no rule does so with certainty, or only
 * one that would match other calls too.
 */
export function ruleFor(effect: 'allow' | 'deny', call: Call): Rule | null {
  const [action, ...others] = call.actions;
  // A rule matches one action: a call with several has no rule of its own.
  const text = action === undefined || others.length > 0 ? null : textFor(call, action);
  return text === null ? null : ruleThatFits(effect, text, call);
}

/** The rule in a text, if it decides this call by itself; else null. */
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
