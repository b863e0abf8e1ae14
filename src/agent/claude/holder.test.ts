import { describe, expect, test } from 'vitest';
import { holderOf, isWriter } from './holder.ts';

const IT = { id: '11111111-2222-4333-8444-555555555555', path: '/home/me/.claude/projects/-w/it.jsonl' };
const one = (more: object) => [
  { pid: 7, argv: [], cwd: null, ageMs: null, env: null, writes: [], claims: [], ...more },
];

describe('a conversation is open in a process that', () => {
  test.each([
    ['was started to resume it', { argv: ['claude', '--resume', IT.id] }],
    ['was started so in short', { argv: ['claude', '-r', IT.id, '--model', 'opus'] }],
    ['was started so in one word', { argv: ['node', '/opt/claude-code/cli.js', `--resume=${IT.id}`] }],
    ['was started under its id', { argv: ['claude', '--print', '--session-id', IT.id] }],
    [
      'is a copy of another one, and now it',
      { argv: ['claude', '--resume', 'x', '--fork-session', '--session-id', IT.id] },
    ],
    ['writes to its file', { argv: ['node', 'sdk.js'], writes: [IT.path] }],
    ['says so itself', { argv: ['claude'], claims: ['x', IT.id] }],
  ])('%s', (_, facts) => {
    expect(holderOf(IT, one(facts))).toBe(7);
  });
});

describe('a conversation is not open in a process that', () => {
  test.each([
    ['resumes another one', { argv: ['claude', '--resume', 'x'] }],
    ['copies it', { argv: ['claude', '--resume', IT.id, '--fork-session', '--session-id', 'x'] }],
    ['only names it', { argv: ['grep', '-r', 'x', IT.path, IT.id] }],
    ['is our own command line', { argv: ['node', '/opt/outlast/bin/outlast.cjs', 'boot', '--resume', IT.id] }],
    ['has another one open', { argv: ['claude'], claims: ['x'], writes: ['/x.jsonl'] }],
  ])('%s', (_, facts) => {
    expect(holderOf(IT, one(facts))).toBeNull();
  });
});

test.each([
  [['claude', '--resume', 'x'], true],
  [['/usr/bin/node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js'], true],
  [['/home/me/.local/share/claude/versions/2.1.325'], true],
  [['bash', '-l'], false],
  [['vim', 'a', 'b', 'c', 'notes-on-claude.md'], false],
])('whether %j may write to a conversation: %s', (argv, may) => {
  expect(isWriter(['claude'], argv)).toBe(may);
});
