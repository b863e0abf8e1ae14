import { fieldOf } from './input.ts';
import { absolutePath, mayBeBelow, pathFitsNarrowly, pathFitsWidely } from './path.ts';
import { type Call, type JudgedPart, mostSpecific, namesTool, type Rule } from './rules.ts';

/** The tools that read files. A rule for Read is one for all of them. */
export const READERS: ReadonlySet<string> = new Set(['Read', 'Glob', 'Grep', 'LS', 'NotebookRead']);

/** The tools that change files. A rule for Edit is one for all of them. */
export const WRITERS: ReadonlySet<string> = new Set(['Edit', 'Write', 'MultiEdit', 'NotebookEdit']);

/** They look at everything below a folder. */
const SEARCHERS: ReadonlySet<string> = new Set(['Glob', 'Grep', 'LS']);

/** Judges a call that names a file, by the path and by where it really leads. */
export function judgeFile(rules: readonly Rule[], call: Call): readonly JudgedPart[] {
  const given = fieldOf(call.input, 'file_path') ?? fieldOf(call.input, 'notebook_path') ?? fieldOf(call.input, 'path');
  const isSearch = SEARCHERS.has(call.tool);
  const path = given === undefined && isSearch ? (call.cwd ?? call.workspace) : given;
  const strays = isSearch && /^[/~]|(^|\/)\.\.(\/|$)/.test(String(patternOf(call) ?? ''));
  const first = judgePath(rules, call, strays ? undefined : path);
  const isSame = typeof path === 'string' && absolutePath(path, call) === call.real;
  if (call.real === undefined || isSame) return [first];
  return [first, judgePath(rules, call, call.real)];
}

/** Judges one path for one tool. */
export function judgePath(rules: readonly Rule[], call: Call, given: unknown): JudgedPart {
  const path = typeof given === 'string' ? absolutePath(given, call) : null;
  const text = `${call.tool} ${typeof given === 'string' ? given : ''}`.trim();
  const about = rules.filter((rule) => isAbout(rule, call.tool));
  const whole = (rule: Rule): boolean => rule.pattern === null;
  const fits = (rule: Rule): boolean => whole(rule) || (path !== null && fitsPattern(rule, path, call));
  const denied = mostSpecific(about.filter((rule) => rule.effect === 'deny' && fits(rule)));
  if (denied !== null) return { text, verdict: 'deny', rule: denied, why: `deny ${denied.text}` };
  const asked = mostSpecific(
    about.filter((rule) => rule.effect !== 'allow' && (fits(rule) || mayMean(rule, path, call))),
  );
  if (asked !== null) return { text, verdict: 'ask', rule: asked, why: `${asked.effect} ${asked.text} may mean it` };
  const allowed = mostSpecific(about.filter((rule) => rule.effect === 'allow' && fits(rule)));
  if (allowed !== null) return { text, verdict: 'allow', rule: allowed, why: `allow ${allowed.text}` };
  const why = path === null ? 'which file this is cannot be said for certain' : 'no rule allows it';
  return { text, verdict: 'ask', rule: null, why };
}

/** A rule for Edit or Read is about all tools of its kind; what may not be read may not be changed either. */
function isAbout(rule: Rule, tool: string): boolean {
  if (namesTool(rule, tool)) return true;
  const kind = WRITERS.has(tool) ? 'Edit' : 'Read';
  if (rule.effect === 'allow') return rule.pattern !== null && rule.tool === kind;
  if (rule.pattern === null) return rule.tool === kind;
  return READERS.has(rule.tool) || (WRITERS.has(tool) && WRITERS.has(rule.tool));
}

function fitsPattern({ pattern, effect }: Rule, path: string, call: Call): boolean {
  if (pattern === null) return true;
  if (effect !== 'allow') return pathFitsWidely(pattern, path, call);
  // A search sees what is in the folder and below, so that must be allowed.
  const deep = SEARCHERS.has(call.tool) ? [`${path}/x`, `${path}/x/x`] : [path];
  return deep.every((each) => pathFitsNarrowly(pattern, each.replace('//', '/'), call));
}

function mayMean({ pattern }: Rule, path: string | null, call: Call): boolean {
  if (pattern === null) return false;
  return path === null || (SEARCHERS.has(call.tool) && mayBeBelow(pattern, path, call));
}

function patternOf(call: Call): unknown {
  return call.tool === 'Glob' ? fieldOf(call.input, 'pattern') : fieldOf(call.input, 'glob');
}
