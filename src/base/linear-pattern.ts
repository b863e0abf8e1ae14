import { setFlagsFromString } from 'node:v8';

// V8 matches by backtracking, and after many steps back by its second engine, whose time grows only with the length of
// the text. That engine knows no lookaround and no backreference, so expressions with those are refused.
setFlagsFromString('--enable-experimental-regexp-engine');
setFlagsFromString('--enable-experimental-regexp-engine-on-excessive-backtracks');

const TOO_HARD = 'Cannot be executed in linear time';

/** An expression of a user, or why it is refused. */
export type LinearPattern = { readonly is: 'pattern'; readonly pattern: RegExp } | Refused;

interface Refused {
  readonly is: 'refused';
  readonly why: string;
}

/** Compiles an expression of a user, which is matched on the event loop: no text can make it run for long. */
export function linearPattern(source: string): LinearPattern {
  try {
    const pattern = new RegExp(source, 'm');
    // Throws for what only backtracking can match.
    new RegExp(source, 'ml');
    return { is: 'pattern', pattern };
  } catch (error) {
    return { is: 'refused', why: whyOf(error instanceof Error ? error.message : String(error)) };
  }
}

function whyOf(message: string): string {
  if (!message.includes(TOO_HARD)) return message;
  return 'it has a lookaround, a backreference, a flag or a long repetition, which can take for ever; write it without';
}
