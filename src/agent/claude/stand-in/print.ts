import { randomUUID } from 'node:crypto';
import type { Agent, Face } from './agent.ts';
import type { Call } from './caller.ts';
import type { Failure } from './failure.ts';
import { type Fields, fieldsOf, listOf, textOf } from './json.ts';
import { SYNTHETIC } from './lines.ts';
import { VERSION } from './places.ts';
import { compact } from './tui-commands.ts';
import { playDeferred, playTurn, type TurnEnd } from './turn.ts';

/** The signal that ends a headless run. */
export type Stopping = { signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP' | null };

const STATUS: Readonly<Record<string, number>> = { SIGINT: 0, SIGTERM: 143, SIGHUP: 129 };
const TOOLS = ['Task', 'AskUserQuestion', 'Bash', 'Edit', 'Read', 'Write'];

/** What a headless run starts with: a deferred call, a prompt, or both in this order. */
export interface PrintStart {
  readonly deferred: Call | null;
  readonly prompt: string | null;
}

/** Plays the start and the turns that background work begins; returns the exit status. */
export async function runPrint(agent: Agent, start: PrintStart, print: (text: string) => void): Promise<number> {
  const stopping: Stopping = { signal: null };
  const turn = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      stopping.signal ??= signal;
      turn.abort(signal === 'SIGINT' ? 'interrupt' : 'end');
    });
  agent.face = printFace(agent, print);
  let status = 0;
  const play = (what: Call | string): Promise<TurnEnd> =>
    typeof what === 'string' ? playText(agent, what, turn.signal) : playDeferred(agent, what, turn.signal);
  const waiting = [start.deferred, start.prompt].filter((one) => one !== null);
  for (let next = waiting.shift() ?? null; next !== null; ) {
    const startedMs = agent.parts.clock.steadyMs();
    const end: TurnEnd = await play(next);
    const tookMs = agent.parts.clock.steadyMs() - startedMs;
    status = end.is === 'failed' ? 1 : 0;
    if (stopping.signal === null || stopping.signal === 'SIGINT') print(resultText(agent, end, tookMs));
    if (turn.signal.aborted || end.is === 'deferred') break;
    next = waiting.shift() ?? (await agent.background.next(turn.signal));
  }
  await agent.end('other');
  return stopping.signal === null ? status : (STATUS[stopping.signal] ?? 1);
}

/** Runs a command in the agent itself; it never reaches the model. */
async function playText(agent: Agent, text: string, signal: AbortSignal): Promise<TurnEnd> {
  if (text.trim() !== '/compact') return playTurn(agent, text, signal);
  await compact(agent);
  return { is: 'done', text: '' };
}

function printFace(agent: Agent, print: (text: string) => void): Face {
  const say = (line: Fields): void => {
    if (agent.parts.options.format === 'stream-json') print(`${JSON.stringify(line)}\n`);
  };
  return {
    began: () => say(initLine(agent)),
    wrote: (line) => {
      const shown = streamLine(line);
      if (shown !== null) say(shown);
    },
    streaming: (text) => {
      if (!agent.parts.options.partial) return;
      if (!/\s\S/.test(text)) say(eventLine(agent, { type: 'content_block_start', index: 0, content_block: EMPTY }));
      say(partialLine(agent, text));
    },
    failed: (failure) => {
      if (failure.limit !== null) say(limitLine(agent, failure));
    },
    ask: () => Promise.resolve('nobody'),
  };
}

/** The stream line with the last word of a reply that is being written. */
function partialLine(agent: Agent, text: string): Fields {
  const delta = { type: 'text_delta', text: text.split(/(?<=\s)/).at(-1) ?? '' };
  return eventLine(agent, { type: 'content_block_delta', index: 0, delta });
}

const EMPTY = { type: 'text', text: '' };

function eventLine(agent: Agent, event: Fields): Fields {
  const { id } = agent.conversation.place;
  return { type: 'stream_event', event, session_id: id, parent_tool_use_id: null, uuid: randomUUID() };
}

function initLine(agent: Agent): Fields {
  const { place } = agent.conversation;
  return {
    type: 'system',
    subtype: 'init',
    cwd: place.cwd,
    session_id: place.id,
    tools: TOOLS.filter((tool) => !agent.parts.options.disallowed.includes(tool)),
    mcp_servers: [],
    model: place.model,
    permissionMode: place.mode,
    slash_commands: ['clear', 'compact'],
    apiKeySource: 'none',
    claude_code_version: VERSION,
    output_style: 'default',
    uuid: randomUUID(),
  };
}

/** The stream line for a line of the transcript; null when the stream has none for it. */
function streamLine(line: Fields): Fields | null {
  const message = fieldsOf(line.message);
  const failed = line.isApiErrorMessage === true;
  const parent = textOf(line.parentToolUseId);
  const common = { parent_tool_use_id: parent, session_id: line.sessionId, uuid: line.uuid, timestamp: line.timestamp };
  if (line.type === 'assistant') {
    if (message.model === SYNTHETIC && !failed) return null;
    const error = { error: line.error, is_api_error_message: true, api_error_status: line.apiErrorStatus };
    const said = { ...message, stop_reason: failed ? 'stop_sequence' : null };
    return { type: 'assistant', message: said, ...common, request_id: line.requestId, ...(failed ? error : {}) };
  }
  // A prompt is not repeated in the stream, but blocks in its place are.
  if (line.type !== 'user' || listOf(message.content).length === 0) return null;
  return {
    type: 'user',
    message,
    ...common,
    ...('toolUseResult' in line ? { tool_use_result: line.toolUseResult } : {}),
  };
}

function limitLine(agent: Agent, { limit }: Failure): Fields {
  const info = { status: 'rejected', resetsAt: limit?.resetsAt, rateLimitType: limit?.type, isUsingOverage: false };
  const { id } = agent.conversation.place;
  return { type: 'rate_limit_event', rate_limit_info: info, uuid: randomUUID(), session_id: id };
}

function resultText(agent: Agent, end: TurnEnd, tookMs: number): string {
  const { format } = agent.parts.options;
  if (format !== 'text') return `${JSON.stringify(resultLine(agent, end, tookMs))}\n`;
  if (end.is === 'interrupted') return 'Execution error';
  if (end.is === 'deferred') return '\n';
  return `${end.is === 'failed' ? end.failure.text : end.text}\n`;
}

function resultLine(agent: Agent, end: TurnEnd, tookMs: number): Fields {
  const common = {
    duration_ms: tookMs,
    duration_api_ms: 0,
    session_id: agent.conversation.place.id,
    total_cost_usd: 0,
    usage: { input_tokens: 100, output_tokens: 20 },
    modelUsage: {},
    permission_denials: agent.denials,
    num_turns: 1,
    type: 'result',
    uuid: randomUUID(),
  };
  return { ...common, ...outcomeOf(end) };
}

function outcomeOf(end: TurnEnd): Fields {
  switch (end.is) {
    case 'done':
      return {
        stop_reason: 'end_turn',
        terminal_reason: 'completed',
        is_error: false,
        subtype: 'success',
        api_error_status: null,
        result: end.text,
      };
    case 'deferred':
      return {
        ...{ stop_reason: 'tool_deferred', terminal_reason: 'tool_deferred', is_error: false, subtype: 'success' },
        result: '',
        deferred_tool_use: { id: end.call.id, name: end.call.tool, input: end.call.input },
      };
    case 'failed':
      return {
        stop_reason: 'stop_sequence',
        terminal_reason: 'api_error',
        is_error: true,
        subtype: 'success',
        api_error_status: end.failure.status,
        result: end.failure.text,
      };
    case 'interrupted':
      return {
        terminal_reason: end.during === 'tools' ? 'aborted_tools' : 'aborted_streaming',
        is_error: true,
        subtype: 'error_during_execution',
        errors: ['[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null'],
      };
  }
}
