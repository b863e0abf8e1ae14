// The command line may not reach into the core: this is the door to the rules.

// The tools in whose words rules are written.
export { claudeActions as actionsOf } from '../agent/claude/actions.ts';
export { parseRules } from '../core/rules/grammar.ts';
export { judge } from '../core/rules/judge.ts';
export { realOf } from '../core/rules/real.ts';
export type { Call, Effect, JudgedPart, Judgement, Rule, RuleTexts } from '../core/rules/rules.ts';
export { EFFECTS } from '../core/rules/rules.ts';
