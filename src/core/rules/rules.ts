import { fitsText } from './glob.ts';

/** What a rule says about the calls it fits. */
export type Effect = 'allow' | 'ask' | 'deny';

/** One rule of the gate, in the words of the agent's own permission rules: `Bash(git status:*)`. */
export interface Rule {
  readonly effect: Effect;
  /** As it was written. */
  readonly text: string;
  /** The name of a tool; `*` stands for any letters. */
  readonly tool: string;
  /** What is in the brackets; null when the whole tool is meant. */
  readonly pattern: string | null;
}

/** A tool call that waits for a verdict. */
export interface Call {
  readonly tool: string;
  readonly input: unknown;
  /** Absolute. Rules without a leading `/` or `~` begin here. */
  readonly workspace: string;
  readonly home: string;
  /** Where a command would start and relative paths begin; the workspace when it is not given. */
  readonly cwd?: string;
  /**
   * The path of the call with links resolved, where the caller can look. The rules see names only: a link that leads
   * out of the workspace is seen only here. Both paths must be allowed; one that is denied is enough.
   */
  readonly real?: string;
}

/** One thing that a call would do, and what the rules say about it. */
export interface JudgedPart {
  readonly text: string;
  readonly verdict: Effect;
  readonly rule: Rule | null;
  readonly why: string;
}

/** The verdict over a call: that of its worst part. */
export interface Judgement {
  readonly verdict: Effect;
  /** The rule that decided; null when none did. */
  readonly rule: Rule | null;
  readonly why: string;
  readonly parts: readonly JudgedPart[];
}

/** Rules as they stand in a settings file. */
export interface RuleTexts {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

/** A rule, or why the text is none. */
export type ParsedRule = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly why: string };

export const EFFECTS = ['allow', 'ask', 'deny'] as const satisfies readonly Effect[];

const RULE_CHARACTERS_MAX = 4096;
const FORM = /^([A-Za-z0-9_*-]+)(?:\(([\s\S]*)\))?$/;

/** Reads one rule. */
export function parseRule(effect: Effect, text: string): ParsedRule {
  const bad = (why: string): ParsedRule => ({ ok: false, why: `the ${effect} rule ${JSON.stringify(text)} ${why}` });
  if (text.length > RULE_CHARACTERS_MAX) return bad(`is longer than ${RULE_CHARACTERS_MAX} characters`);
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return bad('has a control character in it');
  const [, tool = '', inside] = FORM.exec(text.trim()) ?? [];
  if (tool === '') return bad('is not written like Tool or Tool(pattern)');
  // "Tool()" is a slip of the pen: reading it as the whole tool would allow far more than was meant.
  if (inside?.trim() === '') return bad('has nothing in its brackets');
  const pattern = inside === undefined || inside.trim() === '*' ? null : inside.trim();
  if (pattern !== null && tool.startsWith('mcp__')) return bad('has brackets; those of MCP tools have none');
  if (pattern !== null && tool.includes('*')) return bad('has brackets after a tool with a star');
  if (effect === 'allow' && !isNamed(tool)) return bad('allows too much: a star may only stand after mcp__server__');
  return { ok: true, rule: { effect, text: text.trim(), tool, pattern } };
}

/** Reads the lists of a settings file; the texts that are no rules come back as sentences. */
export function parseRules(texts: RuleTexts): { readonly rules: readonly Rule[]; readonly faults: readonly string[] } {
  const parsed = EFFECTS.flatMap((effect) => (texts[effect] ?? []).map((text) => parseRule(effect, text)));
  return {
    rules: parsed.flatMap((each) => (each.ok ? [each.rule] : [])),
    faults: parsed.flatMap((each) => (each.ok ? [] : [each.why])),
  };
}

/** True when the rule is about this tool, by its name alone. */
export function namesTool(rule: Rule, tool: string): boolean {
  if (!rule.tool.includes('*')) return rule.tool === tool || isServerOf(rule.tool, tool);
  return fitsText(rule.tool, tool);
}

/** The rule that says most of what it means: the longest pattern, and any pattern before none. */
export function mostSpecific(rules: readonly Rule[]): Rule | null {
  const weight = ({ tool, pattern }: Rule): number => (pattern === null ? 0 : 10_000 + pattern.length) + tool.length;
  return rules.reduce<Rule | null>((best, rule) => (best && weight(best) >= weight(rule) ? best : rule), null);
}

function isServerOf(server: string, tool: string): boolean {
  return /^mcp__(?:(?!__).)+$/.test(server) && tool.startsWith(`${server}__`);
}

function isNamed(tool: string): boolean {
  return tool === '*' || !tool.includes('*') || /^mcp__(?:(?!__)[^*])+__[^*]*\*$/.test(tool);
}
