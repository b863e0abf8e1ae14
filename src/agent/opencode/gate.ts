import { chatProbeAnswer } from '../seam/chat-probe.ts';
import type { ProtocolGate, SeenCall } from '../seam/gate.ts';
import { asFields, asNumber, asText, type Fields, readJsonLines } from '../seam/json.ts';
import { opencodeOpeners } from './gate-openers.ts';
import { isInvalid } from './rows.ts';

/** How OpenCode asks before a tool is used: in events of its server. */
export const opencodeGate: ProtocolGate = {
  asks: 'protocol',
  seenCalls: (text) => readJsonLines(text).lines.flatMap((line) => (line.is === 'object' ? seenIn(line.fields) : [])),
  openers: opencodeOpeners,
  wrongAnswers: { garbage: (yes) => ({ ...yes, body: { reply: 'perhaps' } }) },
  probe: (calls) => ({
    prompt: 'Outlast checks whether your gate works.',
    answer: (body) => chatProbeAnswer(calls, body),
  }),
};

/** A row of its database. A call that was rejected ends with an error, as does one that cannot be made. */
function seenIn({ table, data }: Fields): SeenCall[] {
  const part = table === 'part' ? asFields(data) : null;
  const call = part?.type === 'tool' ? asText(part.callID) : null;
  if (call === null) return [];
  const state = asFields(part?.state) ?? {};
  const atMs = asNumber(asFields(state.time)?.start);
  const tool = asText(part?.tool) ?? 'unknown';
  return [{ call, tool, made: state.status === 'completed' && !isInvalid(tool), atMs }];
}
