import type { ProtocolGate, SeenCall } from '../seam/gate.ts';
import { asFields, asText, type Fields, readJsonLines } from '../seam/json.ts';
import { rpcWrongAnswers } from '../seam/wrong-answers.ts';
import { codexOpeners } from './gate-openers.ts';
import { probeAnswer } from './gate-probe.ts';

/** The items of a rollout that are tool calls which Codex asks about. */
const CALLS: Readonly<Record<string, string>> = {
  CommandExecution: 'shell',
  FileChange: 'apply_patch',
  McpToolCall: 'mcp',
};

/** How Codex asks before a tool is used: in requests of its server. Its hooks fail open, so nothing depends on them. */
export const codexGate: ProtocolGate = {
  asks: 'protocol',
  seenCalls: (text) => readJsonLines(text).lines.flatMap((line) => (line.is === 'object' ? seenIn(line.fields) : [])),
  openers: codexOpeners,
  wrongAnswers: rpcWrongAnswers({ decision: 'perhaps' }),
  probe: (calls) => ({
    prompt: 'Outlast checks whether your gate works.',
    answer: (body) => probeAnswer(calls, body),
  }),
};

/** Codex records a call as an item when it has ended. A declined command has no item, a declined patch says so. */
function seenIn({ type, payload, timestamp }: Fields): SeenCall[] {
  const event = type === 'event_msg' ? asFields(payload) : null;
  const item = event?.type === 'item_completed' ? asFields(event.item) : null;
  const [kind, call] = [asText(item?.type), asText(item?.id)];
  if (kind === null || call === null || !Object.hasOwn(CALLS, kind)) return [];
  const atMs = Date.parse(asText(timestamp) ?? '');
  const made = item?.status !== 'declined';
  return [{ call, tool: CALLS[kind] ?? null, made, atMs: Number.isNaN(atMs) ? null : atMs }];
}
