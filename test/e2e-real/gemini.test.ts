import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import { openStage } from '../agents/stage.ts';
import { script } from '../agents/story-text.ts';
import { GEMINI_0_61 } from '../agents/under-test/gemini.ts';

// What is special about Gemini CLI, with the real one.

const isHere = agentIsHere('0.61.0', 'gemini') || process.env.CI === 'true';

describe.skipIf(!isHere)('Gemini CLI', { timeout: 240_000 }, () => {
  test('it is refused while its retention is on, and works when it is off; doctor says so', async () => {
    await using stage = await openStage(GEMINI_0_61);
    const path = join(stage.config, '.gemini/settings.json');
    const off = readFileSync(path, 'utf8');
    writeFileSync(path, off.replace('"sessionRetention":{"enabled":false}', '"sessionRetention":{"enabled":true}'));
    const refused = await stage.cli(['run', 'hello']);
    expect([refused.status, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain(`as ${path} does not switch that off`);
    writeFileSync(path, off);
    expect((await stage.cli(['run', 'hello'])).stdout).toBe('You said: hello\n');
    const asked = async (): Promise<string> => (await stage.cli(['doctor'])).stdout;
    // The daemon has another home than the callers of this stage.
    const said = /^ok {3}gemini: .* 0\.61\.0; .* as (\S+) does not .*"sessionRetention".*unless GEMINI_CLI_HOME/m;
    const [, settings = ''] = said.exec(await asked()) ?? [];
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, off);
    expect(await asked()).toMatch(/^ok {3}gemini: \S+ 0\.61\.0$/m);
  });

  test('a first turn that failed left nothing to resume: its whole prompt is sent in a new conversation', async () => {
    await using stage = await openStage(GEMINI_0_61);
    const session = await stage.start();
    // A continuation would have the beginning of it only.
    const text = `${'long '.repeat(200)} ${script({ status: 401, times: 1 }, { text: 'better now' })}`;
    const { prompt } = await session.prompt(text);
    expect((await session.reply({ prompt, timeoutMs: 60_000 })).met).toBe('held');
    const before = (await session.show()).session.conversation;
    expect((await stage.cli(['resume', session.id])).status).toBe(0);
    expect(await session.reply({ prompt, timeoutMs: 60_000 })).toMatchObject({ met: 'answered', reply: 'better now' });
    const { conversation } = (await session.show()).session;
    expect(conversation?.slice(0, 8)).not.toBe(before?.slice(0, 8));
    expect(stage.received(conversation).map((each) => each.trim())).toEqual([text]);
    expect((await session.converse('and now?', { timeoutMs: 60_000 })).reply).toBe('You said: and now?');
    expect((await session.show()).session.conversation).toBe(conversation);
  });
});
