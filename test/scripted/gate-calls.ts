import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { CONTEXTS } from './context-calls.ts';
import { confirming, deciding } from './gate-answers.ts';
import { askedOf, bash, gateSettings, resultLineIn, resultsIn, type Stand, story } from './gate-stand.ts';

/** What is told with any agent about the calls that its hooks are asked about, each under its sentence. */
export const CALLS: Readonly<Record<string, (stand: Stand) => Promise<void>>> = {
  ...CONTEXTS,

  'a call that changes nothing runs without an answer, unless every call is asked about': async (stand) => {
    const prompt = story(bash('ls'), { text: 'end' });
    const free = await stand.run(prompt, gateSettings(':', ':'), 'deny-unlisted');
    expect(resultsIn(free.output)).toEqual([expect.stringContaining('asked')]);
    const held = await stand.run(prompt, gateSettings(':', ':', { asked: ['*'] }), 'ask-all');
    expect(resultsIn(held.output)).toEqual([expect.stringContaining("haven't granted it yet")]);
  },

  'what a hook puts in the place of an input is what runs and what is told afterwards': async (stand) => {
    const updatedInput = { command: 'echo other >ran', description: 'y' };
    const { output } = await stand.run(
      story(bash('echo one >ran'), { text: 'end' }),
      gateSettings(deciding('allow', { updatedInput }), ':'),
      'deny-unlisted',
    );
    expect(readFileSync(join(stand.workspace, 'ran'), 'utf8')).toBe('other\n');
    expect(askedOf(stand).map(({ tool_input }) => tool_input)).toEqual([bash('echo one >ran').input, updatedInput]);
    expect(output).toContain('echo one >ran');
  },

  'a hook hears paths from the root on, and one name for sub-agents': async (stand) => {
    const read = { tool: 'Read', input: { file_path: 'sub/../x' } };
    const sub = { tool: 'Task', input: { description: 'd', prompt: 'x', subagent_type: 'general-purpose' } };
    await stand.run(story(read, sub, { text: 'end' }), gateSettings(deciding('deny'), ':'), 'deny-unlisted');
    expect(askedOf(stand).map(({ tool_name, tool_input }) => [tool_name, Object(tool_input).file_path])).toEqual([
      ['Read', join(stand.workspace, 'x')],
      ['Agent', undefined],
    ]);
  },

  "a sub-agent's call is asked about under its own id, and under the id of the sub-agent": async (stand) => {
    const own = story(bash('echo x >inner'), { text: 'inner end' });
    const input = { description: 'd', prompt: own, subagent_type: 'general-purpose', run_in_background: false };
    const pre = `case $payload in *'"Agent"'*) ${deciding('allow')} ;; *) ${deciding('deny')} ;; esac`;
    const prompt = story({ tool: 'Agent', input }, { text: 'end' });
    const { output } = await stand.run(prompt, gateSettings(pre, ':'), 'deny-unlisted');
    expect(existsSync(join(stand.workspace, 'inner'))).toBe(false);
    const [launch, call] = askedOf(stand);
    expect([launch?.tool_name, launch?.agent_id]).toEqual(['Agent', undefined]);
    expect(call).toMatchObject({
      ...{ tool_name: 'Bash', agent_id: expect.stringMatching(/^a[0-9a-f]{16}$/), agent_type: 'general-purpose' },
      ...{ session_id: launch?.session_id, tool_use_id: expect.stringMatching(/^toolu_/) },
    });
    expect(output).toMatch(new RegExp(`"parent_tool_use_id":"${launch?.tool_use_id}"`));
  },

  'calls that change nothing are asked about at the same time': async (stand) => {
    const both = `[ "$(ls asked.* | wc -l)" -ge 2 ]`;
    const wait = `: >asked.$$; i=0; until ${both} || [ $i -ge 30 ]; do sleep 0.05; i=$((i + 1)); done`;
    const pre = `${wait}; if ${both}; then ${deciding('allow')}; fi`;
    const prompt = story({ tools: [bash('cat ./a'), bash('cat ./b')] }, { text: 'end' });
    for (const name of ['a', 'b']) writeFileSync(join(stand.workspace, name), `in ${name}\n`);
    const { output } = await stand.run(prompt, gateSettings(pre, ':'), 'deny-unlisted');
    expect(resultsIn(output).sort()).toEqual(['in a', 'in b']);
    expect(askedOf(stand).map(({ hook_event_name }) => hook_event_name)).toEqual([
      ...['PreToolUse', 'PreToolUse', 'PostToolUse', 'PostToolUse'],
    ]);
  },

  'of calls that change something the next is asked about when the one before has run': async (stand) => {
    const pre = `case $payload in *'>two"'*) [ -e one ] && ${deciding('allow')} ;; *) ${deciding('allow')} ;; esac`;
    const prompt = story({ tools: [bash('echo x >one'), bash('echo x >two')] }, { text: 'end' });
    await stand.run(prompt, gateSettings(pre, ':'), 'deny-unlisted');
    expect(existsSync(join(stand.workspace, 'two'))).toBe(true);
  },

  'a call is put off, and asked about again when the conversation is taken up': async (stand) => {
    const pre = `if [ -e yes ]; then ${deciding('allow')}; else ${deciding('defer')}; fi`;
    const settings = gateSettings(pre, ':');
    const first = await stand.run(story(bash('echo x >ran'), { text: 'the end' }), settings, 'deny-unlisted');
    const [asked] = askedOf(stand);
    const waits = { id: asked?.tool_use_id, name: 'Bash', input: bash('echo x >ran').input };
    const putOff = { is_error: false, result: '', stop_reason: 'tool_deferred', deferred_tool_use: waits };
    expect([first.status, resultLineIn(first.output)]).toMatchObject([0, putOff]);
    const again = await stand.run('', settings, 'deny-unlisted', true);
    expect([again.status, resultLineIn(again.output)]).toMatchObject([0, putOff]);
    expect(existsSync(join(stand.workspace, 'ran'))).toBe(false);
    writeFileSync(join(stand.workspace, 'yes'), '');
    const last = await stand.run('', settings, 'deny-unlisted', true);
    expect([last.status, resultLineIn(last.output).result]).toEqual([0, 'the end']);
    expect(existsSync(join(stand.workspace, 'ran'))).toBe(true);
    expect(new Set(askedOf(stand).map(({ tool_use_id }) => tool_use_id)).size).toBe(1);
    expect((await stand.run('', settings, 'deny-unlisted', true)).status).toBe(1);
  },

  'a call is put off also where every call is asked about, and the second question comes when it is taken up': async (
    stand,
  ) => {
    const pre = `if [ -e yes ]; then ${deciding('allow')}; else ${deciding('defer')}; fi`;
    const settings = gateSettings(pre, confirming('allow'), { asked: ['*'] });
    const first = await stand.run(story(bash('echo x >ran'), { text: 'the end' }), settings, 'ask-all');
    expect([first.status, resultLineIn(first.output)]).toMatchObject([0, { stop_reason: 'tool_deferred' }]);
    writeFileSync(join(stand.workspace, 'yes'), '');
    const last = await stand.run('', settings, 'ask-all', true);
    expect([last.status, resultLineIn(last.output).result]).toEqual([0, 'the end']);
    expect(existsSync(join(stand.workspace, 'ran'))).toBe(!stand.isOld);
    const second = stand.isOld ? [] : ['PermissionRequest', 'PostToolUse'];
    expect(askedOf(stand).map(({ hook_event_name }) => hook_event_name)).toEqual([
      ...['PreToolUse', 'PreToolUse', ...second],
    ]);
  },

  'a call of a sub-agent is not put off: the sub-agent is over': async (stand) => {
    const own = story(bash('echo x >inner'), { text: 'inner end' });
    const input = { description: 'd', prompt: own, subagent_type: 'general-purpose', run_in_background: false };
    const pre = `case $payload in *'"Agent"'*) ${deciding('allow')} ;; *) ${deciding('defer')} ;; esac`;
    const prompt = story({ tool: 'Agent', input }, { text: 'end' });
    const { output } = await stand.run(prompt, gateSettings(pre, ':'), 'deny-unlisted');
    expect(resultLineIn(output)).toMatchObject({ result: 'end', terminal_reason: 'completed' });
    expect(existsSync(join(stand.workspace, 'inner'))).toBe(false);
  },

  'a folder that switches hooks off does so, unless our settings say otherwise': async (stand) => {
    mkdirSync(join(stand.workspace, '.claude'));
    writeFileSync(join(stand.workspace, '.claude/settings.json'), '{"disableAllHooks":true}');
    const deny = deciding('deny');
    await stand.run(story(bash('echo x >off'), { text: 'end' }), gateSettings(deny, ':'), 'none');
    expect([existsSync(join(stand.workspace, 'off')), askedOf(stand)]).toEqual([true, []]);
    const ours = gateSettings(deny, ':', { disableAllHooks: false });
    await stand.run(story(bash('echo x >on'), { text: 'end' }), ours, 'none');
    expect(existsSync(join(stand.workspace, 'on'))).toBe(false);
  },
};
