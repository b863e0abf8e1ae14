import type { ProtocolGate, SeenCall } from '../seam/gate.ts';
import { asNumber, asText, type Fields, readJsonLines } from '../seam/json.ts';

/** How echo asks before a tool is used: in a message, as a server. Its turns and its screen ask nobody. */
export const echoGate: ProtocolGate = {
  asks: 'protocol',
  seenCalls: (text) => readJsonLines(text).lines.flatMap((line) => (line.is === 'object' ? seenIn(line.fields) : [])),
  probe: (calls) => ({ prompt: calls.map(({ command }) => `run ${command}`).join('\n') }),
};

/** Echo writes nothing down about a call that was denied: whatever has a result was made. */
function seenIn({ type, call, tool, atMs }: Fields): SeenCall[] {
  const [id, name] = [asText(call), asText(tool)];
  const at = { atMs: asNumber(atMs) };
  if (id === null) return [];
  if (type === 'call') return [{ call: id, tool: name ?? 'unknown', made: false, ...at }];
  return type === 'result' ? [{ call: id, tool: null, made: true, ...at }] : [];
}
