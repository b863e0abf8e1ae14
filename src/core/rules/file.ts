import type { Action } from './action.ts';
import { isAboutFile, type Subject, subjectOf } from './grammar.ts';
import { absolutePath, mayBeBelow, pathFitsNarrowly, pathFitsWidely } from './path.ts';
import { type Call, type JudgedPart, mostSpecific, type Rule } from './rules.ts';

type FileAction = Extract<Action, { is: 'read' | 'write' }>;

/** One access to a path. */
interface Use {
  readonly subject: Subject;
  readonly path: string | null;
  /** Includes everything below the path. */
  readonly isDeep: boolean;
}

/** Judges an action on a file, by its path and by the path with links resolved. */
export function judgeFile(rules: readonly Rule[], call: Call, action: FileAction): readonly JudgedPart[] {
  const { path } = action;
  const use = { subject: subjectOf(action, call.tool), path, isDeep: action.is === 'read' && action.isDeep === true };
  const first = judgePath(rules, call, use);
  const real = path !== null && Object.hasOwn(call.real ?? {}, path) ? call.real?.[path] : undefined;
  if (path === null || real === undefined || absolutePath(path, call) === real) return [first];
  return [first, judgePath(rules, call, { ...use, path: real })];
}

/** Judges one access to one path. */
export function judgePath(rules: readonly Rule[], call: Call, { subject, path: given, isDeep }: Use): JudgedPart {
  const path = given === null ? null : absolutePath(given, call);
  const text = `${subject.tool} ${given ?? ''}`.trim();
  const about = rules.filter((rule) => isAboutFile(rule, subject));
  const fits = (rule: Rule): boolean =>
    rule.pattern === null || (path !== null && fitsPattern(rule, path, call, isDeep));
  const denied = mostSpecific(about.filter((rule) => rule.effect === 'deny' && fits(rule)));
  if (denied !== null) return { text, verdict: 'deny', rule: denied, why: `deny ${denied.text}` };
  const asked = mostSpecific(
    about.filter((rule) => rule.effect !== 'allow' && (fits(rule) || mayMean(rule, path, call, isDeep))),
  );
  if (asked !== null) return { text, verdict: 'ask', rule: asked, why: `${asked.effect} ${asked.text} may match it` };
  const allowed = mostSpecific(about.filter((rule) => rule.effect === 'allow' && fits(rule)));
  if (allowed !== null) return { text, verdict: 'allow', rule: allowed, why: `allow ${allowed.text}` };
  const why = path === null ? 'the file cannot be determined' : 'no rule allows it';
  return { text, verdict: 'ask', rule: null, why };
}

function fitsPattern({ pattern, effect }: Rule, path: string, call: Call, isDeep: boolean): boolean {
  if (pattern === null) return true;
  if (effect !== 'allow') return pathFitsWidely(pattern, path, call);
  // A search sees what is in the folder and below, so all of that must be allowed.
  const deep = isDeep ? [`${path}/x`, `${path}/x/x`] : [path];
  return deep.every((each) => pathFitsNarrowly(pattern, each.replace('//', '/'), call));
}

function mayMean({ pattern }: Rule, path: string | null, call: Call, isDeep: boolean): boolean {
  if (pattern === null) return false;
  return path === null || (isDeep && mayBeBelow(pattern, path, call));
}
