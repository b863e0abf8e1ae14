import { hostname } from 'node:os';

/** An e-mail. */
export interface Mail {
  /** Does not change from try to try: a reader that gets it twice can tell. */
  readonly id: string;
  readonly to: string;
  readonly from?: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly atMs: number;
}

/** An encoded word may have 75 characters, its frame included, and its line 76. */
const WORD_BYTES_MAX = 39;
const LINE_CHARS = 76;

/** The message as a mail program reads it, after RFC 5322. */
export function mailOf({ id, to, from, subject, text, atMs }: Mail): string {
  const headers = [
    ...(from === undefined ? [] : [`From: Outlast <${from}>`]),
    `To: ${to}`,
    `Subject: ${headerText(subject)}`,
    `Date: ${new Date(atMs).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${id}.${atMs}@${hostname()}>`,
    // No vacation message answers it.
    'Auto-Submitted: auto-generated',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: base64',
  ];
  const body = Buffer.from(text.replaceAll('\n', '\r\n')).toString('base64');
  const lines = body.match(new RegExp(`.{1,${LINE_CHARS}}`, 'g')) ?? [];
  return `${[...headers, '', ...lines].join('\n')}\n`;
}

/** A text in a header: as it is if it is short ASCII, else in encoded words after RFC 2047. */
function headerText(text: string): string {
  if (/^[\x20-\x7e]{0,60}$/.test(text) && !text.includes('=?')) return text;
  const words: string[] = [];
  let piece = '';
  for (const character of text) {
    if (Buffer.byteLength(piece + character) > WORD_BYTES_MAX) {
      words.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...words, piece].map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join('\n ');
}
