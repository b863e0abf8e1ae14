import { Lexer, type Token } from 'marked';

/** A longer text is shown as it is: nobody waits for its headings. */
const CHARS_MAX = 64 * 1024;
/** A longer paragraph takes much longer to read: the time grows with the square of its length. */
const PARAGRAPH_CHARS_MAX = 8 * 1024;
/** Nested elements, such as quotes in quotes. */
const DEPTH_MAX = 64;

/** A line that nests more quotes or lists than a person would, or a very long run of marks. */
const TOO_DEEP = /^[ \t]*(?:(?:[>*+-]|\d{1,9}[.)])[ \t]*){65}|[*_~`]{512}/m;
const FENCED = /^(`{3,}|~{3,}).*\n[\s\S]*?(?:^\1|$(?![\s\S]))/gm;

/**
 * The tokens of a Markdown text. Null: it is shown as it is, because reading it would take too long or too much memory.
 * Nobody writes such a text by chance: an agent, or what it has read, wants to stop the page.
 */
export function readMarkdown(text: string): readonly Token[] | null {
  if (text.length > CHARS_MAX) return null;
  const prose = text.includes('```') || text.includes('~~~') ? text.replace(FENCED, '\n\n') : text;
  if (TOO_DEEP.test(prose) || prose.split(/\n[ \t]*\n/).some(({ length }) => length > PARAGRAPH_CHARS_MAX)) return null;
  try {
    const tokens = new Lexer({ gfm: true }).lex(text);
    return isTooDeep(tokens) ? null : tokens;
  } catch {
    // The lexer calls itself for what is inside; there is a limit to that.
    return null;
  }
}

/** Level by level: this does not call itself, however deep it is. */
function isTooDeep(tokens: readonly Token[]): boolean {
  let level = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return true;
    level = level.flatMap(insideOf);
  }
  return false;
}

function insideOf(token: Token): readonly Token[] {
  const { tokens = [], items = [] } = token as {
    readonly tokens?: readonly Token[];
    readonly items?: readonly Token[];
  };
  return [...tokens, ...items];
}
