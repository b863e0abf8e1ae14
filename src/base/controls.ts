/** Invisible characters that change the direction of text: a reader would see another line than there is. */
const BIDI = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

/** Control characters that act on a terminal or mislead a reader, except line ends and tabs. */
export const STEERING = new RegExp(`[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f${BIDI}]`, 'g');

/** Control characters and everything that ends a line. */
export const STEERING_OR_BREAK = new RegExp(`[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029${BIDI}]`, 'g');
