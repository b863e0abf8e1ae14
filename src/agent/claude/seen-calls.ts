import type { SeenCall } from '../seam/gate.ts';
import { asFields, asList, asText, type Fields, readJsonLines } from '../seam/json.ts';

/**
 * A call that was denied, that failed validation, or that ran and failed has an error as its result. The texts of the
 * first two are many and change; a program that ran and failed has an exit status.
 */
const RAN = /^\s*(Exit code -?\d+|Command timed out|Command was aborted)/;

/** The tool calls in lines of a transcript or a stream, also of sub-agents: requests of the model, and results. */
export function seenCalls(text: string): SeenCall[] {
  return readJsonLines(text).lines.flatMap((line) => (line.is === 'object' ? callsIn(line.fields) : []));
}

function callsIn(record: Fields): SeenCall[] {
  const atMs = Date.parse(asText(record.timestamp) ?? '');
  const at = { atMs: Number.isNaN(atMs) ? null : atMs };
  return asList(asFields(record.message)?.content).flatMap((value): SeenCall[] => {
    const block = asFields(value);
    const [named, answered] = [asText(block?.id), asText(block?.tool_use_id)];
    if (block?.type === 'tool_use' && named !== null) {
      return [{ call: named, tool: asText(block.name) ?? 'unknown', made: false, ...at }];
    }
    if (block?.type !== 'tool_result' || answered === null) return [];
    const isMade = block.is_error !== true || RAN.test(textOf(block.content));
    return [{ call: answered, tool: null, made: isMade, ...at }];
  });
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return asList(content)
    .map((part) => asText(asFields(part)?.text) ?? '')
    .join('\n');
}
