// Events and reports that people see must not reveal secrets meant for the agent alone. Programs get complete events
// (--json); a report is made to be passed on, and is masked for them too.

const HIDDEN = '***';
// No part of a pattern may run without limit: the daemon masks what agents wrote, and must not be blocked by it.
const WORD = '(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)';
// The number of tokens used is not a secret.
const COUNT = 'tokens\\\\?["\']?\\s{0,20}[:=]\\s{0,20}\\d{1,12}(?![\\w-])';
const NAME = `(?!${COUNT})${WORD}[\\w-]{0,40}`;
const SECRET_NAME = new RegExp(`^[\\w.-]*${WORD}[\\w-]*$|^authorization$|^cookie$`, 'i');

/** The patterns to look for; the first group stays. */
const SECRETS: readonly RegExp[] = [
  // NAME=value, "name": "value"
  new RegExp(`(${NAME}\\\\?["']?\\s{0,20}[:=]\\s{0,20}\\\\?["']?)[^\\s"'\\\\,;&}]+`, 'gi'),
  // --name value
  new RegExp(`(--[\\w.-]{0,40}${NAME}\\s{1,20})[^\\s"'-][^\\s"']*`, 'gi'),
  /((?:authorization|cookie)\\?["']?\s{0,20}[:=]\s{0,20}\\?["']?(?:(?:bearer|basic|token|digest) {1,9})?)[^\s"'\\]+/gi,
  /(\b(?:bearer|basic)\s{1,20})[\w.~+/=-]{8,}/gi,
  // user:password@host
  /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/:@"']{0,200}:)[^\s/@"']{1,1000}(?=@)/gi,
  // Keys with a known prefix.
  /()\b(?:sk|pk|rk)[-_][\w-]{16,}/g,
  /()\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|npm_|hf_|AIza)[\w-]{16,}/g,
  /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /()\beyJ[\w-]{8,500}\.[\w-]{8,4000}\.[\w-]*/g,
  /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g,
];

/** Masks everything in a text that looks like a key, a token or a password. */
export function masked(text: string): string {
  return SECRETS.reduce((rest, secret) => rest.replace(secret, `$1${HIDDEN}`), text);
}

/** Masks all texts in a value and cuts each to this many characters. */
export function maskedValue(value: unknown, charsMax: number): unknown {
  if (typeof value === 'string') return cut(masked(value), charsMax);
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, charsMax));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      SECRET_NAME.test(name) && typeof inner === 'string' ? HIDDEN : maskedValue(inner, charsMax),
    ]),
  );
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax)}… (${text.length - charsMax} more)`;
}
