import type { Fact } from '../../core/fact.ts';
import type { ConversationId } from '../../core/session.ts';
import { shortened } from '../../core/shortened.ts';
import type { HookReport as Report } from '../seam/hooks.ts';
import { TEXT_CHARS_MAX, toolCalled, toolEnded } from '../seam/tool-facts.ts';
import { type HookReport, readHook } from './hooks.ts';
import { troubleOf } from './trouble.ts';

/** More than any prompt has. */
const PROMPT_CHARS_MAX = 2 * 1024 * 1024;

/** What a payload of a hook says to a session. The conversation is named in each, and followed wherever it goes. */
export function reportsOf(payload: unknown, run: number, nowMs: number): Report[] {
  const news = readHook(payload);
  if (news === null) return [];
  return [...openedOf(news, run), ...reportOf(news, run, nowMs)];
}

function openedOf(news: HookReport, run: number): Report[] {
  const { conversation, transcript } = news;
  // The last word of a conversation that was left is about the past; a sub-agent's is not about ours.
  if (conversation === null || news.subAgent !== null || news.is === 'ended') return [];
  const source = news.is === 'started' ? news.source : 'moved';
  return [{ type: 'hook.opened', run, conversation: conversation as ConversationId, transcript, source }];
}

function reportOf(news: HookReport, run: number, nowMs: number): Report[] {
  const turnId = news.promptId;
  switch (news.is) {
    case 'prompted':
      return [{ type: 'hook.prompted', run, token: null, turnId, text: shortened(news.text, PROMPT_CHARS_MAX) }];
    case 'stopped':
      return [{ type: 'hook.stopped', run, turnId, reply: news.reply, trouble: null, more: news.background > 0 }];
    case 'stop.failed': {
      const reply = news.text === '' ? news.error : news.text;
      const trouble = troubleOf({ error: news.error, text: news.text }, nowMs);
      return [{ type: 'hook.stopped', run, turnId, reply, trouble, more: false }];
    }
    default: {
      const fact = factOf(news, run);
      return fact === null ? [] : [{ type: 'hook.noted', run, fact }];
    }
  }
}

function factOf(news: HookReport, run: number): Fact | null {
  const subagent = news.subAgent?.id ?? null;
  switch (news.is) {
    case 'tool.asked':
      return toolCalled(run, { ...news, subagent });
    case 'tool.ended':
      return toolEnded(run, { ...news, error: null });
    case 'tool.failed':
      return toolEnded(run, news);
    case 'approval.denied':
      return { type: 'tool.denied', run, tool: news.name, why: shortened(news.reason, TEXT_CHARS_MAX) };
    case 'subagent.started':
      return { type: 'subagent.started', run, subagent: subagent ?? 'unknown', kind: news.subAgent?.type ?? 'unknown' };
    case 'subagent.stopped':
      // A compaction reports the end of sub-agents that never began.
      return subagent === null ? null : { type: 'subagent.ended', run, subagent };
    case 'compacted':
      return { type: 'conversation.compacted', run, trigger: news.trigger };
    case 'notified':
      return { type: 'agent.noticed', run, kind: news.kind, text: shortened(news.text, TEXT_CHARS_MAX) };
    case 'ended':
      return { type: 'agent.left', run, reason: news.reason };
    default:
      return null;
  }
}
