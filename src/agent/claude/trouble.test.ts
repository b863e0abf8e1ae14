import { describe, expect, test } from 'vitest';
import { limitEnd, troubleOf } from './trouble.ts';

// The texts are those that the real Claude Code 2.1.325 and 2.1.197 printed with a scripted API.

const NOW = '2026-11-15T14:20:00Z';
const at = (moment: string): number => Date.parse(moment);
const kindOf = (error: string | null, text: string): string => troubleOf({ error, text }, at(NOW)).kind;

describe('the end of a limit is parsed from its text', () => {
  test.each([
    ["You've hit your 5-hour limit · resets 4:13pm (UTC)", NOW, '2026-11-15T16:13:00Z'],
    ["You've hit your limit · resets 4pm (UTC)", NOW, '2026-11-15T16:00:00Z'],
    ["You've hit your limit · resets 12am (UTC)", NOW, '2026-11-16T00:00:00Z'],
    ["You've hit your limit · resets 12:30pm (UTC)", '2026-11-15T11:00:00Z', '2026-11-15T12:30:00Z'],
    ["You've hit your limit · resets 1:30am (Asia/Kolkata)", NOW, '2026-11-15T20:00:00Z'],
    ["You've hit your weekly limit · resets Nov 18, 7:13am (UTC)", NOW, '2026-11-18T07:13:00Z'],
    ["You've hit your limit · resets Nov 18, 8:13am (Europe/Berlin)", NOW, '2026-11-18T07:13:00Z'],
    ["You've hit your limit · resets Nov 18, 7am (America/New_York)", NOW, '2026-11-18T12:00:00Z'],
    ["You've hit your limit · resets Jan 2, 2027, 7am (UTC)", NOW, '2027-01-02T07:00:00Z'],
    ["You've hit your limit · resets Jan 2, 7am (UTC)", '2026-12-30T10:00:00Z', '2027-01-02T07:00:00Z'],
    ['5-hour limit reached ∙ resets 3pm', NOW, '2026-11-15T15:00:00Z'],
    ['Claude AI usage limit reached|1795004160', NOW, '2026-11-18T12:16:00Z'],
  ])('%s (at %s): %s', (text, printedAt, end) => {
    expect(limitEnd(text, at(printedAt))).toBe(at(end));
    expect(troubleOf({ error: 'rate_limit', text }, at(printedAt))).toEqual({ kind: 'limited', untilMs: at(end) });
  });

  test('a reset time of minutes ago is in the past, an earlier one is tomorrow’s', () => {
    expect(limitEnd('resets 2:15pm (UTC)', at(NOW))).toBe(at('2026-11-15T14:15:00Z'));
    expect(limitEnd('resets 1pm (UTC)', at(NOW))).toBe(at('2026-11-16T13:00:00Z'));
  });

  test('a reset on the last evening of last year is not a year away', () => {
    expect(limitEnd('resets Dec 31, 11:50pm (UTC)', at('2027-01-01T00:20:00Z'))).toBe(at('2026-12-31T23:50:00Z'));
  });

  test('a change of the clock in between is taken into account', () => {
    const before = at('2026-10-24T20:00:00Z');
    expect(limitEnd('resets Oct 25, 1:30am (Europe/Berlin)', before)).toBe(at('2026-10-24T23:30:00Z'));
    expect(limitEnd('resets Oct 25, 8am (Europe/Berlin)', before)).toBe(at('2026-10-25T07:00:00Z'));
    expect(limitEnd('resets Mar 29, 1:30am (Europe/Berlin)', at('2026-03-28T20:00:00Z'))).toBe(
      at('2026-03-29T00:30:00Z'),
    );
    expect(limitEnd('resets 9am (Europe/Berlin)', at('2026-10-24T10:00:00Z'))).toBe(at('2026-10-25T08:00:00Z'));
  });

  test('an unknown time zone, or no time at all, gives no end', () => {
    expect(limitEnd("You've hit your limit · resets 4pm (Mars/Olympus)", at(NOW))).toBeNull();
    expect(troubleOf({ error: 'rate_limit', text: "You've hit your limit" }, at(NOW))).toEqual({
      kind: 'limited',
      untilMs: null,
    });
  });

  test('the time in the agent’s own event takes precedence over its text, and moves with the limit', () => {
    const text = "You've hit your limit · resets 4pm (UTC)";
    for (const resetsAtMs of [at('2026-11-15T16:00:30Z'), at('2026-11-15T21:00:00Z')])
      expect(troubleOf({ error: 'rate_limit', text, resetsAtMs }, at(NOW))).toEqual({
        kind: 'limited',
        untilMs: resetsAtMs,
      });
  });
});

const LONG =
  'Prompt is too long · the request is ~210000 tokens (limit 200000) but this conversation is only ~2478 tokens';
const GATEWAY = 'This is a server-side issue, usually temporary — try again in a moment.';

test.each([
  ['overloaded', 'rate_limit', 'API Error: Request rejected (429) · slow down'],
  ['overloaded', 'server_error', `API Error: 529 Overloaded. ${GATEWAY}`],
  ['overloaded', 'server_error', `API Error: 500 Internal server error. ${GATEWAY}`],
  ['overloaded', 'unknown', `API Error: 529 Overloaded. ${GATEWAY}`],
  [
    'overloaded',
    'server_error',
    'API Error: Connection refused — a firewall or proxy may be blocking it (ECONNREFUSED)',
  ],
  ['overloaded', 'unknown', "API Error: Can't reach the API server — check your internet or DNS (ENOTFOUND)"],
  ['overloaded', 'unknown', 'API Error: Connection dropped (ECONNRESET). Check the gateway set in ANTHROPIC_BASE_URL'],
  ['overloaded', 'unknown', 'API Error: Unable to connect to API (ConnectionRefused)'],
  ['overloaded', 'unknown', 'API Error: Unable to connect to API (FailedToOpenSocket)'],
  ['overloaded', null, 'Request timed out'],
  ['login', 'authentication_failed', 'Invalid API key · Fix external API key'],
  ['login', 'authentication_failed', 'Failed to authenticate. API Error: 401 OAuth token has expired'],
  ['login', 'authentication_failed', 'Failed to authenticate. API Error: 403 no'],
  ['login', 'unknown', 'Not logged in · Please run /login'],
  ['billing', 'billing_error', 'Credit balance is too low'],
  ['billing', null, 'Credit balance is too low'],
  ['too-long', 'invalid_request', LONG],
  ['too-long', 'unknown', 'API Error: 400 prompt is too long: 210000 tokens > 200000 maximum'],
  ['too-long', 'invalid_request', 'Request too large (max 32MB). Try with a smaller file.'],
  ['poisoned', 'invalid_request', 'API Error: 400 due to tool use concurrency issues.'],
  ['poisoned', 'invalid_request', 'API Error: 400 orphaned tool_result in conversation history.'],
  [
    'poisoned',
    'unknown',
    'API Error: 400 messages.2.content.0: unexpected `tool_use_id` found in `tool_result` blocks',
  ],
  ['poisoned', 'unknown', 'API Error: 400 messages.1: `tool_use` ids were found without `tool_result` blocks'],
  ['other', 'unknown', 'API Error: 400 messages.512.content: at least one is odd'],
  ['other', 'unknown', 'API Error: 400 tools.3: a timeout must be a number'],
  ['other', 'model_not_found', "There's an issue with the selected model (claude-opus-5-5). It may not exist"],
] as const)('the trouble is %s when the agent reports %s: %s', (kind, error, text) => {
  expect(kindOf(error, text)).toBe(kind);
});
