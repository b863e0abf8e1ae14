import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Agent } from './agent.ts';
import { type Fields, textOf } from './json.ts';
import { answerLine, apiId, promptLine } from './lines.ts';
import { cueFor, FRESH, type Step } from './story.ts';
import type { ToolEnd } from './tools.ts';
import { openTranscript } from './transcript.ts';

interface Subagent {
  readonly id: string;
  readonly type: string;
  readonly about: string;
  readonly prompt: string;
}

/** Starts a sub-agent. It says one text; its end begins another turn, as everything in the background does. */
export async function launchSubagent(agent: Agent, call: { id: string; input: Fields }): Promise<ToolEnd> {
  const sub: Subagent = {
    id: `a${randomBytes(8).toString('hex')}`,
    type: textOf(call.input.subagent_type) ?? 'general-purpose',
    about: textOf(call.input.description) ?? '',
    prompt: textOf(call.input.prompt) ?? '',
  };
  await agent.hook('SubagentStart', { agent_id: sub.id, agent_type: sub.type }, sub.type);
  const { step } = cueFor([{ text: sub.prompt, answers: 0 }], FRESH);
  const after = (): void => agent.background.add(runningOf(sub), live(agent, sub, step, call.id), step.delayMs === 0);
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

/** A spurious SubagentStop, as the real one sends two of while it compacts. */
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

async function live(agent: Agent, sub: Subagent, step: Step, call: string): Promise<string> {
  const { clock, manners } = agent.parts;
  await clock.sleep(step.delayMs);
  const reply = step.is === 'text' ? step.text : 'done';
  const transcript = openTranscript(transcriptOf(agent, sub), clock, manners.flushMs);
  const { place, promptId } = agent.conversation;
  const moment = { timestamp: new Date(clock.wallMs()).toISOString(), promptId, parentUuid: null };
  const side = { isSidechain: true, agentId: sub.id };
  const message = { id: apiId('msg'), model: place.model, stop: 'end_turn' };
  transcript.add({ ...promptLine(place, moment, sub.prompt), ...side });
  transcript.add({ ...answerLine(place, moment, message, { type: 'text', text: reply }), ...side });
  await stopHook(agent, sub, reply);
  transcript.flush();
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
