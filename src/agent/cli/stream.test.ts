import { describe, expect, test } from 'vitest';
import type { CliEntry } from './entry.ts';
import { cliListener, cliStream } from './stream.ts';

const EXITED = { status: 0, rest: '', errors: '' };

function endOf(entry: Omit<CliEntry, 'turn'>, printed: string, exit: Partial<typeof EXITED> | null = {}) {
  const stream = cliStream({ turn: ['x'], ...entry });
  return stream.view(stream.read(stream.empty, printed))(0, exit === null ? undefined : { ...EXITED, ...exit });
}

describe('plain text', () => {
  test('all of it is the reply, also what has no line feed', () => {
    expect(endOf({}, 'one\r\ntwo\n', { rest: 'three' })).toEqual({ turn: 'closed', reply: 'one\ntwo\nthree' });
    expect(endOf({}, '', {})).toEqual({ turn: 'closed', reply: '' });
  });

  test('the turn is open while the process runs, and when it was killed', () => {
    expect(endOf({}, 'one\n', null)).toBeNull();
    expect(endOf({}, 'one\n', { status: 137 })).toBeNull();
  });

  test('another status is a failure, with what the program said about it', () => {
    const trouble = { limited: 'rate limit', login: '[Kk]ey' };
    expect(endOf({ trouble }, 'one\n', { status: 1, errors: 'Error: rate limit\n' })).toEqual({
      turn: 'failed',
      reply: 'Error: rate limit',
      trouble: { kind: 'limited', untilMs: null },
    });
    expect(endOf({ trouble }, 'no Key\n', { status: 2 })).toMatchObject({
      reply: 'no Key',
      trouble: { kind: 'login' },
    });
    expect(endOf({}, '', { status: 3 })).toMatchObject({ reply: 'it exited with 3 and said nothing' });
  });

  test('a reply by an expression is put together from all its lines', () => {
    const entry = { reply: { regex: '^> (.*)$' }, usage: { tokens: [{ regex: 'Tokens: ([\\d,]+) sent' }] } };
    expect(endOf(entry, 'banner\n> one\nnoise\n> two\nTokens: 1,234 sent\n')).toEqual({
      turn: 'closed',
      reply: 'one\ntwo',
      used: { tokens: 1234, usd: null },
    });
  });

  test('of a reply without end the last part is kept', () => {
    const end = endOf({}, `${'x'.repeat(1_000)}\n`.repeat(2_000), { rest: 'the end' });
    expect(end?.reply.length).toBeLessThan(600_000);
    expect(end?.reply).toMatch(/^\[the beginning was cut\]\n/);
    expect(end?.reply.endsWith('the end')).toBe(true);
  });
});

describe('lines of JSON', () => {
  const entry = {
    reply: { json: 'message.parts.0.text', when: { type: 'message', 'message.role': 'agent' } },
    end: { json: 'type', when: { type: 'done' } },
    failed: { json: 'error.message' },
    usage: { tokens: [{ json: 'usage.in' }, { json: 'usage.out' }], usd: { json: 'usage.cost' } },
  };
  const line = (value: unknown): string => `${JSON.stringify(value)}\n`;
  const said = (text: string, role = 'agent') => line({ type: 'message', message: { role, parts: [{ text }] } });

  test('the last reply counts, and the line that says so ends the turn', () => {
    const printed = said('one') + said('not mine', 'user') + said('two');
    expect(endOf(entry, printed, { status: 0 })).toMatchObject({ turn: 'failed' });
    const over = printed + line({ type: 'done', usage: { in: 5, out: 2, cost: 0.5 } });
    const closed = { turn: 'closed', reply: 'two', used: { tokens: 7, usd: 0.5 } };
    expect(endOf(entry, over, null)).toEqual(closed);
    expect(endOf(entry, over, { status: 137 })).toEqual(closed);
  });

  test('pieces are joined', () => {
    const joined = { ...entry, reply: { json: 'delta', join: '' } };
    expect(endOf(joined, line({ delta: 'he' }) + line({ delta: 'llo' }) + line({ type: 'done' }))?.reply).toBe('hello');
  });

  test('an error fails the turn; half a line, garbage and other shapes say nothing', () => {
    expect(endOf(entry, line({ error: { message: 'no' } }))).toMatchObject({ turn: 'failed', reply: 'no' });
    const odd =
      '{"type":"do\n\0\n[1]\nnull\n{"message":7}\n{"type":"message","message":{"role":"agent","parts":"x"}}\n';
    expect(endOf(entry, odd, null)).toBeNull();
    expect(endOf(entry, said('one'), { rest: '{"type":"done"', status: 137 })).toBeNull();
  });
});

describe('what is reported while it runs', () => {
  test('the first line shows that it has begun, and a line that names it opens the conversation', () => {
    const listen = cliListener({ turn: ['x'], conversation: { json: 'session.id' } })(3);
    expect(listen('banner')).toMatchObject([{ type: 'hook.prompted', run: 3 }]);
    expect(listen('{"session":{"id":"s-1"}}')).toMatchObject([{ type: 'hook.opened', conversation: 's-1' }]);
    expect(listen('{"session":{"id":"s-2"}}')).toEqual([]);
  });

  test.each(['--help', '/etc/passwd', '../x', 'a b', '', 'x'.repeat(300)])('%s is no id of a conversation', (id) => {
    const listen = cliListener({ turn: ['x'], conversation: { json: 'id' } })(1);
    listen('first');
    expect(listen(JSON.stringify({ id }))).toEqual([]);
  });
});
