import type { ProbeCall } from '../seam/gate.ts';
import { asFields, asList, asText, type Fields, readObject } from '../seam/json.ts';

/** An item of a model's answer. */
type Item = Readonly<Record<string, unknown>>;

/**
 * The answer of a model that makes these calls one after the other, as a stream of events; null: not a request for it.
 * The model decides how tools are called: as functions, or in scripts that call them.
 */
export function probeAnswer(calls: readonly ProbeCall[], body: string): string | null {
  const request = readObject(body);
  const input = asList(request?.input).map((each) => asFields(each) ?? {});
  if (input.length === 0) return null;
  const made = input.filter(({ type }) => type === 'function_call' || type === 'custom_tool_call').length;
  const call = calls[made];
  const item =
    call === undefined ? doneItem(made) : isScripted(request ?? {}) ? scriptItem(call, made) : callItem(call, made);
  return streamOf(item, `resp_${made}`);
}

/** Models whose tools are called by scripts get one tool for them, and no function to run a command. */
function isScripted(request: Fields): boolean {
  return !asList(request.tools).some((tool) => asText(asFields(tool)?.name) === 'exec_command');
}

function callItem({ command }: ProbeCall, made: number): Item {
  const named = { type: 'function_call', name: 'exec_command', call_id: `call_${made}`, id: `fc_${made}` };
  return { ...named, status: 'completed', arguments: JSON.stringify({ cmd: command }) };
}

function scriptItem({ command }: ProbeCall, made: number): Item {
  const script = `const r = await tools.exec_command({ cmd: ${JSON.stringify(command)} }); text(r.output);`;
  const named = { type: 'custom_tool_call', name: 'exec', call_id: `call_${made}`, id: `ctc_${made}` };
  return { ...named, status: 'completed', input: script };
}

function doneItem(made: number): Item {
  const content = [{ type: 'output_text', text: 'done', annotations: [] }];
  return { type: 'message', role: 'assistant', id: `msg_${made}`, status: 'completed', content };
}

function streamOf(item: Item, id: string): string {
  const tokens = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const usage = { ...tokens, input_tokens_details: null, output_tokens_details: null };
  return [
    { type: 'response.created', response: { id } },
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: { id, usage } },
  ]
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}
