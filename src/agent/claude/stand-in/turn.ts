import { randomUUID } from 'node:crypto';
import type { Agent } from './agent.ts';
import type { Call, Used } from './caller.ts';
import { contextOf } from './context.ts';
import { deferralOf } from './deferral.ts';
import { type Failure, failureOf } from './failure.ts';
import { apiId, type Message } from './lines.ts';
import type { Step } from './story.ts';
import { mainCaller, useTools } from './use-tools.ts';

/** How a turn ended. */
export type TurnEnd =
  | { readonly is: 'done'; readonly text: string }
  | { readonly is: 'failed'; readonly failure: Failure }
  /** A hook will decide this call later: when the conversation is resumed. */
  | { readonly is: 'deferred'; readonly call: Call }
  /** By a person or a signal; `hadOutput` is true if the model had produced any output. */
  | Interrupted;

interface Interrupted {
  readonly is: 'interrupted';
  readonly during: 'answer' | 'tools';
  readonly hadOutput: boolean;
}

const STOPS_MAX = 9;
const HOUR_MS = 3_600_000;
const CUT: Interrupted = { is: 'interrupted', during: 'answer', hadOutput: false };

/** Plays a turn: the prompt, the story, the end. The signal's reason is interrupt or end. */
export async function playTurn(agent: Agent, text: string, signal: AbortSignal, isReceived = false): Promise<TurnEnd> {
  const { conversation, face } = agent;
  conversation.promptId = randomUUID();
  agent.busy();
  const received = isReceived ? null : await agent.hook('UserPromptSubmit', { prompt: text });
  if (received?.decision === 'deny')
    return { is: 'done', text: `Operation blocked by hook: ${received.reason}\n\nOriginal prompt: ${text}` };
  face.began();
  conversation.prompt(text);
  for (const context of received?.contexts ?? []) conversation.attach(contextOf(context, 'UserPromptSubmit'));
  agent.leaveChild();
  const end = await answers(agent, signal);
  conversation.rest();
  return end;
}

/** Resumes the deferred call of a turn, and continues the turn. */
export async function playDeferred(agent: Agent, call: Call, signal: AbortSignal): Promise<TurnEnd> {
  agent.conversation.promptId = randomUUID();
  agent.busy();
  agent.face.began();
  const used = endOf(agent, await useTools(mainCaller(agent), [call], signal));
  if (used !== null) return used.is === 'interrupted' ? interrupted(agent, signal, used) : used;
  agent.conversation.note('Continue from where you left off.', { isMeta: true });
  const end = await answers(agent, signal);
  agent.conversation.rest();
  return end;
}

async function answers(agent: Agent, signal: AbortSignal): Promise<TurnEnd> {
  let hadOutput = false;
  for (let stops = 0; ; ) {
    const { step } = agent.conversation.cue();
    const end = await play(agent, step, signal);
    if (end?.is === 'interrupted') return interrupted(agent, signal, { ...end, hadOutput: hadOutput || end.hadOutput });
    if (end?.is === 'failed' || end?.is === 'deferred') return end;
    hadOutput = true;
    if (end === null) {
      await agent.background.settled();
      for (const prompt of agent.queue.splice(0)) agent.conversation.steer(prompt);
      continue;
    }
    const stop = await agent.hook('Stop', {
      stop_hook_active: stops > 0,
      last_assistant_message: end.text.trim(),
      background_tasks: agent.background.running,
      session_crons: [],
    });
    if (stop.decision !== 'deny' || stops >= STOPS_MAX) return end;
    stops += 1;
    agent.conversation.note(`Stop hook feedback:\n- ${stop.reason}`);
  }
}

/** Plays one step. Null: the turn continues. */
async function play(agent: Agent, step: Step, signal: AbortSignal): Promise<TurnEnd | null> {
  await agent.parts.clock.sleep(step.delayMs, signal);
  if (signal.aborted) return CUT;
  switch (step.is) {
    case 'text':
      return say(agent, step, signal);
    case 'tools':
      return callTools(agent, step, signal);
    case 'status':
      return fail(agent, failureOf(step));
    case 'exit':
      return process.exit(step.status);
    case 'kill':
      process.kill(process.pid, step.signal);
      return hang(agent, signal);
    case 'hang':
      return hang(agent, signal);
  }
}

async function hang(agent: Agent, signal: AbortSignal): Promise<TurnEnd> {
  while (!signal.aborted) await agent.parts.clock.sleep(HOUR_MS, signal);
  return CUT;
}

async function say(agent: Agent, step: Step & { is: 'text' }, signal: AbortSignal): Promise<TurnEnd> {
  const { conversation, face, parts } = agent;
  const message = think(agent, step, 'end_turn');
  let said = '';
  for (const piece of step.paceMs > 0 ? step.text.split(/(?<=\s)/) : []) {
    said += piece;
    face.streaming(said);
    await parts.clock.sleep(step.paceMs, signal);
    if (!signal.aborted) continue;
    // A signal to end loses a partial message; an interruption keeps it.
    if (signal.reason === 'interrupt') conversation.answer({ ...message, stop: null }, { type: 'text', text: said });
    return { ...CUT, hadOutput: true };
  }
  conversation.answer(message, { type: 'text', text: step.text });
  return { is: 'done', text: step.text };
}

async function callTools(agent: Agent, step: Step & { is: 'tools' }, signal: AbortSignal): Promise<TurnEnd | null> {
  const { conversation } = agent;
  const message = think(agent, step, 'tool_use');
  if (step.say !== null) conversation.answer(message, { type: 'text', text: step.say });
  const calls: Call[] = step.tools.map(({ tool, input }) => ({ id: apiId('toolu'), tool, input }));
  for (const { id, tool, input } of calls) conversation.answer(message, { type: 'tool_use', id, name: tool, input });
  const end = endOf(agent, await useTools(mainCaller(agent), calls, signal));
  if (end !== null) return end;
  const done = calls.map(({ id, tool, input }) => ({ tool_name: tool, tool_input: input, tool_use_id: id }));
  await agent.hook('PostToolBatch', { tool_calls: done });
  return null;
}

/** What the results of the calls mean for the turn. */
function endOf(agent: Agent, used: Used): TurnEnd | null {
  if (used.is === 'went on') return null;
  if (used.is === 'stopped') return { is: 'interrupted', during: 'tools', hadOutput: true };
  agent.conversation.attach(deferralOf(agent, used.call));
  return used;
}

function think(agent: Agent, step: Step, stop: string): Message {
  const message = { id: apiId('msg'), model: agent.parts.options.model, stop };
  if (step.think !== null)
    agent.conversation.answer(message, { type: 'thinking', thinking: step.think, signature: 'scripted' });
  return message;
}

async function fail(agent: Agent, failure: Failure): Promise<TurnEnd> {
  agent.face.failed(failure);
  agent.conversation.fail(failure);
  await agent.hook('StopFailure', { error: failure.error, last_assistant_message: failure.text }, failure.error);
  return { is: 'failed', failure };
}

/** In the full screen a prompt without any answer goes back into the box, and no interruption is recorded. */
function interrupted(agent: Agent, signal: AbortSignal, end: Interrupted): TurnEnd {
  if (signal.reason === 'end') return end;
  const isMarked = end.hadOutput || agent.parts.options.print;
  if (end.during === 'tools') agent.conversation.note('[Request interrupted by user for tool use]');
  else if (isMarked) agent.conversation.note('[Request interrupted by user]');
  return end;
}
