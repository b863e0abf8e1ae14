import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { liveCli } from '../e2e/live.ts';
import { eventually } from '../eventually.ts';
import { needing, type Stories } from './stage.ts';
import { script } from './story-text.ts';

const ENCLOSING = {
  CLAUDECODE: '1',
  CLAUDE_CODE_SESSION_ID: 'of-the-enclosing-one',
  CLAUDE_CODE_ENTRYPOINT: 'enclosing',
  CLAUDE_CODE_SSE_PORT: '1234',
  AI_AGENT: 'enclosing',
};

/** Environment, arguments and model of a run, and its events. */
export const AROUND: Stories = {
  'variables of an enclosing agent never reach a run, not even if --env names them': needing(
    ['enclosing variables'],
    async (open) => {
      const stage = await open();
      const out = join(stage.root, 'environ');
      const command = `tr '\\0' '\\n' </proc/$PPID/environ >${out}.agent; env >${out}.tool`;
      const prompt = script({ tool: 'Bash', input: { command, description: 'x' } }, { text: 'ok' });
      const named = ['CLAUDECODE', 'CLAUDE_CODE_SESSION_ID', 'MINE'].flatMap((name) => ['--env', name]);
      const ran = await stage.cli(['run', prompt, '--env', 'YOURS=2', ...named], {
        env: { ...ENCLOSING, MINE: '1', NOT_NAMED: '3' },
      });
      expect([ran.status, ran.stdout], ran.stderr).toEqual([0, 'ok\n']);
      const tool = readFileSync(`${out}.tool`, 'utf8').split('\n');
      expect(tool.filter((line) => /enclosing|SSE_PORT|NOT_NAMED/.test(line))).toEqual([]);
      const agent = readFileSync(`${out}.agent`, 'utf8').split('\n');
      expect(agent.filter((line) => /enclosing|SSE_PORT|NOT_NAMED/.test(line))).toEqual([]);
      expect(tool).toContain('MINE=1');
      expect(tool).toContain('YOURS=2');
    },
  ),

  'extra agent arguments apply to every run; arguments that would break the session are refused': needing(
    ['arguments'],
    async (open) => {
      const stage = await open();
      const session = await stage.start({ agentArgs: ['--append-system-prompt', 'Be brief.'] });
      for (const text of ['one', 'two']) {
        const go = join(stage.workspace, text);
        const prompt = script(
          {
            tool: 'Bash',
            input: {
              command: `tr '\\0' '\\n' </proc/$PPID/cmdline >${go}`,
              description: 'x',
            },
          },
          { text },
        );
        expect((await session.converse(prompt, { timeoutMs: 60_000 })).reply).toBe(text);
        expect(readFileSync(go, 'utf8')).toContain('--append-system-prompt\nBe brief.\n');
      }
      const before = (await stage.world.client.list()).sessions.length;
      for (const arg of [
        '--session-id',
        '--resume',
        '--settings',
        '--permission-mode',
        '-c',
        '-p',
        '--model',
        'words',
      ]) {
        const ran = await stage.cli(['run', 'hello', `--agent-arg=${arg}`]);
        expect([arg, ran.status, ran.stdout]).toEqual([arg, 2, '']);
      }
      expect((await stage.world.client.list()).sessions.length).toBe(before);
    },
  ),

  'a model alias resolves to the full model id, and an unknown model is refused with the list of aliases': needing(
    ['models'],
    async (open) => {
      const mine = { mine: 'claude-mine-1' };
      const stage = await open({ config: { models: { claude: mine, scripted: mine } } });
      for (const [name, id] of [
        ['opus', 'claude-opus-4-6'],
        ['sonnet', 'claude-sonnet-4-6'],
        ['mine', 'claude-mine-1'],
        ['claude-haiku-4-5', 'claude-haiku-4-5'],
      ] as const) {
        const session = await stage.start({ model: name, prompt: `hello ${name}`, keepOpen: false });
        expect((await session.reply({ timeoutMs: 60_000 })).met).toBe('answered');
        expect((await session.show()).session.model).toBe(id);
        const asked = stage.model?.requests().filter((request) => request.prompt === `hello ${name}`) ?? [];
        expect([...new Set(asked.map(({ model }) => model))]).toEqual(stage.model === null ? [] : [id]);
        await eventually(() =>
          stage.transcripts().some((path) => {
            const text = readFileSync(path, 'utf8');
            return text.includes(`"hello ${name}"`) && text.includes(`"model":"${id}"`);
          }),
        );
      }
      const ran = await stage.cli(['run', 'hello', '--model', 'gpt-9']);
      expect([ran.status, ran.stdout]).toEqual([2, '']);
      expect(ran.stderr).toMatch(/opus.*sonnet.*haiku/);
    },
  ),

  'events are numbered and can be read from a position, by type, from the end, and followed': async (open) => {
    const stage = await open();
    const session = await stage.start({ name: 'api', prompt: 'one' });
    expect((await session.reply({ timeoutMs: 60_000 })).met).toBe('answered');
    await session.waitFor('idle', { timeoutMs: 60_000 });
    const lines = async (...words: string[]) =>
      (await stage.cli(['events', 'api', '--json', ...words])).stdout
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { position: number; seq: number; event: string });
    const all = await lines();
    expect(all.map(({ seq }) => seq)).toEqual(all.map((_, i) => i + 1));
    expect(await lines('--last', '3')).toEqual(all.slice(-3));
    expect(await lines('--after', String(all[4]?.position))).toEqual(all.slice(5));
    expect((await lines('--type', 'prompt.')).map(({ event }) => event)).toEqual([
      ...['prompt.queued', 'prompt.sending', 'prompt.accepted', 'prompt.answered'],
    ]);
    await using following = liveCli(stage.world, ['events', 'api', '--follow', '--type', 'prompt.answered'], {
      input: '',
    });
    await following.shows('You said: one');
    await session.converse('two', { timeoutMs: 60_000 });
    await following.shows('You said: two');
    const { eventsFile } = await session.show();
    await eventually(() => readFileSync(eventsFile, 'utf8').includes('You said: two'));
    const seqs = readFileSync(eventsFile, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).seq as number);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  },

  'human-readable output masks secrets and caps tool inputs': async (open) => {
    const stage = await open();
    const secret = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
    const command = `export API_TOKEN=${secret}; : Authorization: Bearer ${secret} ; : ${'x'.repeat(50_000)}`;
    const session = await stage.start({
      name: 'api',
      prompt: stage.script({ run: command }),
    });
    expect((await session.reply({ timeoutMs: 60_000 })).met).toBe('answered');
    const text = await stage.cli(['events', 'api', '--type', 'tool.called']);
    expect(text.stdout).toContain('tool.called');
    expect(text.stdout).not.toContain(secret);
    expect(text.stdout.length).toBeLessThan(5_000);
    const shown = await stage.cli(['events', 'api']);
    expect(shown.stdout).not.toContain(secret);
  },
};
