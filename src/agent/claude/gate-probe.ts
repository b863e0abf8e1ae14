import type { ProbeCall } from '../seam/gate.ts';
import { asFields, asList, type Fields, readObject } from '../seam/json.ts';

/** The tool that runs commands. */
const TOOL = 'Bash';

/** A prompt that makes the scripted agent do these calls. A real agent gets them from the scripted model instead. */
export function probePrompt(calls: readonly ProbeCall[]): string {
  const steps = [...calls.map((call) => ({ tool: TOOL, input: inputOf(call) })), { text: 'done' }];
  return `Outlast checks whether your gate works. Make these calls: SCRIPT${JSON.stringify({ steps })}SCRIPT`;
}

function inputOf({ command, about }: ProbeCall): Readonly<Record<string, string>> {
  return { command, description: about };
}

/**
 * The answer of a model that makes these calls one after the other, as a stream of events; null: not a request for it.
 */
export function probeAnswer(calls: readonly ProbeCall[], body: string): string | null {
  const request = readObject(body);
  const messages = asList(request?.messages).flatMap((each): Fields[] => {
    const fields = asFields(each);
    return fields === null ? [] : [fields];
  });
  if (messages.length === 0) return null;
  const made = messages.filter(({ role, content }) => role === 'assistant' && hasCall(content)).length;
  // A request without tools is for a title or the like.
  const call = asList(request?.tools).length === 0 ? undefined : calls[made];
  return streamOf(call, made, String(request?.model ?? 'trial'));
}

function hasCall(content: unknown): boolean {
  return asList(content).some((block) => asFields(block)?.type === 'tool_use');
}

function streamOf(call: ProbeCall | undefined, made: number, model: string): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const id = `msg_trial${made}`;
  const message = { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage };
  const [block, delta] =
    call === undefined
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: 'done' },
        ]
      : [
          { type: 'tool_use', id: `toolu_trial${made}`, name: TOOL, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(inputOf(call)) },
        ];
  const stop = { stop_reason: call === undefined ? 'end_turn' : 'tool_use', stop_sequence: null };
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage },
    { type: 'message_stop' },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}
