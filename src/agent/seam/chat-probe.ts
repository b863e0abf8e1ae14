import type { ProbeCall } from './gate.ts';
import { asFields, asList, readObject } from './json.ts';

/**
 * The answer of a model that makes these calls one after the other, in the Chat Completions API, as a stream of events;
 * null: not a request for it. A request without tools is for a title. `shell`: the name of the tool that runs commands.
 */
export function chatProbeAnswer(calls: readonly ProbeCall[], body: string, shell = 'bash'): string | null {
  const request = readObject(body);
  const messages = asList(request?.messages).map((each) => asFields(each) ?? {});
  if (messages.length === 0) return null;
  const isMain = asList(request?.tools).length > 0;
  const made = messages.reduce((sum, { tool_calls: list }) => sum + asList(list).length, 0);
  const call = isMain ? calls[made] : undefined;
  const head = { id: `chatcmpl-${made}`, object: 'chat.completion.chunk', created: 0, model: 'probe' };
  const delta = call === undefined ? { role: 'assistant', content: 'done' } : callDelta(call, made, shell);
  const end = call === undefined ? 'stop' : 'tool_calls';
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  return [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: end }], usage },
  ]
    .map((event) => `data: ${JSON.stringify(event)}\n\n`)
    .join('');
}

function callDelta({ command, about }: ProbeCall, made: number, shell: string): object {
  const input = { command, description: about };
  const call = { name: shell, arguments: JSON.stringify(input) };
  return { role: 'assistant', tool_calls: [{ index: 0, id: `call_${made}`, type: 'function', function: call }] };
}
