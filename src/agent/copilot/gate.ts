import { chatProbeAnswer } from '../seam/chat-probe.ts';
import type { AskedCall, HookAnswer, HookGate, SeenCall } from '../seam/gate.ts';
import { asFields, asText, readJsonLines, readObject } from '../seam/json.ts';
import { type Event, eventsOf } from './events.ts';
import { copilotOpeners } from './gate-openers.ts';

/**
 * How Copilot asks before a tool is used: by a hook. Without a flag that allows calls, what needs permission is not
 * done unless the hook says so, also if it fails.
 */
export const copilotGate: HookGate = {
  asks: 'hooks',
  asked: askedOf,
  answer: answerText,
  seenCalls: (text) => readJsonLines(text).lines.flatMap(eventsOf).flatMap(seenIn),
  openers: copilotOpeners,
  probe: (calls) => ({
    prompt: 'Outlast checks whether your gate works.',
    answer: (body) => chatProbeAnswer(calls, body),
  }),
};

/** The call that the hook asks about. The second question has the first one and its answer, which may have an edit. */
function askedOf(payload: unknown): AskedCall | null {
  const given = asFields(payload);
  const confirms = given?.confirms === true;
  const fields = confirms ? asFields(given.asked) : given;
  const tool = asText(fields?.toolName);
  if (fields === null || tool === null) return null;
  const edit = confirms ? asFields(given.answer)?.modifiedArgs : undefined;
  const input = edit ?? inputOf(fields.toolArgs);
  // The payload does not name the call.
  return { confirms, call: null, tool, input, subagent: null, cwd: asText(fields.cwd) };
}

/** Arguments are an object, or the text of one. */
function inputOf(args: unknown): unknown {
  return (asText(args) === null ? null : readObject(String(args))) ?? args ?? null;
}

/** The answer in Copilot's format. `allow` comes first: our hook looks for it there. */
function answerText({ say, why, edit }: HookAnswer): string {
  if (say !== 'allow') return JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: why });
  const more = edit === undefined ? {} : { modifiedArgs: JSON.parse(edit) };
  return JSON.stringify({ permissionDecision: 'allow', permissionDecisionReason: why, ...more });
}

function seenIn(event: Event): SeenCall[] {
  if (event.is === 'started') return [{ call: event.id, tool: event.name, made: false, atMs: event.atMs }];
  if (event.is !== 'ended') return [];
  return [{ call: event.result.id, tool: null, made: event.isMade, atMs: event.atMs }];
}
