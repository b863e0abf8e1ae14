// What people see of events must not give away what was meant for the agent alone. Programs get everything (--json).

const HIDDEN = '***';
const NAME =
  '[\\w.-]*(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credential)[\\w-]*';
const SECRET_NAME = new RegExp(`^${NAME}$|^authorization$|^cookie$`, 'i');

/** What to look for, and which part of it stays. */
const SECRETS: readonly RegExp[] = [
  // NAME=value, "name": "value"
  new RegExp(`((?:^|[^\\w])${NAME}\\\\?["']?\\s*[:=]\\s*\\\\?["']?)[^\\s"'\\\\,;&}]+`, 'gi'),
  // --name value
  new RegExp(`(--${NAME}\\s+)[^\\s"'-][^\\s"']*`, 'gi'),
  /((?:authorization|cookie)\\?["']?\s*[:=]\s*\\?["']?(?:(?:bearer|basic|token|digest)\s+)?)[^\s"'\\]+/gi,
  /(\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}/gi,
  // user:password@host
  /(\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"']*:)[^\s/@"']+(?=@)/gi,
  // Keys that are known by how they begin.
  /()\b(?:sk|pk|rk)[-_](?:[\w-]*-)?[\w-]{16,}/g,
  /()\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|npm_|hf_|AIza)[\w-]{16,}/g,
  /()\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /()\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  /(-----BEGIN [A-Z ]*PRIVATE KEY-----)[\s\S]*?(?=-----END|$)/g,
];

/** A text without what looks like a key, a token or a password. */
export function masked(text: string): string {
  return SECRETS.reduce((rest, secret) => rest.replace(secret, `$1${HIDDEN}`), text);
}

/** The same for all texts in a value, each cut to so many characters. */
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
