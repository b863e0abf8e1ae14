import type { Action } from './action.ts';
import { judgeFile } from './file.ts';
import { names, type Subject, subjectOf } from './grammar.ts';
import { hostFits, hostOf, isHostPattern } from './host.ts';
import { judgeShell } from './judge-shell.ts';
import { ACTIONS_MAX, type Call, type JudgedPart, type Judgement, mostSpecific, type Rule } from './rules.ts';

/**
 * Says what the rules make of a call: a deny before an ask before an allow, and ask where no rule speaks. A call of
 * several actions or parts gets the verdict of its worst one. Rules that allow are read narrowly and rules that deny
 * widely: whatever is not certain is asked. `guards` hold only for tools that name their files themselves.
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
  // An address that nobody can be sure of may be the one that is denied, and so may a pattern that says nothing.
  const unclear = about.find(
    ({ pattern, effect }) => effect !== 'allow' && pattern !== null && (found === null || !isHostPattern(pattern)),
  );
  if (unclear !== undefined) return { text, verdict: 'ask', rule: unclear, why: `${unclear.text} may mean it` };
  if (found !== null || part.rule !== null) return part;
  return { text, verdict: 'ask', rule: null, why: 'which host this is cannot be said for certain' };
}

function judgeOther(rules: readonly Rule[], subject: Subject): JudgedPart {
  const { word } = subject;
  const about = rules.filter((rule) => names(rule, subject));
  const whole = verdictOf(
    about.filter(({ pattern }) => pattern === null),
    word,
  );
  const scoped = about.find(({ pattern, effect }) => pattern !== null && effect !== 'allow');
  // Nobody here knows what the brackets of this tool mean: they never allow, and they are never passed over.
  if (whole.verdict === 'deny' || scoped === undefined) return whole;
  return { text: word, verdict: 'ask', rule: scoped, why: `${scoped.text} may mean this` };
}

function verdictOf(fitting: readonly Rule[], text: string): JudgedPart {
  for (const verdict of ['deny', 'ask', 'allow'] as const) {
    const rule = mostSpecific(fitting.filter(({ effect }) => effect === verdict));
    if (rule !== null) return { text, verdict, rule, why: `${rule.effect} ${rule.text}` };
  }
  return { text, verdict: 'ask', rule: null, why: 'no rule allows it' };
}
