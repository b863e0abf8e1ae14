// Agents that are driven by messages and wait less long than the person who decides.
import type { Input } from '../../src/core/event.ts';
import type { PromptId } from '../../src/core/session.ts';
import { type ServerScript, stop } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const both = { p1: ['answered'], p2: ['answered'] } as const;

/** Played over both wires. */
export const POSTPONED_SCRIPTS: Readonly<Record<string, ServerScript>> = {
  Postponed: {
    postpones: { decide: 'over' },
    tool: true,
    ends: ['done'],
    expectedEvents: [
      ...(['approval.asked', 'approval.postponed', 'prompt.answered', 'approval.decided', 'prompt.queued'] as const),
      ...(['prompt.accepted', 'tool.called', 'approval.repeated', 'tool.ended', 'prompt.answered'] as const),
    ],
    forbiddenEvents: ['approval.missed', 'approval.breached'],
  },
  PostponedDuring: {
    postpones: { decide: 'during' },
    workMs: 1_000,
    ends: ['done'],
    expectedEvents: [
      'approval.postponed',
      'approval.decided',
      'prompt.answered',
      'approval.repeated',
      'prompt.answered',
    ],
  },
  PostponedDenied: {
    postpones: { decide: 'over', allow: false },
    ends: ['done'],
    expectedEvents: ['approval.postponed', 'prompt.answered', 'approval.decided', 'prompt.accepted', 'prompt.answered'],
    forbiddenEvents: ['approval.repeated'],
  },
  PostponedDoubled: { postpones: { decide: 'over' }, hooksReportTwice: true, ends: ['done'] },
  PostponedCrash: { postpones: { decide: 'over' }, glitch: 'crash', ends: ['done'] },
  PostponedHang: { postpones: { decide: 'over' }, turnOutcomes: ['answer', 'hangDeaf'], ends: ['done'] },
  // The agent makes the call again by itself before it is decided.
  PostponedAgain: {
    postpones: { decide: 'again' },
    inputs: [{ after: 'approval.postponed', input: p2 }],
    ends: ['done'],
    prompts: both,
    expectedEvents: [
      'approval.postponed',
      'prompt.answered',
      'approval.repeated',
      'approval.decided',
      'prompt.answered',
    ],
  },
  // The agent makes the call again by itself after it was allowed: it is not told.
  PostponedOvertaken: {
    postpones: { decide: 'during' },
    workMs: 1_000,
    inputs: [{ after: 'approval.asked', input: p2 }],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['approval.decided', 'prompt.answered', 'approval.repeated', 'prompt.dropped', 'prompt.answered'],
  },
  // A yes is not kept for later turns.
  PostponedIgnored: {
    postpones: { decide: 'over', ignores: true },
    inputs: [{ after: 'approval.decided', input: p2 }],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['approval.decided', 'prompt.answered', 'approval.asked', 'prompt.answered', 'approval.decided'],
    forbiddenEvents: ['approval.repeated'],
  },
  PostponedStopped: {
    postpones: { decide: 'again' },
    inputs: [{ after: 'prompt.answered', ms: 50, input: stop }],
    ends: ['stopped'],
    expectedEvents: ['approval.postponed', 'prompt.answered', 'approval.missed', 'session.closing'],
    forbiddenEvents: ['approval.decided'],
  },
};
