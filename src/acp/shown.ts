import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { CallStep, Step } from '../api/step.ts';
import type { TurnLine } from '../client/index.ts';
import { toolCallOf } from './tool-call.ts';

/** What an editor was shown of a conversation. Lines may come again, and every update is made once. */
export class Shown {
  readonly #workspace: string;
  /** For each step the text that was shown, or of a call what was sent. */
  readonly #steps = new Map<string, string>();
  readonly #calls = new Set<string>();
  readonly #begun = new Set<number>();
  /** The texts of the agent for each prompt; under the empty key for turns of others. */
  readonly #texts = new Map<string, string[]>();
  readonly #own = new Set<string>();
  #prompt = '';
  #last: 'text' | 'other' = 'other';
  /** The last turn that was shown. */
  turn = 1;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  /** The editor itself gave this prompt, and shows it already. */
  own(prompt: string): void {
    this.#own.add(prompt);
  }

  /** Did the editor itself give this prompt? */
  isOwn(prompt: string): boolean {
    return this.#own.has(prompt);
  }

  /** Was this call announced to the editor? From now on it was. */
  announce(call: string): boolean {
    const wasKnown = this.#calls.has(call);
    this.#calls.add(call);
    return wasKnown;
  }

  /** Was this reply to a prompt shown as a text of the agent? */
  hasSaid(prompt: string, reply: string): boolean {
    const texts = this.#texts.get(prompt) ?? this.#texts.get(this.#prompt) ?? [];
    return texts.some((text) => text.trim() === reply.trim()) || texts.join('').trim().endsWith(reply.trim());
  }

  /** The updates for a line. */
  take(line: TurnLine): SessionUpdate[] {
    this.turn = Math.max(this.turn, line.turn);
    if (line.text !== undefined) return this.#begin(line, line.text);
    if (line.index === undefined || line.step === undefined) return [];
    return this.#step(`${line.turn}.${line.index}`, line.step as unknown as Step);
  }

  #begin({ turn, prompt, continued }: TurnLine, text: string): SessionUpdate[] {
    if (this.#begun.has(turn)) return [];
    this.#begun.add(turn);
    this.#last = 'other';
    // Outlast wrote this one: it belongs to the turn before.
    if (continued) return [];
    this.#prompt = prompt ?? '';
    this.#texts.set(this.#prompt, []);
    if (text === '' || this.#own.has(this.#prompt)) return [];
    return [{ sessionUpdate: 'user_message_chunk', content: { type: 'text', text }, messageId: `${turn}` }];
  }

  #step(id: string, step: Step): SessionUpdate[] {
    switch (step.is) {
      case 'call':
        return this.#call(id, step);
      case 'text':
        return this.#text(id, step.text);
      case 'thinking':
      case 'note':
        return this.#once(id, step.text, 'agent_thought_chunk');
      case 'steering':
        return this.#once(id, step.text, 'user_message_chunk');
      case 'told':
        return [];
    }
  }

  /** A text may grow: only what is new is sent. */
  #text(id: string, text: string): SessionUpdate[] {
    const before = this.#steps.get(id) ?? '';
    if (!text.startsWith(before) || text === before) return [];
    this.#steps.set(id, text);
    const texts = this.#texts.get(this.#prompt) ?? [];
    if (before === '') texts.push(text);
    else texts[texts.length - 1] = text;
    this.#texts.set(this.#prompt, texts);
    // Editors that do not know message ids put the texts together.
    const gap = before === '' && this.#last === 'text' ? '\n\n' : '';
    this.#last = 'text';
    const content = { type: 'text', text: `${gap}${text.slice(before.length)}` } as const;
    return [{ sessionUpdate: 'agent_message_chunk', content, messageId: id }];
  }

  #once(id: string, text: string, sessionUpdate: 'agent_thought_chunk' | 'user_message_chunk'): SessionUpdate[] {
    if (this.#steps.has(id) || text === '') return [];
    this.#steps.set(id, text);
    this.#last = 'other';
    return [{ sessionUpdate, content: { type: 'text', text }, messageId: id }];
  }

  #call(id: string, step: CallStep): SessionUpdate[] {
    const key = JSON.stringify(step);
    if (this.#steps.get(id) === key) return [];
    this.#steps.set(id, key);
    this.#last = 'other';
    const call = toolCallOf(step, this.#workspace);
    if (this.announce(step.id)) return [{ sessionUpdate: 'tool_call_update', ...call }];
    return [{ sessionUpdate: 'tool_call', ...withoutNulls(call) }];
  }
}

function withoutNulls(call: ReturnType<typeof toolCallOf>) {
  const { kind, status, content, locations, ...rest } = call;
  return {
    ...rest,
    ...(kind && { kind }),
    ...(status && { status }),
    content: content ?? [],
    locations: locations ?? [],
  };
}
