import { chatProbeAnswer } from '../seam/chat-probe.ts';
import type { AskedCall, HookAnswer, HookGate, SeenCall } from '../seam/gate.ts';
import { asFields, asNumber, asText, type Fields, readJsonLines } from '../seam/json.ts';
import { piOpeners } from './gate-openers.ts';
import { messageOf } from './message.ts';

/** How pi asks before a tool is used: by an extension of ours, which runs the command that asks. */
export const piGate: HookGate = {
  asks: 'hooks',
  asked: askedOf,
  answer: answerText,
  seenCalls: (text) => readJsonLines(text).lines.flatMap((line) => (line.is === 'object' ? seenIn(line.fields) : [])),
  openers: piOpeners,
  probe: (calls) => ({
    prompt: 'Outlast checks whether your gate works.',
    answer: (body) => chatProbeAnswer(calls, body),
  }),
};

/** The call that our extension asks about. */
function askedOf(payload: unknown): AskedCall | null {
  const fields = asFields(payload);
  const tool = asText(fields?.tool);
  if (fields === null || tool === null) return null;
  const [call, cwd] = [asText(fields.call), asText(fields.cwd)];
  return { confirms: fields.confirms === true, call, tool, input: fields.input ?? null, subagent: null, cwd };
}

/** The answer as our extension reads it. Only `allow` lets a call through. */
function answerText({ say, why, edit }: HookAnswer): string {
  return JSON.stringify({ say, why, ...(say === 'allow' && edit !== undefined ? { edit: JSON.parse(edit) } : {}) });
}

/** A call that was blocked has an error as its result, as does a command that ran and failed. */
const RAN = /(^|\n)Command (exited with code -?\d+|timed out after|aborted)/;

/** A message in the output or in the file of a conversation. */
function seenIn({ type, message }: Fields): SeenCall[] {
  const found = type === 'message' || type === 'message_end' ? messageOf(message) : null;
  const atMs = asNumber(asFields(message)?.timestamp);
  if (found?.is === 'reply')
    return found.parts.flatMap((part) =>
      part.is === 'call' ? [{ call: part.id, tool: part.name, made: false, atMs }] : [],
    );
  if (found?.is !== 'result') return [];
  const { id, text, isError } = found.result;
  return [{ call: id, tool: null, made: !isError || RAN.test(text), atMs }];
}
