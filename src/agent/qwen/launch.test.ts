import { expect, test } from 'vitest';
import { AGENT } from '../../core/policy.ts';
import type { ConversationId, Spec } from '../../core/session.ts';
import type { RunPlan } from '../seam/agent.ts';
import { qwenLaunch } from './launch.ts';
import { qwenRefusals } from './launch-args.ts';
import { qwenProgram } from './program.ts';

const ID = '4509e844-b6f0-46a9-a491-e97f89e66495' as ConversationId;
const OTHER = '482a66c2-74f0-4957-9bdb-10fc922e81da' as ConversationId;
const CALLER = {
  env: { HOME: '/home/ann', PATH: '/bin', OPENAI_API_KEY: 'k', QWEN_CODE_SESSION_ID: 'outer', QWEN_SANDBOX: '0' },
  umask: 0o022,
};
const FILES = { promptPath: '/r/prompt', folder: '/r', files: '/r/files' };
const PLAN: RunPlan = { how: 'launch', conversation: ID, origin: null, ...FILES, hook: 'true', tell: null, ask: null };

function specOf(drive: Spec['drive'], more: object = {}): Spec {
  const given = { chosenBy: 'us', id: ID, forkOf: null, model: null, args: [], envNames: ['QWEN_CODE_SESSION_ID'] };
  const conversation = { ...given, trusted: false, after: [], screen: 'pty', ...more };
  const place = { name: null, agent: 'qwen', drive, terminal: 'pipe', workspace: '/w', argv: [], policy: AGENT };
  const rest = { size: { columns: 80, rows: 24 }, stdin: 'open', split: true, background: true, notify: 'never' };
  return { ...place, ...rest, keepOpen: true, conversation } as Spec;
}

test('a turn reads its prompt from a file, and asks nobody', () => {
  const { argv, stdin } = qwenLaunch(specOf('turns', { model: 'qwen3-coder-plus' }), CALLER, PLAN);
  expect(stdin).toEqual({ path: '/r/prompt' });
  expect(argv).toEqual([
    ...['qwen', '--output-format', 'stream-json', '--include-partial-messages', '--session-id', ID],
    ...['--approval-mode', 'yolo', '--model', 'qwen3-coder-plus'],
  ]);
});

test('a conversation is resumed by its id, and a copy gets its own from the agent', () => {
  const resumed = qwenLaunch(specOf('turns'), CALLER, { ...PLAN, how: 'resume' });
  expect(resumed.argv.slice(4, 6)).toEqual(['--resume', ID]);
  const forked = qwenLaunch(specOf('turns', { forkOf: OTHER }), CALLER, { ...PLAN, how: 'fork' });
  expect(forked.argv.slice(4, 7)).toEqual(['--resume', OTHER, '--fork-session']);
  expect(forked.argv).not.toContain('--session-id');
});

test('it runs in one process, without the signs of an outer one', () => {
  const { env } = qwenLaunch(specOf('turns'), CALLER, PLAN);
  expect(env).toMatchObject({ OPENAI_API_KEY: 'k', QWEN_CODE_NO_RELAUNCH: 'true' });
  expect(Object.keys(env).filter((name) => /SESSION_ID|SANDBOX/.test(name))).toEqual([]);
});

test('the script of the package is not the agent', () => {
  const folder = '/usr/lib/node_modules/@qwen-code/qwen-code';
  expect(qwenProgram.natives?.(`${folder}/cli-entry.js`)).toEqual([`${folder}/cli.js`]);
  expect(qwenProgram.natives?.('/home/ann/bin/qwen')).toEqual([]);
});

test('arguments that the session decides about, and unknown ones, are refused', () => {
  expect(qwenRefusals(['--append-system-prompt', 'be brief', '--max-tool-calls=3'], true)).toEqual([]);
  expect(qwenRefusals(['--yolo', '--resume', 'x', '--mcp-config', '{}'], false)).toEqual([
    expect.stringMatching(/^--yolo: permissions/),
    expect.stringMatching(/^--resume: the session chooses/),
    expect.stringMatching(/^x: /),
  ]);
  expect(qwenRefusals(['--mcp-config', '{}'], true)).toEqual([expect.stringMatching(/^--mcp-config: behind a gate/)]);
  expect(qwenRefusals(['--output-style'], false)).toEqual(['--output-style: its value is missing']);
});
