import { expect, test } from 'vitest';
import { masked, maskedValue } from './mask.ts';

test.each([
  ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer ***'],
  ['curl -H "Authorization: Basic dXNlcjpwYXNz" x', 'curl -H "Authorization: Basic ***" x'],
  ['{"password":"hunter2","user":"ada"}', '{"password":"***","user":"ada"}'],
  ['{\\"api_key\\":\\"abc123\\"}', '{\\"api_key\\":\\"***\\"}'],
  ['DB_PASSWORD=hunter2 psql', 'DB_PASSWORD=*** psql'],
  ['export GITHUB_TOKEN=abc; ls', 'export GITHUB_TOKEN=***; ls'],
  ['mysql --password hunter2 db', 'mysql --password *** db'],
  ['git clone https://ada:hunter2@example.org/x', 'git clone https://ada:***@example.org/x'],
  ['key sk-ant-api03-abcdefghijklmnopqrstuvwxyz here', 'key *** here'],
  ['ghp_abcdefghijklmnopqrstuvwxyz0123456789', '***'],
  ['AKIAIOSFODNN7EXAMPLE', '***'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc', '***'],
  [
    '-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----***-----END RSA PRIVATE KEY-----',
  ],
])('%s is shown as %s', (text, shown) => {
  expect(masked(text)).toBe(shown);
});

test.each([
  'fix the tokenizer in src/token.ts',
  'npm run build && git push origin main',
  'the author said: hello',
  'https://example.org:8080/a@b',
  'the passwords page is slow',
  'read the secret santa list, and token after token',
])('%s has no secret and stays as it is', (text) => {
  expect(masked(text)).toBe(text);
});

test('every text in a value is masked and cut, and the value of a secret name is hidden completely', () => {
  const value = { tool: 'Bash', input: { command: 'TOKEN=abc ls', token: 'abc' }, list: ['x'.repeat(12)], run: 1 };
  expect(maskedValue(value, 10)).toEqual({
    tool: 'Bash',
    input: { command: 'TOKEN=*** … (2 more)', token: '***' },
    list: ['xxxxxxxxxx… (2 more)'],
    run: 1,
  });
});
