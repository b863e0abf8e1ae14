import type { Fact } from '../../core/fact.ts';
import type { ConversationId } from '../../core/session.ts';
import { shortened } from '../../core/shortened.ts';
import type { HookReport as Report } from '../seam/hooks.ts';
import { TEXT_CHARS_MAX, toolCalled, toolEnded } from '../seam/tool-facts.ts';
import { type HookReport, readHook } from './hooks.ts';
import { troubleOf } from './trouble.ts';

/** Longer than any real prompt. */
const PROMPT_CHARS_MAX = 2 * 1024 * 1024;

/** The reports in a hook payload. Each payload names the conversation, and the session follows it. */
export function reportsOf(payload: unknown, run: number, nowMs: number): Report[] {
  const report = readHook(payload);
  if (report === null) return [];
  return [...openedOf(report, run), ...reportOf(report, run, nowMs)];
}

function openedOf(report: HookReport, run: number): Report[] {
  const { conversation, transcript } = report;
  // The last report of an abandoned conversation is about the past; one of a sub-agent is not about our conversation.
  if (conversation === null || report.subAgent !== null || report.is === 'ended') return [];
  const source = report.is === 'started' ? report.source : 'moved';
  return [{ type: 'hook.opened', run, conversation: conversation as ConversationId, transcript, source }];
}

function reportOf(report: HookReport, run: number, nowMs: number): Report[] {
  const turnId = report.promptId;
  switch (report.is) {
    case 'prompted':
      return [{ type: 'hook.prompted', run, token: null, turnId, text: shortened(report.text, PROMPT_CHARS_MAX) }];
    case 'stopped':
      return [{ type: 'hook.stopped', run, turnId, reply: report.reply, trouble: null, more: report.background > 0 }];
    case 'stop.failed': {
      const reply = report.text === '' ? report.error : report.text;
      const trouble = troubleOf({ error: report.error, text: report.text }, nowMs);
      return [{ type: 'hook.stopped', run, turnId, reply, trouble, more: false }];
    }
    default: {
      const fact = factOf(report, run);
      return fact === null ? [] : [{ type: 'hook.noted', run, fact }];
    }
  }
}

function factOf(report: HookReport, run: number): Fact | null {
  const subagent = report.subAgent?.id ?? null;
  switch (report.is) {
    case 'tool.asked':
      return toolCalled(run, { ...report, subagent });
    case 'tool.ended':
      return toolEnded(run, { ...report, error: null });
    case 'tool.failed':
      return toolEnded(run, report);
    case 'approval.denied':
      return { type: 'tool.denied', run, tool: report.name, why: shortened(report.reason, TEXT_CHARS_MAX) };
    case 'subagent.started':
      return {
        type: 'subagent.started',
        run,
        subagent: subagent ?? 'unknown',
        kind: report.subAgent?.type ?? 'unknown',
      };
    case 'subagent.stopped':
      // A compaction reports the end of sub-agents that never began.
      return subagent === null ? null : { type: 'subagent.ended', run, subagent };
    case 'compacted':
      return { type: 'conversation.compacted', run, trigger: report.trigger };
    case 'notified':
      return { type: 'agent.noticed', run, kind: report.kind, text: shortened(report.text, TEXT_CHARS_MAX) };
    case 'ended':
      return { type: 'agent.left', run, reason: report.reason };
    default:
      return null;
  }
}
