import type { Action } from './action.ts';
import { fitsText } from './glob.ts';
import type { Host } from './host.ts';
import { EFFECTS, type Effect, type Rule, type RuleTexts } from './rules.ts';

// How people write rules: in the words of the permission rules of Claude Code, for every agent. `Bash(git status:*)`
// means the same command of whatever tool runs it. No other file outside of the adapters has these words.

/** A rule, or why the text is none. */
export type ParsedRule = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly why: string };

/** What a rule is held against: an action, under the word by which rules mean it. */
export interface Subject {
  readonly is: Action['is'];
  readonly word: string;
  /** What the agent calls the tool. */
  readonly tool: string;
  /** Another tool could be spelled the same. */
  readonly isUnclear?: boolean;
}

type Spelled = Exclude<Action['is'], 'mcp' | 'other'>;

/** The words for each kind of action. The first means the kind, the others one tool of it. */
const WORDS: Readonly<Record<Spelled, readonly [string, ...string[]]>> = {
  shell: ['Bash'],
  read: ['Read', 'Glob', 'Grep', 'LS', 'NotebookRead'],
  write: ['Edit', 'Write', 'MultiEdit', 'NotebookEdit'],
  fetch: ['WebFetch'],
  agent: ['Agent', 'Task'],
};
const KINDS = new Map(
  (Object.keys(WORDS) as Spelled[]).flatMap((is) => WORDS[is].map((word): [string, Spelled] => [word, is])),
);

const RULE_CHARACTERS_MAX = 4096;
const FORM = /^([A-Za-z0-9_*-]+)(?:\(([\s\S]*)\))?$/;
const MCP_SERVER = /^mcp__(?:(?!__).)+$/;
const MCP_TOOL = /^mcp__(?:(?!__).)+__./;
const MCP_STAR = /^mcp__(?:(?!__)[^*])+__[^*]*\*$/;

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

/** The word for an action of a tool: the tool's own name where that is one for this kind, else the one for the kind. */
export function subjectOf(action: Action, tool: string): Subject {
  const { is } = action;
  switch (is) {
    case 'mcp':
      // `a__b` with a tool `c` and `a` with a tool `b__c` look the same.
      return { is, word: `mcp__${action.server}__${action.tool}`, tool, isUnclear: /__|_$/.test(action.server) };
    case 'other':
      return { is, word: action.name, tool };
    default:
      return { is, word: WORDS[is].includes(tool) ? tool : WORDS[is][0], tool };
  }
}

/** A file that a command line opens by itself. */
export function openedFile(is: 'read' | 'write'): Subject {
  return { is, word: WORDS[is][0], tool: WORDS[is][0] };
}

/** True when the rule is about this, by its name alone: by the word for it, or by what the agent calls its tool. */
export function names(rule: Rule, subject: Subject): boolean {
  if (rule.tool === '*') return true;
  if (rule.effect === 'allow') return allowsByName(rule, subject);
  return means(rule, subject.word) || means(rule, subject.tool);
}

/** True when the rule is about this file: one for the kind is about each tool of it. */
export function isAboutFile(rule: Rule, subject: Subject): boolean {
  if (names(rule, subject)) return true;
  const [kind] = subject.is === 'write' ? WORDS.write : WORDS.read;
  if (rule.effect === 'allow') return rule.pattern !== null && rule.tool === kind;
  if (rule.pattern === null) return rule.tool === kind;
  // What may not be read may not be changed either.
  const about = KINDS.get(rule.tool);
  return about === 'read' || (subject.is === 'write' && about === 'write');
}

/** True when the rule is about some files, in the word for a kind or for one tool of it. */
export function isAboutFiles({ tool, pattern }: Rule): boolean {
  const about = KINDS.get(tool);
  return pattern !== null && (about === 'read' || about === 'write');
}

/** True when the rule says which files are not to be read. */
export function deniesReading({ effect, tool, pattern }: Rule): boolean {
  return effect === 'deny' && pattern !== null && tool === WORDS.read[0];
}

/** The rule for a command. A star in a rule is any text, so a command that has one would become many. */
export function commandRule(command: string | null): string | null {
  return command === null || command.includes('*') || command.trim() === '' ? null : `${WORDS.shell[0]}(${command})`;
}

/** The rule for an absolute path. */
export function pathRule({ word }: Subject, path: string, isDeep: boolean): string | null {
  return /[*?[\]{}]/.test(path) ? null : `${word}(/${path}${isDeep ? '/**' : ''})`;
}

/** The rule for a host. */
export function hostRule({ host, port }: Host): string {
  return `${WORDS.fetch[0]}(domain:${host}${port === '' ? '' : `:${port}`})`;
}

/** The rule for a whole tool. */
export function toolRule({ word }: Subject): string | null {
  return /^[A-Za-z0-9_-]+$/.test(word) ? word : null;
}

/** The rule that keeps files from being changed. */
export function noWriting(path: string): string {
  return `${WORDS.write[0]}(/${path})`;
}

/**
 * An unknown tool is allowed by its exact name only, and a word for a kind is not such a name: the rule is about what
 * that kind does, and an unknown tool may do something else.
 */
function allowsByName(rule: Rule, { is, word, tool, isUnclear = false }: Subject): boolean {
  if (is === 'other') return rule.tool === word && kindOf(word) === null;
  if (is === 'mcp') return !isUnclear && means(rule, word);
  return means(rule, word) || (means(rule, tool) && (kindOf(tool) ?? is) === is);
}

function means(rule: Rule, name: string): boolean {
  if (!rule.tool.includes('*')) return rule.tool === name || isServerOf(rule.tool, name);
  return fitsText(rule.tool, name);
}

function kindOf(name: string): Action['is'] | null {
  return KINDS.get(name) ?? (MCP_TOOL.test(name) ? 'mcp' : null);
}

function isServerOf(server: string, tool: string): boolean {
  return MCP_SERVER.test(server) && tool.startsWith(`${server}__`);
}

function isNamed(tool: string): boolean {
  return tool === '*' || !tool.includes('*') || MCP_STAR.test(tool);
}
