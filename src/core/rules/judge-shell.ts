import type { Action } from './action.ts';
import { type Fit, fitsNarrowly, fitsWidely } from './command.ts';
import { judgePath } from './file.ts';
import { deniesReading, isAboutFiles, names, openedFile, type Subject } from './grammar.ts';
import { type Parts, type Program, partsOf } from './parts.ts';
import { absolutePath, pathFitsWidely } from './path.ts';
import type { FileUse } from './reading.ts';
import { type Call, type JudgedPart, mostSpecific, type Rule } from './rules.ts';

type ShellAction = Extract<Action, { is: 'shell' }>;

/** The inputs for judging one command line. */
interface Bench {
  /** The rules about the shell. */
  readonly rules: readonly Rule[];
  readonly all: readonly Rule[];
  readonly call: Call;
  readonly action: ShellAction;
  /** The rule that allows the whole command line. */
  readonly blanket: Rule | null;
}

/** Devices that always exist and hold no data. */
const NO_FILE = /^\/dev\/(?:null|stdin|stdout|stderr)$/;

/** Judges a command line: every program in it, every file the shell would open, and everything that is uncertain. */
export function judgeShell(
  all: readonly Rule[],
  call: Call,
  action: ShellAction,
  subject: Subject,
): readonly JudgedPart[] {
  const { command } = action;
  if (command === null) return [doubtful(call.tool, 'there is no command to judge')];
  const rules = all.filter((rule) => names(rule, subject));
  const covers = ({ effect, pattern }: Rule): boolean =>
    effect === 'allow' && (pattern === null || pattern === command);
  const bench: Bench = { rules, all, call, action, blanket: mostSpecific(rules.filter(covers)) };
  const parts = partsOf(command);
  const judged = [
    ...judgeWhole(rules, command),
    ...parts.programs.map((program) => judgeProgram(bench, program)),
    ...parts.files.flatMap((file) => judgeOpened(bench, file)),
    ...judgeDoubts(bench, parts, command),
  ];
  if (judged.length > 0) return judged;
  const { blanket } = bench;
  if (blanket === null) return [doubtful(command, 'it runs nothing')];
  return [{ text: command, verdict: 'allow', rule: blanket, why: `allow ${blanket.text}` }];
}

/** A deny rule that spells out the whole line applies to it, whatever the line consists of. */
function judgeWhole(rules: readonly Rule[], command: string): readonly JudgedPart[] {
  const same = rules.filter(({ effect, pattern }) => effect !== 'allow' && pattern?.trim() === command.trim());
  const rule = mostSpecific(same.filter(({ effect }) => effect === 'deny')) ?? mostSpecific(same);
  if (rule === null || rule.effect === 'allow') return [];
  return [{ text: command, verdict: rule.effect, rule, why: `${rule.effect} ${rule.text}` }];
}

function judgeProgram(bench: Bench, program: Program): JudgedPart {
  const { text, words } = program;
  const fitting = (effect: Rule['effect'], ...fits: Fit['is'][]): Rule | null =>
    mostSpecific(bench.rules.filter((rule) => rule.effect === effect && fits.includes(fitsWidely(rule, words).is)));
  const denied = fitting('deny', 'yes') ?? namedFile(bench, program, deniesReading);
  if (denied !== null) return { text, verdict: 'deny', rule: denied, why: `deny ${denied.text}` };
  const asked = fitting('deny', 'maybe') ?? fitting('ask', 'yes', 'maybe') ?? namedFile(bench, program, isGuarded);
  if (asked !== null) return { text, verdict: 'ask', rule: asked, why: `${asked.effect} ${asked.text} may match it` };
  const allowed = allowedBy(bench, program);
  if (allowed !== null) return { text, verdict: 'allow', rule: allowed, why: `allow ${allowed.text}` };
  if (program.unknown !== null) return doubtful(text, program.unknown.why);
  if (program.isTransparent) return { text, verdict: 'allow', rule: null, why: 'it only runs the command after it' };
  return doubtful(text, 'no rule allows it');
}

/**
 * The rule that allows a program: one that names it, or one that spells out an enclosing command up to this program.
 */
function allowedBy({ rules, blanket }: Bench, program: Program): Rule | null {
  const places = [{ program, at: program.unknown?.at ?? 0 }, ...program.enclosing.map(deepest(program))];
  const fits = (rule: Rule): boolean =>
    places.some(({ program: { words }, at }) => {
      const fit = fitsNarrowly(rule, words);
      return fit.is === 'yes' && fit.words > at;
    });
  return blanket ?? mostSpecific(rules.filter((rule) => rule.effect === 'allow' && fits(rule)));
}

function deepest({ unknown }: Program): (place: Program['enclosing'][number]) => Program['enclosing'][number] {
  return ({ program, at }) => ({ program, at: at + (unknown?.at ?? 0) });
}

/**
 * True for a rule that protects files. A program that gets such a file as an argument may change it: a person decides.
 */
function isGuarded(rule: Rule): boolean {
  return rule.effect !== 'allow' && isAboutFiles(rule);
}

/** The rule about a file that a program gets as an argument. Only paths that are written out are found. */
function namedFile({ all, call }: Bench, { words }: Program, isMeant: (rule: Rule) => boolean): Rule | null {
  const rules = all.filter(isMeant);
  if (rules.length === 0) return null;
  const named = words
    .slice(1)
    .flatMap(({ value, isCertain }) => (isCertain ? [value, value.replace(/^[^=]*=/, '')] : []))
    .flatMap((path) => absolutePath(path, call) ?? []);
  return mostSpecific(rules.filter(({ pattern }) => named.some((path) => pathFitsWidely(pattern ?? '', path, call))));
}

function judgeOpened({ all, call, blanket }: Bench, { text, use, path }: FileUse): readonly JudgedPart[] {
  if (path.isCertain && NO_FILE.test(path.value)) return [];
  const isDevice = /^\/+dev\//.test(path.value);
  const known = path.isCertain && !isDevice ? path.value : null;
  const subject = openedFile(use === 'read' ? 'read' : 'write');
  const part = judgePath(all, call, { subject, path: known, isDeep: false });
  if (part.verdict === 'ask' && part.rule === null && blanket !== null) {
    return [{ text, verdict: 'allow', rule: blanket, why: `allow ${blanket.text}` }];
  }
  return [{ ...part, text }];
}

/** Asks about what was not understood, unless the whole command line is allowed and no rule restricts a part of it. */
function judgeDoubts(bench: Bench, { doubts, guesses }: Parts, command: string): readonly JudgedPart[] {
  const { rules, all, action, blanket } = bench;
  const isFree = action.isUnconfined === true;
  const why = [...doubts, ...(isFree ? ['it asks to leave the sandbox'] : [])];
  if (why.length === 0) return [];
  const hits = (rule: Rule): boolean => guesses.some((words) => fitsWidely(rule, words).is === 'yes');
  const denied = mostSpecific(rules.filter((rule) => rule.effect === 'deny' && hits(rule)));
  if (denied !== null) return [{ text: command, verdict: 'deny', rule: denied, why: `deny ${denied.text}` }];
  const isScoped = (rule: Rule): boolean => (rules.includes(rule) && rule.pattern !== null) || isAboutFiles(rule);
  const isKept = all.some((rule) => rule.effect !== 'allow' && isScoped(rule));
  if (blanket !== null && !isKept && !isFree) return [];
  return why.map((each) => doubtful(command, `not certain: ${each}`));
}

function doubtful(text: string, why: string): JudgedPart {
  return { text, verdict: 'ask', rule: null, why };
}
