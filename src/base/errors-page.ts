/** Error codes of the web page; `errors.ts` has all others. */
export const PAGE_CODES = {
  signed_out: {
    http: 401,
    exit: 4,
    retryable: false,
    hint: 'Run `outlast web link` to print a link that signs this browser in.',
  },
  link_spent: {
    http: 410,
    exit: 4,
    retryable: false,
    hint: 'Run `outlast web link` to print a new link: each works once, for a short time.',
  },
  grant_missing: {
    http: 403,
    exit: 4,
    retryable: false,
    hint: 'Run `outlast web devices` to see the grants of each device, and `outlast web link --allow` to give others.',
  },
  limit_reached: { http: 429, exit: 4, retryable: true, hint: 'Wait a moment, or close other tabs of the page.' },
} as const;
