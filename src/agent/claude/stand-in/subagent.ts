import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Agent } from './agent.ts';
import type { Call, Caller, Used } from './caller.ts';
import { type Fields, textOf } from './json.ts';
import { answerLine, apiId, attachmentLine, type Block, type Moment, promptLine, resultLine } from './lines.ts';
import { cueFor, FRESH, type ToolStep } from './story.ts';
import type { ToolEnd } from './tools.ts';
import { openTranscript } from './transcript.ts';

interface Subagent {
  readonly id: string;
  readonly type: string;
  readonly about: string;
  readonly prompt: string;
}

/** Starts a sub-agent. In the background, its end begins another turn, as for all background work. */
export async function launchSubagent(caller: Caller, call: Call, signal: AbortSignal): Promise<ToolEnd> {
  const { agent } = caller;
  const sub: Subagent = {
    id: `a${randomBytes(8).toString('hex')}`,
    type: textOf(call.input.subagent_type) ?? 'general-purpose',
    about: textOf(call.input.description) ?? '',
    prompt: textOf(call.input.prompt) ?? '',
  };
  await agent.hook('SubagentStart', { agent_id: sub.id, agent_type: sub.type }, sub.type);
  if (!isBehind(agent, call.input)) return { ok: true, ...finished(sub, await live(caller, sub, call.id, signal)) };
  const { step } = cueFor([{ text: sub.prompt, answers: 0 }], FRESH);
  const behind = new AbortController().signal;
  const ended = async (): Promise<string> => notice(sub, call.id, await live(caller, sub, call.id, behind));
  const after = (): void => agent.background.add(runningOf(sub), ended(), step.is === 'text' && step.delayMs === 0);
  const structured = {
    isAsync: true,
    status: 'async_launched',
    agentId: sub.id,
    description: sub.about,
    resolvedModel: agent.parts.options.model,
    prompt: sub.prompt,
    outputFile: transcriptOf(agent, sub),
    canReadOutputFile: true,
    canContinueAgent: true,
  };
  return { ok: true, text: `Async agent launched successfully. agentId: ${sub.id}`, structured, after };
}

/** Whether a sub-agent runs in the background. Old versions wait for one unless the call says otherwise. */
function isBehind(agent: Agent, { run_in_background: asked }: Fields): boolean {
  return typeof asked === 'boolean' ? asked : !agent.parts.manners.ignoresOnFailure;
}

function finished(sub: Subagent, reply: string): Pick<ToolEnd, 'text' | 'structured'> {
  const text = reply === '' ? '(Subagent completed but returned no output.)' : reply;
  return { text, structured: { status: 'completed', agentId: sub.id, content: [{ type: 'text', text }] } };
}

/** Sends a SubagentStop; the real agent also sends two spurious ones while it compacts. */
export function stopHook(agent: Agent, sub: Partial<Subagent>, reply: string): Promise<unknown> {
  const { id = `a${randomBytes(8).toString('hex')}`, type = '' } = sub;
  const fields = {
    agent_id: id,
    agent_type: type,
    stop_hook_active: false,
    agent_transcript_path: transcriptOf(agent, { id }),
    last_assistant_message: reply,
    background_tasks: agent.background.running,
    session_crons: [],
  };
  return agent.hook('SubagentStop', fields, type);
}

/** Plays its story to the end and returns its last text. It ends early when one of its calls is deferred. */
async function live(caller: Caller, sub: Subagent, call: string, signal: AbortSignal): Promise<string> {
  const { agent } = caller;
  const side = sideOf(caller, sub, call);
  let reply = '';
  let used: Used = { is: 'went on' };
  for (let answers = 0; used.is === 'went on' && reply === ''; answers++) {
    const { step } = cueFor([{ text: sub.prompt, answers }], FRESH);
    await agent.parts.clock.sleep(step.delayMs, signal);
    if (signal.aborted) break;
    if (step.is === 'tools') used = await callTools(side, step.tools, signal);
    else {
      reply = step.is === 'text' ? step.text : 'done';
      side.say('end_turn', { type: 'text', text: reply });
    }
  }
  if (used.is === 'went on') await stopHook(agent, sub, reply);
  side.flush();
  return reply;
}

function callTools(side: Side, tools: readonly ToolStep[], signal: AbortSignal): Promise<Used> {
  const calls = tools.map(({ tool, input }) => ({ id: apiId('toolu'), tool, input }));
  for (const { id, tool, input } of calls) side.say('tool_use', { type: 'tool_use', id, name: tool, input });
  return side.use(side, calls, signal);
}

/** A sub-agent as a caller of tools, with a transcript of its own. */
interface Side extends Caller {
  say(stop: string, block: Block): void;
  flush(): void;
}

function sideOf({ agent, use }: Caller, sub: Subagent, call: string): Side {
  const { clock, manners } = agent.parts;
  const { place, promptId } = agent.conversation;
  const transcript = openTranscript(transcriptOf(agent, sub), clock, manners.flushMs);
  const moment = (): Moment => ({ timestamp: new Date(clock.wallMs()).toISOString(), promptId, parentUuid: null });
  const add = (line: Fields): void => {
    const own = { ...line, isSidechain: true, agentId: sub.id };
    transcript.add(own);
    agent.face.wrote({ ...own, parentToolUseId: call });
  };
  add(promptLine(place, moment(), sub.prompt));
  return {
    agent,
    use,
    marks: { agent_id: sub.id, agent_type: sub.type },
    record: (result, structured) => add(resultLine(place, moment(), result, structured)),
    attach: (attachment) => add(attachmentLine(place, moment(), attachment)),
    say: (stop, block) => add(answerLine(place, moment(), { id: apiId('msg'), model: place.model, stop }, block)),
    flush: () => transcript.flush(),
  };
}

function notice(sub: Subagent, call: string, reply: string): string {
  return (
    `<task-notification>\n<task-id>${sub.id}</task-id>\n<tool-use-id>${call}</tool-use-id>\n` +
    `<status>completed</status>\n<summary>Agent "${sub.about}" finished</summary>\n<result>${reply}</result>\n` +
    '</task-notification>'
  );
}

function runningOf({ id, type, about }: Subagent): Fields {
  return { id, type: 'subagent', status: 'running', description: about, agent_type: type };
}

function transcriptOf(agent: Agent, { id }: Pick<Subagent, 'id'>): string {
  return join(agent.conversation.transcript.path.replace(/\.jsonl$/, ''), 'subagents', `agent-${id}.jsonl`);
}
