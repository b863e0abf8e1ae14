import type { Action } from './action.ts';
import { fitsText } from './glob.ts';
import type { Host } from './host.ts';
import { fieldOf } from './input.ts';
import { EFFECTS, type Effect, type Rule, type RuleTexts } from './rules.ts';

// The syntax of rules: that of the permission rules of Claude Code, for every agent. `Bash(git status:*)` matches the
// same command in every tool that runs commands. `outlast rules test` takes calls in these words too. No other file
// outside the adapters contains them.

/** A rule, or the reason why the text is not one. */
export type ParsedRule = { readonly ok: true; readonly rule: Rule } | { readonly ok: false; readonly why: string };

/** What a rule is compared with: an action, and the word that rules use for it. */
export interface Subject {
  readonly is: Action['is'];
  readonly word: string;
  /** The agent's name of the tool. */
  readonly tool: string;
  /** Another tool could have the same name. */
  readonly isUnclear?: boolean;
}

type Spelled = Exclude<Action['is'], 'mcp' | 'other'>;

/** The rule words of each kind of action. The first means the whole kind, the others one tool of it. */
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
const MCP_TOOL = /^mcp__((?:(?!__).)+)__(.+)$/s;
const MCP_STAR = /^mcp__(?:(?!__)[^*])+__[^*]*\*$/;

/** Parses one rule. */
export function parseRule(effect: Effect, text: string): ParsedRule {
  const bad = (why: string): ParsedRule => ({ ok: false, why: `the ${effect} rule ${JSON.stringify(text)} ${why}` });
  if (text.length > RULE_CHARACTERS_MAX) return bad(`is longer than ${RULE_CHARACTERS_MAX} characters`);
  if (/[\0-\x08\x0b-\x1f\x7f]/.test(text)) return bad('contains a control character');
  const [, tool = '', inside] = FORM.exec(text.trim()) ?? [];
  if (tool === '') return bad('is not of the form Tool or Tool(pattern)');
  // "Tool()" is a typo: reading it as the whole tool would allow far more than was meant.
  if (inside?.trim() === '') return bad('has empty parentheses');
  const pattern = inside === undefined || inside.trim() === '*' ? null : inside.trim();
  if (pattern !== null && tool.startsWith('mcp__')) return bad('has parentheses; rules for MCP tools have none');
  if (pattern !== null && tool.includes('*')) return bad('has parentheses after a tool with a star');
  if (effect === 'allow' && !isNamed(tool)) return bad('allows too much: a star is allowed only after mcp__server__');
  return { ok: true, rule: { effect, text: text.trim(), tool, pattern } };
}

/** Parses the rule lists of a settings file. Each text that is not a rule is reported as a sentence. */
export function parseRules(texts: RuleTexts): { readonly rules: readonly Rule[]; readonly faults: readonly string[] } {
  const parsed = EFFECTS.flatMap((effect) => (texts[effect] ?? []).map((text) => parseRule(effect, text)));
  return {
    rules: parsed.flatMap((each) => (each.ok ? [each.rule] : [])),
    faults: parsed.flatMap((each) => (each.ok ? [] : [each.why])),
  };
}

/** The subject of an action: the tool's own name if it is a rule word for this kind, else the word for the kind. */
export function subjectOf(action: Action, tool: string): Subject {
  const { is } = action;
  switch (is) {
    case 'mcp':
      // Server `a__b` with tool `c` and server `a` with tool `b__c` look the same.
      return { is, word: `mcp__${action.server}__${action.tool}`, tool, isUnclear: /__|_$/.test(action.server) };
    case 'other':
      return { is, word: action.name, tool };
    default:
      return { is, word: WORDS[is].includes(tool) ? tool : WORDS[is][0], tool };
  }
}

/** What a call would do that is written in these words, whichever agent would make it. */
export function spelledActions(word: string, input: unknown): readonly Action[] {
  const is = KINDS.get(word);
  switch (is) {
    case 'shell':
      return [{ is, command: textOf(input, 'command'), ...(isUnconfined(input) && { isUnconfined: true as const }) }];
    case 'read':
      return SEARCHES[word] === undefined ? [{ is, path: pathOf(input) }] : searched(input, SEARCHES[word]);
    case 'write':
      return [{ is, path: pathOf(input), change: null }];
    case 'fetch':
      return [{ is, url: textOf(input, 'url') }];
    case 'agent':
      return [{ is, prompt: textOf(input, 'prompt') }];
    case undefined: {
      // The server name ends at the next double underscore.
      const [, server, tool] = MCP_TOOL.exec(word) ?? [];
      if (server === undefined || tool === undefined) return [{ is: 'other', name: word, input }];
      return [{ is: 'mcp', server, tool, input }];
    }
  }
}

/** The subject of a file that the shell opens for a redirection. */
export function openedFile(is: 'read' | 'write'): Subject {
  return { is, word: WORDS[is][0], tool: WORDS[is][0] };
}

/** True when the rule names the subject: by its rule word, or by the agent's name of the tool. */
export function names(rule: Rule, subject: Subject): boolean {
  if (rule.tool === '*') return true;
  if (rule.effect === 'allow') return allowsByName(rule, subject);
  return means(rule, subject.word) || means(rule, subject.tool);
}

/** True when the rule is about this file. A rule for a kind applies to each tool of that kind. */
export function isAboutFile(rule: Rule, subject: Subject): boolean {
  if (names(rule, subject)) return true;
  const [kind] = subject.is === 'write' ? WORDS.write : WORDS.read;
  if (rule.effect === 'allow') return rule.pattern !== null && rule.tool === kind;
  if (rule.pattern === null) return rule.tool === kind;
  // A file that may not be read may not be changed either.
  const about = KINDS.get(rule.tool);
  return about === 'read' || (subject.is === 'write' && about === 'write');
}

/** True when the rule has a path pattern, for a kind of file access or for one tool of it. */
export function isAboutFiles({ tool, pattern }: Rule): boolean {
  const about = KINDS.get(tool);
  return pattern !== null && (about === 'read' || about === 'write');
}

/** True when the rule denies reading some files. */
export function deniesReading({ effect, tool, pattern }: Rule): boolean {
  return effect === 'deny' && pattern !== null && tool === WORDS.read[0];
}

/** The rule for exactly this command; null if it has a star, which would match other commands too. */
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

/** The rule that denies changes to files below the path. */
export function noWriting(path: string): string {
  return `${WORDS.write[0]}(/${path})`;
}

/**
 * An unknown tool is allowed only by its exact name, and a word for a kind is not such a name: that rule is about what
 * the kind does, and an unknown tool may do something else.
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

/** Words for what searches a folder: the field that selects files, and the field with what is looked for. */
const SEARCHES: Readonly<Record<string, { readonly files: string; readonly text: string }>> = {
  Glob: { files: 'pattern', text: 'pattern' },
  Grep: { files: 'glob', text: 'pattern' },
  LS: { files: 'glob', text: 'glob' },
};
const PATH_FIELDS = ['file_path', 'notebook_path', 'path'] as const;

function textOf(input: unknown, field: string): string | null {
  const value = fieldOf(input, field);
  return typeof value === 'string' ? value : null;
}

function isUnconfined(input: unknown): boolean {
  return fieldOf(input, 'dangerouslyDisableSandbox') === true;
}

/** The path of a call. Null also when the call names two: we do not guess which one the tool would use. */
function pathOf(input: unknown): string | null {
  const given = new Set(PATH_FIELDS.map((name) => fieldOf(input, name)).filter((path) => path !== undefined));
  const [path] = given;
  return given.size === 1 && typeof path === 'string' ? path : null;
}

/** A search below a folder, by default the current one. Some patterns lead out of it. */
function searched(input: unknown, { files, text }: { readonly files: string; readonly text: string }): Action[] {
  const isGiven = PATH_FIELDS.some((name) => fieldOf(input, name) !== undefined);
  const pattern = textOf(input, text);
  const path = isGiven ? pathOf(input) : '.';
  const below: Action = { is: 'read', path, isDeep: true, ...(pattern !== null && { pattern }) };
  const strays = /^[/~]|(^|\/)\.\.(\/|$)/.test(String(fieldOf(input, files) ?? ''));
  return strays ? [below, { ...below, path: null }] : [below];
}
