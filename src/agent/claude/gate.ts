import type { AskedCall, HookAnswer, HookGate } from '../seam/gate.ts';
import { probeAnswer, probePrompt } from './gate-probe.ts';
import { readHook } from './hooks.ts';
import { seenCalls } from './seen-calls.ts';

/** How Claude Code asks before a tool is used: by a hook, and once more where it would ask a person. */
export const claudeGate: HookGate = {
  asks: 'hooks',
  asked: askedOf,
  answer: answerText,
  seenCalls,
  probe: (calls) => ({ prompt: probePrompt(calls), answer: (body) => probeAnswer(calls, body) }),
};

/** The call that a hook asks about: before a tool is used, and once more where the agent would ask a person. */
export function askedOf(payload: unknown): AskedCall | null {
  const news = readHook(payload);
  if (news === null || (news.is !== 'tool.asked' && news.is !== 'approval.asked') || news.name === 'unknown')
    return null;
  const { id: call, name: tool, input, cwd } = news;
  return { confirms: news.is === 'approval.asked', call, tool, input, subagent: news.subAgent?.id ?? null, cwd };
}

/** The answer as Claude Code wants it. Without the name of the event it would not count. */
export function answerText({ say, why, edit, confirms = false }: HookAnswer): string {
  if (confirms) {
    const decision = say === 'allow' ? { behavior: 'allow' } : { behavior: 'deny', message: why };
    return JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } });
  }
  return JSON.stringify({
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: say,
      permissionDecisionReason: why,
      ...(say === 'allow' && edit !== undefined ? { updatedInput: JSON.parse(edit) } : {}),
    },
  });
}
