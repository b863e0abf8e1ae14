// Agents that are driven by messages: over a durable wire, and over one that loses messages with the connection.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { ApprovalId, PromptId, Spec } from '../../src/core/session.ts';
import { conversation, type Script, type ServerScript, server, stop } from './scripts.ts';
import { POSTPONED_SCRIPTS } from './stories-postponed.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const interrupt: Input = { type: 'interrupt', by: person('ana') };
const drop: Input = { type: 'drop', prompt: 'p1' as PromptId, by: person('ana') };
const allow: Input = { type: 'decide', approval: 'p1#1/a' as ApprovalId, allow: true, by: person('ana') };
const both = { p1: ['answered'], p2: ['answered'] } as const;
const { gate: _, ...free } = conversation;
const ungated: Spec = { ...server, conversation: { ...free, chosenBy: 'agent', id: null } };

/** The session stays open, and its process is ended after two idle seconds. */
const patient: Spec = { ...server, keepOpen: true, policy: { ...server.policy, idleMsMax: 2_000 } };
const handOff: Input = { type: 'hand-off', by: person('ana') };
const handBack: Input = { type: 'hand-back', by: person('ana') };

const slowStart: Spec = { ...server, policy: { ...server.policy, startMsMax: 10_000 } };

/** Each script is played over both wires. */
const SERVER_SCRIPTS: Readonly<Record<string, ServerScript>> = {
  Calm: {
    ends: ['done'],
    expectedEvents: ['approval.asked', 'approval.decided', 'prompt.answered'],
    forbiddenEvents: ['prompt.unsure'],
  },
  Ungated: { spec: ungated, ends: ['done'], forbiddenEvents: ['approval.asked'] },
  Doubled: { hooksReportTwice: true, ends: ['done'] },
  Crash: { glitch: 'crash', ends: ['done'] },
  CrashAfterReply: { glitch: 'crashAfterReply', ends: ['done'] },
  Orphan: { glitch: 'orphan', ends: ['done'] },
  // A hung turn gets an interrupt message first; a process that does not react is ended.
  Hang: {
    turnOutcomes: ['hang'],
    ends: ['done'],
    expectedEvents: ['turn.interrupting', 'prompt.delayed', 'prompt.answered'],
  },
  HangDeaf: {
    turnOutcomes: ['hangDeaf'],
    ends: ['done'],
    expectedEvents: ['turn.interrupting', 'run.faulted', 'prompt.answered'],
  },
  SlowAccept: { acceptMs: 900, ends: ['done'] },
  SlowStart: { slowStart: true, ends: ['done'] },
  NobodyAnswers: { nobodyAnswers: true, ends: ['done'], expectedEvents: ['approval.asked', 'approval.decided'] },
  // The agent's own report proves that it made a call that nobody allowed. A power cut may lose the last report; then
  // only the transcript proves it, which this story does not model.
  Rushes: {
    doesNotWait: true,
    tool: true,
    nobodyAnswers: true,
    ends: ['abandoned', 'done'],
    prompts: { p1: ['none', 'answered'] },
    expectedEvents: ['approval.asked', 'approval.breached', 'session.closing'],
    abandonedWith: /^breached/,
  },
  Fails: { glitch: 'fails', ends: ['failed'], prompts: { p1: ['failed'] } },
  Missing: { glitch: 'missing', ends: ['abandoned'], prompts: { p1: ['none'] } },
  LostPrompted: { glitch: 'lostPrompted', ends: ['done'] },
  Strange: { sendsUnknown: true, ends: ['done'] },
  Unsent: { glitch: 'unsent', ends: ['done'] },
  // The same daemon sends another hello to the same process.
  Disconnected: { glitch: 'disconnected', ends: ['done'], expectedEvents: ['conversation.opened', 'prompt.answered'] },
  // Dead daemons and slow looks take longer than a start usually may.
  SlowLook: { spec: slowStart, lookMs: 20, ends: ['done'] },
  // The idle process is ended; the next prompt starts another one on the same conversation.
  Dormant: {
    spec: patient,
    inputs: [
      { after: 'run.closing', ms: 500, input: p2 },
      { after: 'prompt.answered', nth: 2, input: stop },
    ],
    ends: ['stopped'],
    prompts: both,
    expectedEvents: ['prompt.answered', 'run.closing', 'run.ended', 'prompt.queued', 'run.starting', 'prompt.answered'],
    forbiddenEvents: ['run.faulted'],
  },
  // A prompt arrives while the idle process is being ended.
  DormantLate: {
    spec: patient,
    inputs: [
      { after: 'run.closing', input: p2 },
      { after: 'prompt.answered', nth: 2, input: stop },
    ],
    ends: ['stopped'],
    prompts: both,
    expectedEvents: ['run.closing', 'prompt.queued', 'run.ended', 'run.starting', 'prompt.answered'],
    forbiddenEvents: ['run.faulted'],
  },
  // The journal is restored while the session has no process.
  DormantRestored: {
    spec: patient,
    restoredAfter: 'run.closing',
    inputs: [
      { after: 'session.held', input: { type: 'resume', by: person('ana') } },
      { after: 'session.released', input: p2 },
      { after: 'prompt.answered', nth: 2, input: stop },
    ],
    ends: ['stopped'],
    prompts: both,
    expectedEvents: [
      'run.closing',
      'session.restored',
      'session.held',
      'session.released',
      'run.starting',
      'prompt.answered',
    ],
    forbiddenEvents: ['run.faulted'],
  },
  // A sub-agent works for longer than the idle timeout.
  DormantSubagent: {
    spec: patient,
    subagentMs: 3_000,
    inputs: [{ after: 'prompt.answered', ms: 3_100, input: stop }],
    ends: ['stopped'],
    expectedEvents: ['subagent.started', 'prompt.answered', 'subagent.ended'],
    forbiddenEvents: ['run.closing'],
  },
  // The session is handed off to a person for longer than the idle timeout.
  DormantNot: {
    spec: patient,
    inputs: [
      { after: 'prompt.answered', input: handOff },
      { after: 'control.taken', ms: 3_000, input: handBack },
      { after: 'control.returned', ms: 10, input: stop },
    ],
    ends: ['stopped'],
    expectedEvents: ['control.taken', 'control.returned'],
    forbiddenEvents: ['run.closing'],
  },
  Queued: {
    lagMs: 30,
    workMs: 1_000,
    inputs: [{ after: 'prompt.accepted', input: p2 }],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['prompt.accepted', 'prompt.answered', 'prompt.sending', 'prompt.accepted', 'prompt.answered'],
  },
  Counted: {
    numbersQuestions: true,
    inputs: [{ after: 'prompt.accepted', input: p2 }],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['approval.decided', 'prompt.answered', 'approval.decided', 'prompt.answered'],
  },
  Steered: {
    acceptMs: 10,
    workMs: 1_500,
    inputs: [{ after: 'prompt.accepted', ms: 1_100, input: { ...p2, now: true } }],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['prompt.accepted', 'prompt.accepted', 'prompt.answered', 'prompt.answered'],
  },
  // The decision comes between the intent to send the second prompt and its message.
  SteeredInQuestion: {
    nobodyAnswers: true,
    mayMixReplies: true,
    inputs: [
      { after: 'approval.asked', input: { ...p2, now: true } },
      { after: 'prompt.sending', nth: 2, input: allow },
    ],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['approval.asked', 'prompt.sending', 'approval.decided', 'prompt.accepted', 'prompt.answered'],
    forbiddenEvents: ['prompt.unsure'],
  },
  // The decision comes after the message. If the daemon dies with half of it written, the next one sends the decision
  // first.
  SteeredThenDecided: {
    nobodyAnswers: true,
    mayMixReplies: true,
    inputs: [
      { after: 'approval.asked', input: { ...p2, now: true } },
      { after: 'prompt.sending', nth: 2, ms: 30, input: allow },
    ],
    ends: ['done'],
    prompts: both,
    expectedEvents: ['approval.asked', 'prompt.sending', 'approval.decided', 'prompt.accepted', 'prompt.answered'],
    forbiddenEvents: ['prompt.unsure'],
  },
  Interrupted: {
    nobodyAnswers: true,
    inputs: [{ after: 'approval.asked', input: interrupt }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['interrupted', 'answered'] },
    expectedEvents: ['approval.asked', 'approval.decided', 'turn.interrupting', 'prompt.interrupted'],
    forbiddenEvents: ['approval.missed'],
  },
  InterruptedThenNext: {
    nobodyAnswers: true,
    inputs: [
      { after: 'approval.asked', input: interrupt },
      { after: 'turn.interrupting', input: p2 },
    ],
    ends: ['done', 'stopped'],
    prompts: { p1: ['interrupted', 'answered'], p2: ['answered', 'none'] },
    expectedEvents: ['prompt.interrupted', 'prompt.sending', 'prompt.answered'],
  },
  InterruptedAtWork: {
    workMs: 1_000,
    inputs: [{ after: 'approval.decided', ms: 200, input: interrupt }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['interrupted', 'answered'] },
    expectedEvents: ['turn.interrupting', 'prompt.interrupted'],
  },
  Dropped: {
    glitch: 'deaf',
    inputs: [
      { after: 'prompt.sending', input: p2 },
      { after: 'prompt.unsure', input: drop },
    ],
    ends: ['done', 'stopped'],
    prompts: { p1: ['dropped', 'answered', 'none'], p2: ['answered', 'dropped', 'none'] },
    expectedEvents: ['prompt.unsure', 'prompt.dropped', 'prompt.sending', 'prompt.answered'],
  },
  ...POSTPONED_SCRIPTS,
  // There is no transcript that can be read: a prompt that may have arrived is left to a person.
  Unrecorded: { unrecorded: true, mayMixReplies: true, ends: ['done'], forbiddenEvents: ['prompt.unsure'] },
  UnrecordedCrash: { unrecorded: true, mayMixReplies: true, glitch: 'crash', ends: ['done'] },
};

export const SERVER_STORIES: readonly Script[] = Object.entries(SERVER_SCRIPTS).flatMap(([name, script]): Script[] => [
  { spec: server, ...script, name: `stdio${name}`, wire: 'durable' },
  { spec: server, ...script, name: `socket${name}`, wire: 'lossy' },
]);
