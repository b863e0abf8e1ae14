/** Error codes of the web page; `errors.ts` has all others. */
export const PAGE_CODES = {
  signed_out: {
    http: 401,
    exit: 4,
    retryable: false,
    hint: '`outlast web link` prints a link that signs a browser in.',
  },
  link_spent: {
    http: 410,
    exit: 4,
    retryable: false,
    hint: 'A link works once, for a short time. `outlast web link` prints a new one.',
  },
  grant_missing: {
    http: 403,
    exit: 4,
    retryable: false,
    hint: '`outlast web devices` shows the grants of each device; a link gives those of its --allow.',
  },
  limit_reached: { http: 429, exit: 4, retryable: true, hint: 'Wait a moment, or close other tabs.' },
} as const;
