import type { Action } from './action.ts';
import { judgeFile } from './file.ts';
import { names, type Subject, subjectOf } from './grammar.ts';
import { hostFits, hostOf, isHostPattern } from './host.ts';
import { judgeShell } from './judge-shell.ts';
import { ACTIONS_MAX, type Call, type JudgedPart, type Judgement, mostSpecific, type Rule } from './rules.ts';

/**
 * Decides a tool call by the rules: deny before ask before allow, and ask if no rule matches. A call of several actions
 * or parts gets the verdict of its worst one. Allow rules are matched narrowly and deny rules widely: whatever is not
 * certain is asked about. `guards` apply only to tools that name their files themselves.
 */
export function judge(rules: readonly Rule[], call: Call, guards: readonly Rule[] = []): Judgement {
  if (call.actions.length > ACTIONS_MAX) {
    return { verdict: 'ask', rule: null, why: `it does more than ${ACTIONS_MAX} things`, parts: [] };
  }
  return worst(call.actions.flatMap((action) => judgeAction(rules, call, action, guards)));
}

function judgeAction(
  rules: readonly Rule[],
  call: Call,
  action: Action,
  guards: readonly Rule[],
): readonly JudgedPart[] {
  const subject = subjectOf(action, call.tool);
  switch (action.is) {
    case 'shell':
      return judgeShell(rules, call, action, subject);
    case 'read':
    case 'write':
      return judgeFile([...rules, ...guards], call, action);
    case 'fetch':
      return [judgeFetch(rules, action.url, subject)];
    default:
      return [judgeOther(rules, subject)];
  }
}

function worst(parts: readonly JudgedPart[]): Judgement {
  const denied = parts.filter(({ verdict }) => verdict === 'deny');
  const rule = mostSpecific(denied.flatMap((part) => part.rule ?? []));
  const part =
    denied.find((each) => each.rule === rule) ??
    parts.find(({ verdict }) => verdict === 'ask') ??
    parts.find(({ verdict }) => verdict === 'allow');
  if (part === undefined) return { verdict: 'ask', rule: null, why: 'there is nothing to judge', parts };
  const why = parts.length === 1 || part.verdict === 'allow' ? part.why : `${part.why}: ${part.text}`;
  return { verdict: part.verdict, rule: part.rule, why, parts };
}

function judgeFetch(rules: readonly Rule[], url: string | null, subject: Subject): JudgedPart {
  const found = hostOf(url);
  const text = `${subject.tool} ${url ?? ''}`.trim();
  const about = rules.filter((rule) => names(rule, subject));
  const fits = ({ pattern, effect }: Rule): boolean =>
    pattern === null || (found !== null && hostFits(pattern, found, effect !== 'allow'));
  const part = verdictOf(about.filter(fits), text);
  if (part.verdict === 'deny') return part;
  // An ambiguous URL may be the denied one, and so may a pattern that names no host.
  const unclear = about.find(
    ({ pattern, effect }) => effect !== 'allow' && pattern !== null && (found === null || !isHostPattern(pattern)),
  );
  if (unclear !== undefined) return { text, verdict: 'ask', rule: unclear, why: `${unclear.text} may match it` };
  if (found !== null || part.rule !== null) return part;
  return { text, verdict: 'ask', rule: null, why: 'the host cannot be determined' };
}

function judgeOther(rules: readonly Rule[], subject: Subject): JudgedPart {
  const { word } = subject;
  const about = rules.filter((rule) => names(rule, subject));
  const whole = verdictOf(
    about.filter(({ pattern }) => pattern === null),
    word,
  );
  const scoped = about.find(({ pattern, effect }) => pattern !== null && effect !== 'allow');
  // The pattern syntax of this tool is unknown here: a pattern never allows, and it is never ignored.
  if (whole.verdict === 'deny' || scoped === undefined) return whole;
  return { text: word, verdict: 'ask', rule: scoped, why: `${scoped.text} may match this` };
}

function verdictOf(fitting: readonly Rule[], text: string): JudgedPart {
  for (const verdict of ['deny', 'ask', 'allow'] as const) {
    const rule = mostSpecific(fitting.filter(({ effect }) => effect === verdict));
    if (rule !== null) return { text, verdict, rule, why: `${rule.effect} ${rule.text}` };
  }
  return { text, verdict: 'ask', rule: null, why: 'no rule allows it' };
}
