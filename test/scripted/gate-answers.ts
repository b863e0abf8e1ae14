/** What a hook does about one call, and what comes of it: with 2.1.325, and with 2.1.197 where that differs. */
export interface AnswerCase {
  /** For the shell: what the hook does before the tool is used. */
  readonly pre: string;
  /** The same where the agent would ask a person; nothing when left out. */
  readonly confirm?: string;
  readonly ran: boolean;
  /** What the model is told. */
  readonly says?: RegExp;
  readonly old?: { readonly ran: boolean; readonly says?: RegExp };
}

/** Calls under one set of settings. Each case is a call of its own, under its name. */
export interface AnswerScene {
  readonly mode: 'deny-unlisted' | 'ask-all' | 'none';
  /** The tools about which somebody is always asked. */
  readonly asked?: readonly string[];
  readonly cases: Readonly<Record<string, AnswerCase>>;
}

const REASON = 'because of the rules';
const MODE = /^Permission to use Bash has been denied because Claude Code is running in don't ask mode/;
const NOBODY = /needs approval|haven't granted it yet/;
const FAILED = /^PreToolUse:Bash hook error: \[[\s\S]*\]: failed; blocking because onFailure is "block"\n/;

/** The shell command that says a text. */
export function saying(text: string): string {
  return `printf '%s' '${text.replaceAll("'", "'\\''")}'`;
}

/** A decision about a tool call, for the shell to say. */
export function deciding(word: string, more: object = {}, event = 'PreToolUse'): string {
  const specific = { hookEventName: event, permissionDecision: word, permissionDecisionReason: REASON, ...more };
  return saying(JSON.stringify({ hookSpecificOutput: specific }));
}

/** The decision in the place of a person's. */
export function confirming(behavior: 'allow' | 'deny'): string {
  const decision = { behavior, ...(behavior === 'deny' ? { message: REASON } : {}) };
  return saying(JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }));
}

const nameless = { hookSpecificOutput: { permissionDecision: 'allow' } };
const denied = { ran: false, says: /^PreToolUse:Bash hook error: because of the rules$/, old: oldly(/^because of/) };
const undecided = { ran: false, says: MODE };
const broken = { ran: false, says: FAILED, old: oldly(MODE) };

/** How Claude Code reads what a hook before a tool says, by itself and when it fails. */
export const ANSWERS: Readonly<Record<string, AnswerScene>> = {
  'in a mode that asks nobody only an allow lets a call through': {
    mode: 'deny-unlisted',
    cases: {
      allow: { pre: deciding('allow'), ran: true },
      approve: { pre: saying('{"decision":"approve"}'), ran: true },
      deny: { pre: deciding('deny'), ...denied },
      block: { pre: saying(JSON.stringify({ decision: 'block', reason: REASON })), ...denied },
      ask: { pre: deciding('ask'), ran: false, says: /^because of the rules$/ },
      exit2: { pre: 'echo no >&2; exit 2', ran: false, says: /^PreToolUse:Bash hook error: \[[\s\S]*\]: no\n$/ },
      silent: { pre: ':', ...undecided },
      words: { pre: 'echo yes', ...undecided },
      half: { pre: saying('{'), ...undecided },
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
        old: oldly(MODE),
      },
      foreign: { pre: deciding('allow', {}, 'PostToolUse'), ...broken },
      nameless: { pre: saying(JSON.stringify(nameless)), ...broken },
      unheard: { pre: deciding('maybe'), ...broken },
      failing: { pre: `${deciding('allow')}; exit 1`, ran: false, says: FAILED, old: { ran: true } },
      changed: {
        pre: deciding('allow', { updatedInput: { command: 'echo x >changed', description: 'x' } }),
        ran: true,
      },
    },
  },
  'where nothing is asked, a failure holds a call back only in a version that knows of it, and silence never': {
    mode: 'none',
    cases: {
      silent: { pre: ':', ran: true },
      words: { pre: 'echo no', ran: true },
      exit1: { pre: 'exit 1', ran: false, says: FAILED, old: { ran: true } },
      deny: { pre: deciding('deny'), ...denied },
    },
  },
  'where every call is asked about, it is the second question that counts, where there is one': {
    mode: 'ask-all',
    asked: ['*'],
    cases: {
      both: { pre: deciding('allow'), confirm: confirming('allow'), ran: true, old: oldly(NOBODY) },
      second: { pre: ':', confirm: confirming('allow'), ran: true, old: oldly(NOBODY) },
      first: { pre: deciding('allow'), ran: false, says: NOBODY },
      neither: { pre: ':', ran: false, says: NOBODY },
      refused: {
        pre: deciding('allow'),
        confirm: confirming('deny'),
        ran: false,
        says: /^because/,
        old: oldly(NOBODY),
      },
      killed: {
        pre: deciding('allow'),
        confirm: 'kill -9 $$',
        ran: false,
        says: /^\[[\s\S]*\]: failed; blocking because onFailure is "block"\n/,
        old: oldly(NOBODY),
      },
      deny: { pre: deciding('deny'), confirm: confirming('allow'), ...denied },
    },
  },
};

function oldly(says: RegExp): { ran: false; says: RegExp } {
  return { ran: false, says };
}
