import fc from 'fast-check';

/** Output with sequences and characters that can be split, and some malformed ones. */
export const printed = fc
  .array(
    fc.oneof(
      fc
        .constantFrom(
          'word',
          ' ',
          '\n',
          '\r\n',
          '10%\r',
          '\x1b[31m',
          '\x1b[2;3H',
          '\x1b[1G',
          '\x1b]0;title\x07',
          'é',
          '漢',
          '🙂',
          '\u009b1m',
          '\x1b',
        )
        .map((raw) => Buffer.from(raw)),
      fc.uint8Array({ maxLength: 3 }).map((raw) => Buffer.from(raw)),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => Buffer.concat(pieces));
