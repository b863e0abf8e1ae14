import { type HereDocument, type Reading, stop } from './reading.ts';
import { readExpansions, readWord, type Word } from './word.ts';

const OPERATOR = /^\d{0,3}(&>>|&>|>>|>\||>&|<>|<<<|<<-|<<|<&|>|<)/;

/** Reads a redirection, if one begins here. */
export function readRedirection(s: Reading): boolean {
  const rest = s.text.slice(s.at, s.at + 6);
  if (/^[<>]\(/.test(rest)) return false;
  const [all = '', operator = ''] = OPERATOR.exec(rest) ?? [];
  if (all === '') return false;
  const from = s.at;
  s.at += all.length;
  while (/[ \t]/.test(s.text.charAt(s.at))) s.at += 1;
  const word = readWord(s);
  if (word.text === '') stop(s, 'a redirection without its file');
  else if (operator === '<<' || operator === '<<-') takeHereDocument(s, operator, word);
  else takeFile(s, operator, word, s.text.slice(from, s.at));
  return true;
}

/** Reads the texts of the here-documents that begin after this line break. */
export function readTexts(s: Reading): void {
  for (const document of s.pending.splice(0)) readText(s, document);
}

function takeHereDocument(s: Reading, operator: string, word: Word): void {
  // Shells differ in how they read a delimiter that is partly quoted or has other characters.
  if (!/^(?:[\w.-]+|'[\w.-]+'|"[\w.-]+")$/.test(word.text)) return stop(s, 'a here-document with an unusual delimiter');
  s.pending.push({ end: word.value, isQuoted: !word.isPlain, stripsTabs: operator === '<<-' });
}

function takeFile(s: Reading, operator: string, word: Word, text: string): void {
  if (operator === '<<<' || /^[<>]\(/.test(word.text)) return;
  if (operator.endsWith('&') && /^(?:\d{1,3}|-)$/.test(word.text)) return;
  const use = operator === '<' ? 'read' : 'write';
  s.found.files.push({ text, use, path: word });
}

function readText(s: Reading, { end, isQuoted, stripsTabs }: HereDocument): void {
  const from = s.at;
  for (let at = from; at < s.text.length; ) {
    const next = s.text.indexOf('\n', at) === -1 ? s.text.length : s.text.indexOf('\n', at);
    const line = s.text.slice(at, next);
    if ((stripsTabs ? line.replace(/^\t+/, '') : line) === end) {
      s.at = next;
      return readBody(s, s.text.slice(from, at), isQuoted);
    }
    // An older bash takes `E)` as the end of a here-document inside a substitution.
    if (line.trimStart().startsWith(end)) return stop(s, 'a line like the delimiter of a here-document');
    at = next + 1;
  }
  stop(s, 'a here-document that does not end');
}

function readBody(s: Reading, text: string, isQuoted: boolean): void {
  // An older bash looks for the end of a substitution in the text of its here-documents, too.
  if (s.depth > 0 && /[()'"`\\]/.test(text)) return stop(s, 'quotes or brackets in a here-document in a substitution');
  if (!isQuoted) readExpansions({ ...s, text, at: 0, pending: [] });
}
