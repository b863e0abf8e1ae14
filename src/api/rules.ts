// The command line may not import the core: it gets the rules from here.

export { parseRules, spelledActions } from '../core/rules/grammar.ts';
export { judge } from '../core/rules/judge.ts';
export { realOf } from '../core/rules/real.ts';
export type { Call, Effect, JudgedPart, Judgement, Rule, RuleTexts } from '../core/rules/rules.ts';
export { EFFECTS } from '../core/rules/rules.ts';
