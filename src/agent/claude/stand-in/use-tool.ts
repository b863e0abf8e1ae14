import { randomBytes } from 'node:crypto';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Agent } from './agent.ts';
import type { Call, Caller } from './caller.ts';
import { contextOf } from './context.ts';
import { type Fields, numberOf, textOf } from './json.ts';
import { permissionFor } from './permission.ts';
import { launchSubagent } from './subagent.ts';
import { runBash } from './tool-bash.ts';
import { failed, runFileTool, type ToolEnd } from './tools.ts';

const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the " +
  'new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.';
const FILES = ['Read', 'Write', 'Edit'];
const BASH_MS_MAX = 120_000;

/** Plays one tool call with its hooks. `stopped`: the turn ends. `deferred`: the call was not run. */
export async function useTool(
  caller: Caller,
  call: Call,
  signal: AbortSignal,
): Promise<'went on' | 'stopped' | 'deferred'> {
  const { agent, marks } = caller;
  const { id } = call;
  if (agent.parts.options.disallowed.includes(call.tool)) {
    record(caller, id, failed(`<tool_use_error>Error: No such tool available: ${call.tool}</tool_use_error>`));
    return 'went on';
  }
  const { tool, input: given } = asHooksSee(call, agent.parts.cwd);
  const asked = { tool_name: tool, tool_input: given, tool_use_id: id, ...marks };
  const pre = await agent.hook('PreToolUse', asked, tool, signal);
  const input = pre.input ?? given;
  const kind = tool === 'AskUserQuestion' ? 'question' : 'permission';
  const permission = await permissionFor(caller, { kind, tool, input }, pre, signal);
  if (permission.is === 'stop' || signal.aborted) {
    cutOff(caller, call, signal);
    return 'stopped';
  }
  if (permission.is === 'deferred') return 'deferred';
  if (permission.is === 'denied') {
    agent.denials.push({ tool_name: tool, tool_use_id: id, tool_input: input });
    record(caller, id, failed(permission.text));
    return 'went on';
  }
  return run(caller, { id, tool, input }, signal);
}

/** Records that a call was interrupted: by a person, or by the end of the process. */
export function cutOff(caller: Caller, { id }: Call, signal: AbortSignal): void {
  record(caller, id, failed(signal.reason === 'end' ? 'Exit code 137' : REJECTED));
}

/** A call as hooks see it: one name for sub-agents, and absolute paths. */
function asHooksSee({ id, tool, input }: Call, cwd: string): Call {
  const path = textOf(input.file_path);
  const isPath = path !== null && FILES.includes(tool);
  const whole = isPath ? { file_path: resolve(cwd, path.replace(/^~(?=\/)/, homedir())) } : {};
  return { id, tool: tool === 'Task' ? 'Agent' : tool, input: { ...input, ...whole } };
}

async function run(caller: Caller, call: Call, signal: AbortSignal): Promise<'went on' | 'stopped'> {
  const { agent, marks } = caller;
  const { id, tool, input } = call;
  const startedMs = agent.parts.clock.steadyMs();
  const end = await endOf(caller, call, signal);
  if (signal.aborted) {
    cutOff(caller, call, signal);
    return 'stopped';
  }
  const asked = { tool_name: tool, tool_input: input, ...marks };
  const took = { duration_ms: agent.parts.clock.steadyMs() - startedMs };
  const event = end.ok ? 'PostToolUse' : 'PostToolUseFailure';
  const how = end.ok ? { tool_response: end.structured } : { error: end.text, is_interrupt: false };
  const { contexts } = await agent.hook(event, { ...asked, ...how, tool_use_id: id, ...took }, tool);
  record(caller, id, end);
  for (const text of contexts) caller.attach(contextOf(text, event, tool, id));
  end.after?.();
  return 'went on';
}

function endOf(caller: Caller, call: Call, signal: AbortSignal): ToolEnd | Promise<ToolEnd> {
  const { agent } = caller;
  if (call.tool === 'Bash')
    return call.input.run_in_background === true ? bashBehind(agent, call) : bash(agent, call.input, signal);
  if (call.tool === 'Agent') return launchSubagent(caller, call, signal);
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

/** Runs a command in the background: its end begins another turn. */
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

function record(caller: Caller, id: string, end: ToolEnd): void {
  caller.record({ tool_use_id: id, content: end.text, is_error: !end.ok }, end.structured);
}
