import { randomBytes } from 'node:crypto';
import type { Agent } from './agent.ts';
import { type Fields, numberOf, textOf } from './json.ts';
import { permissionFor } from './permission.ts';
import { launchSubagent } from './subagent.ts';
import { runBash } from './tool-bash.ts';
import { failed, runFileTool, type ToolEnd } from './tools.ts';

/** A tool call of the model. */
export interface Call {
  readonly id: string;
  readonly tool: string;
  readonly input: Fields;
}

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the " +
  'new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.';
const BASH_MS_MAX = 120_000;

/** Plays one tool call with its hooks. `stopped`: the turn is over. */
export async function useTool(agent: Agent, call: Call, signal: AbortSignal): Promise<'went on' | 'stopped'> {
  const { id, tool } = call;
  if (agent.parts.options.disallowed.includes(tool)) {
    record(agent, id, failed(`No such tool available: ${tool}`));
    return 'went on';
  }
  const asked = { tool_name: tool, tool_input: call.input, tool_use_id: id };
  const pre = await agent.hook('PreToolUse', asked, tool);
  const input = pre.input ?? call.input;
  const kind = tool === 'AskUserQuestion' ? 'question' : 'permission';
  const permission = await permissionFor(agent, { kind, tool, input }, pre, signal);
  if (permission.is === 'stop' || signal.aborted) {
    cutOff(agent, call, signal);
    return 'stopped';
  }
  if (permission.is === 'denied') {
    agent.denials.push({ tool_name: tool, tool_use_id: id, tool_input: input });
    record(agent, id, failed(permission.text));
    return 'went on';
  }
  return run(agent, { ...call, input }, signal);
}

/** Records for a call that it was cut off: by a person, or by the end of the process. */
export function cutOff(agent: Agent, { id }: Call, signal: AbortSignal): void {
  record(agent, id, failed(signal.reason === 'end' ? 'Exit code 137' : REJECTED));
}

async function run(agent: Agent, call: Call, signal: AbortSignal): Promise<'went on' | 'stopped'> {
  const { id, tool, input } = call;
  const startedMs = agent.parts.clock.steadyMs();
  const end = await endOf(agent, call, signal);
  if (signal.aborted) {
    cutOff(agent, call, signal);
    return 'stopped';
  }
  const asked = { tool_name: tool, tool_input: input };
  const took = { duration_ms: agent.parts.clock.steadyMs() - startedMs };
  if (end.ok)
    await agent.hook('PostToolUse', { ...asked, tool_response: end.structured, tool_use_id: id, ...took }, tool);
  else
    await agent.hook(
      'PostToolUseFailure',
      { ...asked, tool_use_id: id, error: end.text, is_interrupt: false, ...took },
      tool,
    );
  record(agent, id, end);
  end.after?.();
  return 'went on';
}

function endOf(agent: Agent, call: Call, signal: AbortSignal): ToolEnd | Promise<ToolEnd> {
  if (call.tool === 'Bash')
    return call.input.run_in_background === true ? bashBehind(agent, call) : bash(agent, call.input, signal);
  if (call.tool === 'Agent' || call.tool === 'Task') return launchSubagent(agent, call);
  if (call.tool === 'AskUserQuestion') return { ok: true, text: 'User has answered your questions.', structured: {} };
  return runFileTool(call.tool, call.input, agent.parts.cwd);
}

async function bash(agent: Agent, input: Fields, signal: AbortSignal): Promise<ToolEnd> {
  const { status, stdout, stderr } = await runBash(
    {
      command: textOf(input.command) ?? '',
      cwd: agent.parts.cwd,
      env: agent.childEnv(),
      msMax: numberOf(input.timeout) ?? BASH_MS_MAX,
    },
    agent.parts.clock,
    signal,
  );
  const text = [stdout, stderr].filter((part) => part !== '').join('\n');
  if (status === 0)
    return {
      ok: true,
      text,
      structured: { stdout, stderr, interrupted: false, isImage: false, noOutputExpected: false },
    };
  return failed([`Exit code ${status ?? 143}`, text].filter((part) => part !== '').join('\n'));
}

/** A command in the background: its end begins another turn. */
function bashBehind(agent: Agent, { id, input }: Call): ToolEnd {
  const name = randomBytes(4).toString('hex');
  const about = textOf(input.description) ?? textOf(input.command) ?? '';
  const running = bash(agent, input, new AbortController().signal).then(
    (end) =>
      `<task-notification>\n<task-id>${name}</task-id>\n<tool-use-id>${id}</tool-use-id>\n` +
      `<status>${end.ok ? 'completed' : 'failed'}</status>\n<summary>Background command "${about}"</summary>\n` +
      '</task-notification>',
  );
  agent.background.add({ id: name, type: 'shell', status: 'running', description: about }, running, false);
  const structured = { stdout: '', stderr: '', interrupted: false, isImage: false, backgroundTaskId: name };
  return { ok: true, text: `Command running in background with ID: ${name}.`, structured };
}

function record(agent: Agent, id: string, end: ToolEnd): void {
  agent.conversation.result({ tool_use_id: id, content: end.text, is_error: !end.ok }, end.structured);
}
