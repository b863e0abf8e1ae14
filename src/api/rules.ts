// The command line may not reach into the core: this is the door to the rules.

export { judge } from '../core/rules/judge.ts';
export { realOf } from '../core/rules/real.ts';
export type { Call, Effect, JudgedPart, Judgement, Rule, RuleTexts } from '../core/rules/rules.ts';
export { EFFECTS, parseRules } from '../core/rules/rules.ts';
