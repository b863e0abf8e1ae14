import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TerminalUser } from '../agents/person.ts';
import { openStage, type Stage } from '../agents/stage.ts';
import { claudeOf } from '../agents/under-test/claude.ts';
import { deepCases } from '../campaign.ts';
import { pathWithOutlast } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { NEWEST } from './newest.ts';

// A plain Claude Code in a terminal, not run by Outlast, also learns of the end of a session that it started.

const ROOT = join(import.meta.dirname, '../..');
const bash = (command: string, more: object = {}): object => ({
  tool: 'Bash',
  input: { command, description: 'x', ...more },
});
const call = (name: string, input: object): object => ({ tool: `mcp__plugin_outlast_outlast__${name}`, input });
const script = (...steps: object[]): string => `SCRIPT${JSON.stringify({ steps })}SCRIPT`;

/** Work that finishes when the file `go` exists. */
const WORK = script(bash('until [ -e go ]; do sleep 0.05; done; echo made > made-by-it'), { text: 'it is made' });

/** Plays these steps in a plain Claude Code: it ends its turn, then the session finishes, then it reads its turn. */
async function playUntilNotified(stage: Stage, words: readonly string[], ...steps: object[]): Promise<void> {
  const id = randomUUID();
  const args = ['--session-id', id, '--model', 'claude-sonnet-4-6', ...words, '--', script(...steps)];
  await using terminal = new TerminalUser(stage, join(stage.root, 'bin/claude'), args);
  const transcript = (): string => stage.transcripts(id).map(textOf).join('');
  const waitForTranscript = (words: RegExp): Promise<true> =>
    eventually(() => words.test(transcript()), { what: `a transcript with ${words}`, msMax: 60_000 }).catch((cause) => {
      throw new Error(terminal.screenText, { cause });
    });
  await waitForTranscript(/"text":"I go on\."/);
  expect(transcript()).not.toContain('"text":"I have read it."');
  writeFileSync(join(stage.workspace, 'go'), '');
  await waitForTranscript(
    /"text":"I go on\."[\s\S]*<task-notification>[\s\S]*it is made[\s\S]*"text":"I have read it\."/,
  );
  expect(stage.received(id)).toHaveLength(1);
}

function textOf(path: string): string {
  return readFileSync(path, 'utf8');
}

async function openOutside(version: (typeof NEWEST)[number]): Promise<Stage> {
  const stage = await openStage(claudeOf(version));
  stage.env.PATH = `${join(stage.root, 'bin')}:${pathWithOutlast(stage.world)}`;
  return stage;
}

test.each(NEWEST)(
  'Claude Code %s waits for any of two sessions in its background, and is notified by the first that ends',
  async (version) => {
    await using stage = await openOutside(version);
    writeFileSync(join(stage.workspace, 'prompt.md'), WORK);
    writeFileSync(join(stage.workspace, 'slow.md'), script({ hang: 'headers' }));
    await playUntilNotified(
      stage,
      ['--allowedTools', 'Bash(outlast:*)'],
      bash('outlast start --end --name slow --prompt-file slow.md'),
      bash('outlast start --end --name worker --prompt-file prompt.md'),
      bash('outlast wait slow worker --any --for reply --timeout 2h', { run_in_background: true }),
      { text: 'I go on.' },
      // From here on in a turn without a prompt: the end of the background command started it.
      bash('outlast turn worker'),
      { text: 'I have read it.' },
    );
    const { sessions } = await stage.world.client.list({ limit: 10 });
    const seen = sessions.map(({ name, phase, owner }) => [name, phase, owner]);
    expect(seen.sort()).toEqual([
      ['slow', 'working', null],
      ['worker', 'ended', null],
    ]);
    await stage.cli(['stop', 'slow']);
  },
);

test.each(deepCases('moves a long wait over MCP to its background, and is notified', NEWEST))(
  'Claude Code %s moves a long wait over MCP to its background, and is notified',
  async (version) => {
    await using stage = await openOutside(version);
    // The default is two minutes.
    stage.env.CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS = '1000';
    await playUntilNotified(
      stage,
      ['--plugin-dir', ROOT, '--allowedTools', 'mcp__plugin_outlast_outlast'],
      call('session_start', { name: 'worker', keepOpen: false, prompt: WORK }),
      call('session_wait', { session: 'worker', for: 'reply', timeoutMs: 3_600_000 }),
      { text: 'I go on.' },
      call('session_turn', { session: 'worker' }),
      { text: 'I have read it.' },
    );
  },
);
