/** What a hook does about one call, and the result: with 2.1.325, and with 2.1.197 where that differs. */
export interface AnswerCase {
  /** The shell command of the hook before the tool is used. */
  readonly pre: string;
  /** The shell command of the hook where the agent would ask a person. Default: it does nothing. */
  readonly confirm?: string;
  readonly ran: boolean;
  /** The tool result that the model gets. */
  readonly says?: RegExp;
  readonly old?: { readonly ran: boolean; readonly says?: RegExp };
}

/** Calls with the same settings. Each case is a separate call, by its name. */
export interface AnswerScene {
  readonly mode: 'deny-unlisted' | 'ask-all' | 'none';
  /** The tools about which the agent always asks. */
  readonly asked?: readonly string[];
  readonly cases: Readonly<Record<string, AnswerCase>>;
}

const REASON = 'because of the rules';
const MODE = /^Permission to use Bash has been denied because Claude Code is running in don't ask mode/;
const UNANSWERED = /needs approval|haven't granted it yet/;
const FAILED = /^PreToolUse:Bash hook error: \[[\s\S]*\]: failed; blocking because onFailure is "block"\n/;

/** The shell command that prints a text. */
export function printing(text: string): string {
  return `printf '%s' '${text.replaceAll("'", "'\\''")}'`;
}

/** The shell command that prints a decision about a tool call. */
export function deciding(word: string, more: object = {}, event = 'PreToolUse'): string {
  const specific = { hookEventName: event, permissionDecision: word, permissionDecisionReason: REASON, ...more };
  return printing(JSON.stringify({ hookSpecificOutput: specific }));
}

/** The shell command that prints the decision in place of a person. */
export function confirming(behavior: 'allow' | 'deny'): string {
  const decision = { behavior, ...(behavior === 'deny' ? { message: REASON } : {}) };
  return printing(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }));
}

const nameless = { hookSpecificOutput: { permissionDecision: 'allow' } };
const denied = {
  ran: false,
  says: /^PreToolUse:Bash hook error: because of the rules$/,
  old: blockedInOld(/^because of/),
};
const undecided = { ran: false, says: MODE };
const broken = { ran: false, says: FAILED, old: blockedInOld(MODE) };

/** How Claude Code reads the answers of a hook before a tool, and its failures. */
export const ANSWERS: Readonly<Record<string, AnswerScene>> = {
  'in a mode without questions, only an allow lets a call through': {
    mode: 'deny-unlisted',
    cases: {
      allow: { pre: deciding('allow'), ran: true },
      approve: { pre: printing('{"decision":"approve"}'), ran: true },
      deny: { pre: deciding('deny'), ...denied },
      block: { pre: printing(JSON.stringify({ decision: 'block', reason: REASON })), ...denied },
      ask: { pre: deciding('ask'), ran: false, says: /^because of the rules$/ },
      exit2: { pre: 'echo no >&2; exit 2', ran: false, says: /^PreToolUse:Bash hook error: \[[\s\S]*\]: no\n$/ },
      silent: { pre: ':', ...undecided },
      words: { pre: 'echo yes', ...undecided },
      half: { pre: printing('{'), ...undecided },
      tail: { pre: `${deciding('allow')}; echo x`, ...undecided },
      head: { pre: `echo x; ${deciding('allow')}`, ...undecided },
      twice: { pre: `${deciding('allow')}; ${deciding('allow')}`, ...broken },
      exit1: { pre: 'exit 1', ...broken },
      gone: { pre: 'exec /nowhere/at/all', ...broken },
      killed: { pre: 'kill -9 $$', ...broken },
      late: {
        pre: 'sleep 60',
        ran: false,
        says: /: timed out; blocking because onFailure is "block"$/,
        old: blockedInOld(MODE),
      },
      foreign: { pre: deciding('allow', {}, 'PostToolUse'), ...broken },
      nameless: { pre: printing(JSON.stringify(nameless)), ...broken },
      unheard: { pre: deciding('maybe'), ...broken },
      failing: { pre: `${deciding('allow')}; exit 1`, ran: false, says: FAILED, old: { ran: true } },
      changed: {
        pre: deciding('allow', { updatedInput: { command: 'echo x >changed', description: 'x' } }),
        ran: true,
      },
    },
  },
  'without permission checks, a failed hook blocks a call only if the version has onFailure, and no output never does':
    {
      mode: 'none',
      cases: {
        silent: { pre: ':', ran: true },
        words: { pre: 'echo no', ran: true },
        exit1: { pre: 'exit 1', ran: false, says: FAILED, old: { ran: true } },
        deny: { pre: deciding('deny'), ...denied },
      },
    },
  'where every call is asked about, the second question decides, if the version has one': {
    mode: 'ask-all',
    asked: ['*'],
    cases: {
      both: { pre: deciding('allow'), confirm: confirming('allow'), ran: true, old: blockedInOld(UNANSWERED) },
      second: { pre: ':', confirm: confirming('allow'), ran: true, old: blockedInOld(UNANSWERED) },
      first: { pre: deciding('allow'), ran: false, says: UNANSWERED },
      neither: { pre: ':', ran: false, says: UNANSWERED },
      refused: {
        pre: deciding('allow'),
        confirm: confirming('deny'),
        ran: false,
        says: /^because/,
        old: blockedInOld(UNANSWERED),
      },
      killed: {
        pre: deciding('allow'),
        confirm: 'kill -9 $$',
        ran: false,
        says: /^\[[\s\S]*\]: failed; blocking because onFailure is "block"\n/,
        old: blockedInOld(UNANSWERED),
      },
      deny: { pre: deciding('deny'), confirm: confirming('allow'), ...denied },
    },
  },
};

function blockedInOld(says: RegExp): { ran: false; says: RegExp } {
  return { ran: false, says };
}
