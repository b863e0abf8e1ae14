import type { ProbeCall } from '../seam/gate.ts';
import { asFields, asList, readObject } from '../seam/json.ts';

/**
 * The answer of a model that makes these calls one after the other, in the API of Gemini, as a stream of events; null:
 * not a request for it. A request without tools decides something else, such as who speaks next.
 */
export function geminiProbeAnswer(calls: readonly ProbeCall[], body: string): string | null {
  const request = readObject(body);
  if (asList(request?.tools).length === 0) return null;
  const parts = asList(request?.contents).flatMap((each) => asList(asFields(each)?.parts));
  const made = parts.filter((part) => asFields(asFields(part)?.functionCall) !== null).length;
  const call = calls.flatMap(callsOf)[made];
  const part = call === undefined ? { text: 'done' } : { functionCall: { ...call, id: `call_${made}` } };
  const candidates = [{ content: { role: 'model', parts: [part] }, index: 0, finishReason: 'STOP' }];
  const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
  return `data: ${JSON.stringify({ candidates, usageMetadata, modelVersion: 'probe', responseId: 'probe' })}\n\n`;
}

/**
 * Without its policy Gemini CLI asks neither about reads nor about some commands: both are tried. A read that
 * fails would not show that it was made, and there is no file yet.
 */
function callsOf({ command, about }: ProbeCall): readonly object[] {
  const shell = { name: 'run_shell_command', args: { command, description: about } };
  return about === 'reads' ? [{ name: 'list_directory', args: { dir_path: '.' } }, shell] : [shell];
}
