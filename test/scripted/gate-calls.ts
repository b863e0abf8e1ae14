import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { CONTEXTS } from './context-calls.ts';
import { confirming, deciding } from './gate-answers.ts';
import { type AgentBench, askedOf, bash, gateSettings, resultLineIn, resultsIn, story } from './gate-bench.ts';

/** Cases about the calls that hooks are asked about, for any agent, by title. */
export const CALLS: Readonly<Record<string, (bench: AgentBench) => Promise<void>>> = {
  ...CONTEXTS,

  'a call that changes nothing runs without an answer, unless every call is asked about': async (bench) => {
    const prompt = story(bash('ls'), { text: 'end' });
    const free = await bench.run(prompt, gateSettings(':', ':'), 'deny-unlisted');
    expect(resultsIn(free.output)).toEqual([expect.stringContaining('asked')]);
    const held = await bench.run(prompt, gateSettings(':', ':', { asked: ['*'] }), 'ask-all');
    expect(resultsIn(held.output)).toEqual([expect.stringContaining("haven't granted it yet")]);
  },

  'the input that a hook puts in place of another is what runs, and what later hooks get': async (bench) => {
    const updatedInput = { command: 'echo other >ran', description: 'y' };
    const { output } = await bench.run(
      story(bash('echo one >ran'), { text: 'end' }),
      gateSettings(deciding('allow', { updatedInput }), ':'),
      'deny-unlisted',
    );
    expect(readFileSync(join(bench.workspace, 'ran'), 'utf8')).toBe('other\n');
    expect(askedOf(bench).map(({ tool_input }) => tool_input)).toEqual([bash('echo one >ran').input, updatedInput]);
    expect(output).toContain('echo one >ran');
  },

  'a hook gets absolute paths, and one name for sub-agents': async (bench) => {
    const read = { tool: 'Read', input: { file_path: 'sub/../x' } };
    const sub = { tool: 'Task', input: { description: 'd', prompt: 'x', subagent_type: 'general-purpose' } };
    await bench.run(story(read, sub, { text: 'end' }), gateSettings(deciding('deny'), ':'), 'deny-unlisted');
    expect(askedOf(bench).map(({ tool_name, tool_input }) => [tool_name, Object(tool_input).file_path])).toEqual([
      ['Read', join(bench.workspace, 'x')],
      ['Agent', undefined],
    ]);
  },

  "a sub-agent's call is asked about under its own id, and under the id of the sub-agent": async (bench) => {
    const own = story(bash('echo x >inner'), { text: 'inner end' });
    const input = { description: 'd', prompt: own, subagent_type: 'general-purpose', run_in_background: false };
    const pre = `case $payload in *'"Agent"'*) ${deciding('allow')} ;; *) ${deciding('deny')} ;; esac`;
    const prompt = story({ tool: 'Agent', input }, { text: 'end' });
    const { output } = await bench.run(prompt, gateSettings(pre, ':'), 'deny-unlisted');
    expect(existsSync(join(bench.workspace, 'inner'))).toBe(false);
    const [launch, call] = askedOf(bench);
    expect([launch?.tool_name, launch?.agent_id]).toEqual(['Agent', undefined]);
    expect(call).toMatchObject({
      ...{ tool_name: 'Bash', agent_id: expect.stringMatching(/^a[0-9a-f]{16}$/), agent_type: 'general-purpose' },
      ...{ session_id: launch?.session_id, tool_use_id: expect.stringMatching(/^toolu_/) },
    });
    expect(output).toMatch(new RegExp(`"parent_tool_use_id":"${launch?.tool_use_id}"`));
  },

  'calls that change nothing are asked about in parallel': async (bench) => {
    const both = `[ "$(ls asked.* | wc -l)" -ge 2 ]`;
    const wait = `: >asked.$$; i=0; until ${both} || [ $i -ge 30 ]; do sleep 0.05; i=$((i + 1)); done`;
    const pre = `${wait}; if ${both}; then ${deciding('allow')}; fi`;
    const prompt = story({ tools: [bash('cat ./a'), bash('cat ./b')] }, { text: 'end' });
    for (const name of ['a', 'b']) writeFileSync(join(bench.workspace, name), `in ${name}\n`);
    const { output } = await bench.run(prompt, gateSettings(pre, ':'), 'deny-unlisted');
    expect(resultsIn(output).sort()).toEqual(['in a', 'in b']);
    expect(askedOf(bench).map(({ hook_event_name }) => hook_event_name)).toEqual([
      ...['PreToolUse', 'PreToolUse', 'PostToolUse', 'PostToolUse'],
    ]);
  },

  'calls that change something are asked about one by one, each after the previous one has run': async (bench) => {
    const pre = `case $payload in *'>two"'*) [ -e one ] && ${deciding('allow')} ;; *) ${deciding('allow')} ;; esac`;
    const prompt = story({ tools: [bash('echo x >one'), bash('echo x >two')] }, { text: 'end' });
    await bench.run(prompt, gateSettings(pre, ':'), 'deny-unlisted');
    expect(existsSync(join(bench.workspace, 'two'))).toBe(true);
  },

  'a call is deferred, and asked about again when the conversation is resumed': async (bench) => {
    const pre = `if [ -e yes ]; then ${deciding('allow')}; else ${deciding('defer')}; fi`;
    const settings = gateSettings(pre, ':');
    const first = await bench.run(story(bash('echo x >ran'), { text: 'the end' }), settings, 'deny-unlisted');
    const [asked] = askedOf(bench);
    const pendingCall = { id: asked?.tool_use_id, name: 'Bash', input: bash('echo x >ran').input };
    const deferred = { is_error: false, result: '', stop_reason: 'tool_deferred', deferred_tool_use: pendingCall };
    expect([first.status, resultLineIn(first.output)]).toMatchObject([0, deferred]);
    const again = await bench.run('', settings, 'deny-unlisted', true);
    expect([again.status, resultLineIn(again.output)]).toMatchObject([0, deferred]);
    expect(existsSync(join(bench.workspace, 'ran'))).toBe(false);
    writeFileSync(join(bench.workspace, 'yes'), '');
    const last = await bench.run('', settings, 'deny-unlisted', true);
    expect([last.status, resultLineIn(last.output).result]).toEqual([0, 'the end']);
    expect(existsSync(join(bench.workspace, 'ran'))).toBe(true);
    expect(new Set(askedOf(bench).map(({ tool_use_id }) => tool_use_id)).size).toBe(1);
    expect((await bench.run('', settings, 'deny-unlisted', true)).status).toBe(1);
  },

  'a call is deferred also where every call is asked about; the second question comes after the resume': async (
    bench,
  ) => {
    const pre = `if [ -e yes ]; then ${deciding('allow')}; else ${deciding('defer')}; fi`;
    const settings = gateSettings(pre, confirming('allow'), { asked: ['*'] });
    const first = await bench.run(story(bash('echo x >ran'), { text: 'the end' }), settings, 'ask-all');
    expect([first.status, resultLineIn(first.output)]).toMatchObject([0, { stop_reason: 'tool_deferred' }]);
    writeFileSync(join(bench.workspace, 'yes'), '');
    const last = await bench.run('', settings, 'ask-all', true);
    expect([last.status, resultLineIn(last.output).result]).toEqual([0, 'the end']);
    expect(existsSync(join(bench.workspace, 'ran'))).toBe(!bench.isOld);
    const second = bench.isOld ? [] : ['PermissionRequest', 'PostToolUse'];
    expect(askedOf(bench).map(({ hook_event_name }) => hook_event_name)).toEqual([
      ...['PreToolUse', 'PreToolUse', ...second],
    ]);
  },

  'a call of a sub-agent is not deferred: the sub-agent ends': async (bench) => {
    const own = story(bash('echo x >inner'), { text: 'inner end' });
    const input = { description: 'd', prompt: own, subagent_type: 'general-purpose', run_in_background: false };
    const pre = `case $payload in *'"Agent"'*) ${deciding('allow')} ;; *) ${deciding('defer')} ;; esac`;
    const prompt = story({ tool: 'Agent', input }, { text: 'end' });
    const { output } = await bench.run(prompt, gateSettings(pre, ':'), 'deny-unlisted');
    expect(resultLineIn(output)).toMatchObject({ result: 'end', terminal_reason: 'completed' });
    expect(existsSync(join(bench.workspace, 'inner'))).toBe(false);
  },

  'a workspace can switch hooks off, unless our settings say otherwise': async (bench) => {
    mkdirSync(join(bench.workspace, '.claude'));
    writeFileSync(join(bench.workspace, '.claude/settings.json'), '{"disableAllHooks":true}');
    const deny = deciding('deny');
    await bench.run(story(bash('echo x >off'), { text: 'end' }), gateSettings(deny, ':'), 'none');
    expect([existsSync(join(bench.workspace, 'off')), askedOf(bench)]).toEqual([true, []]);
    const ours = gateSettings(deny, ':', { disableAllHooks: false });
    await bench.run(story(bash('echo x >on'), { text: 'end' }), ours, 'none');
    expect(existsSync(join(bench.workspace, 'on'))).toBe(false);
  },
};
