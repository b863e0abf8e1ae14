// Agents that are driven by messages: over a wire that keeps them, and over one that loses them with the connection.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { ApprovalId, PromptId, Spec } from '../../src/core/session.ts';
import { conversation, type Script, server, stop } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const interrupt: Input = { type: 'interrupt', by: person('ana') };
const drop: Input = { type: 'drop', prompt: 'p1' as PromptId, by: person('ana') };
const allow: Input = { type: 'decide', approval: 'p1#1/a' as ApprovalId, allow: true, by: person('ana') };
const both = { p1: ['answered'], p2: ['answered'] } as const;
const { gate: _, ...free } = conversation;
const ungated: Spec = { ...server, conversation: { ...free, chosenBy: 'agent', id: null } };

/** It stays open, and its process is ended after two idle seconds. */
const patient: Spec = { ...server, keepOpen: true, policy: { ...server.policy, idleMsMax: 2_000 } };
const handOff: Input = { type: 'hand-off', by: person('ana') };
const handBack: Input = { type: 'hand-back', by: person('ana') };

type Told = Omit<Script, 'name' | 'spec'> & { readonly spec?: Spec };

/** Each is played over both wires. */
const TOLD: Readonly<Record<string, Told>> = {
  Calm: { ends: ['done'], tells: ['approval.asked', 'approval.decided', 'prompt.answered'], lacks: ['prompt.unsure'] },
  Ungated: { spec: ungated, ends: ['done'], lacks: ['approval.asked'] },
  Doubled: { doubled: true, ends: ['done'] },
  Crash: { trouble: 'crash', ends: ['done'] },
  CrashAfterReply: { trouble: 'crashAfterReply', ends: ['done'] },
  Orphan: { trouble: 'orphan', ends: ['done'] },
  // It is interrupted by a message first; one that does not hear that is ended.
  Hang: { lots: ['hang'], ends: ['done'], tells: ['turn.interrupting', 'prompt.delayed', 'prompt.answered'] },
  HangDeaf: { lots: ['hangDeaf'], ends: ['done'], tells: ['turn.interrupting', 'run.faulted', 'prompt.answered'] },
  SlowAccept: { acceptMs: 900, ends: ['done'] },
  SlowStart: { slowStart: true, ends: ['done'] },
  NobodyAnswers: { nobodyAnswers: true, ends: ['done'], tells: ['approval.asked', 'approval.decided'] },
  // What it says itself is evidence enough: nobody had allowed the call. What it said last may be lost with the power;
  // then what it wrote down tells, which is not in this story.
  Rushes: {
    rushes: true,
    tool: true,
    nobodyAnswers: true,
    ends: ['abandoned', 'done'],
    prompts: { p1: ['none', 'answered'] },
    tells: ['approval.asked', 'approval.breached', 'session.closing'],
    givenUp: /^breached/,
  },
  Fails: { trouble: 'fails', ends: ['failed'], prompts: { p1: ['failed'] } },
  Missing: { trouble: 'missing', ends: ['abandoned'], prompts: { p1: ['none'] } },
  LostPrompted: { trouble: 'lostPrompted', ends: ['done'] },
  Strange: { strange: true, ends: ['done'] },
  Unsent: { trouble: 'unsent', ends: ['done'] },
  // The same process is greeted once more, by the same daemon.
  Disconnected: { trouble: 'disconnected', ends: ['done'], tells: ['conversation.opened', 'prompt.answered'] },
  SlowLook: { lookMs: 20, ends: ['done'] },
  // Its process is ended when it was idle for a while; the next prompt starts another one on the same conversation.
  Dormant: {
    spec: patient,
    wishes: [
      { after: 'run.closing', ms: 500, input: p2 },
      { after: 'prompt.answered', nth: 2, input: stop },
    ],
    ends: ['stopped'],
    prompts: both,
    tells: ['prompt.answered', 'run.closing', 'run.ended', 'prompt.queued', 'run.starting', 'prompt.answered'],
    lacks: ['run.faulted'],
  },
  // A prompt comes just as its process is being ended.
  DormantLate: {
    spec: patient,
    wishes: [
      { after: 'run.closing', input: p2 },
      { after: 'prompt.answered', nth: 2, input: stop },
    ],
    ends: ['stopped'],
    prompts: both,
    tells: ['run.closing', 'prompt.queued', 'run.ended', 'run.starting', 'prompt.answered'],
    lacks: ['run.faulted'],
  },
  // Its journal is restored while it has no process.
  DormantRestored: {
    spec: patient,
    restored: 'run.closing',
    wishes: [
      { after: 'session.held', input: { type: 'resume', by: person('ana') } },
      { after: 'session.released', input: p2 },
      { after: 'prompt.answered', nth: 2, input: stop },
    ],
    ends: ['stopped'],
    prompts: both,
    tells: ['run.closing', 'session.restored', 'session.held', 'session.released', 'run.starting', 'prompt.answered'],
    lacks: ['run.faulted'],
  },
  // A sub-agent works for longer than that.
  DormantSubagent: {
    spec: patient,
    subagentMs: 3_000,
    wishes: [{ after: 'prompt.answered', ms: 3_100, input: stop }],
    ends: ['stopped'],
    tells: ['subagent.started', 'prompt.answered', 'subagent.ended'],
    lacks: ['run.closing'],
  },
  // A person has it in hand for longer than that.
  DormantNot: {
    spec: patient,
    wishes: [
      { after: 'prompt.answered', input: handOff },
      { after: 'control.taken', ms: 3_000, input: handBack },
      { after: 'control.returned', ms: 10, input: stop },
    ],
    ends: ['stopped'],
    tells: ['control.taken', 'control.returned'],
    lacks: ['run.closing'],
  },
  Queued: {
    lagMs: 30,
    workMs: 1_000,
    wishes: [{ after: 'prompt.accepted', input: p2 }],
    ends: ['done'],
    prompts: both,
    tells: ['prompt.accepted', 'prompt.answered', 'prompt.sending', 'prompt.accepted', 'prompt.answered'],
  },
  Counted: {
    counts: true,
    wishes: [{ after: 'prompt.accepted', input: p2 }],
    ends: ['done'],
    prompts: both,
    tells: ['approval.decided', 'prompt.answered', 'approval.decided', 'prompt.answered'],
  },
  Steered: {
    acceptMs: 10,
    workMs: 1_500,
    wishes: [{ after: 'prompt.accepted', ms: 1_100, input: { ...p2, now: true } }],
    ends: ['done'],
    prompts: both,
    tells: ['prompt.accepted', 'prompt.accepted', 'prompt.answered', 'prompt.answered'],
  },
  // Somebody decides between the intent to send the second prompt and its message.
  SteeredInQuestion: {
    nobodyAnswers: true,
    mayMix: true,
    wishes: [
      { after: 'approval.asked', input: { ...p2, now: true } },
      { after: 'prompt.sending', nth: 2, input: allow },
    ],
    ends: ['done'],
    prompts: both,
    tells: ['approval.asked', 'prompt.sending', 'approval.decided', 'prompt.accepted', 'prompt.answered'],
    lacks: ['prompt.unsure'],
  },
  // Somebody decides after its message: a daemon that dies over half of it is followed by one that answers first.
  SteeredThenDecided: {
    nobodyAnswers: true,
    mayMix: true,
    wishes: [
      { after: 'approval.asked', input: { ...p2, now: true } },
      { after: 'prompt.sending', nth: 2, ms: 30, input: allow },
    ],
    ends: ['done'],
    prompts: both,
    tells: ['approval.asked', 'prompt.sending', 'approval.decided', 'prompt.accepted', 'prompt.answered'],
    lacks: ['prompt.unsure'],
  },
  Interrupted: {
    nobodyAnswers: true,
    wishes: [{ after: 'approval.asked', input: interrupt }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['interrupted', 'answered'] },
    tells: ['approval.asked', 'approval.decided', 'turn.interrupting', 'prompt.interrupted'],
    lacks: ['approval.missed'],
  },
  InterruptedThenNext: {
    nobodyAnswers: true,
    wishes: [
      { after: 'approval.asked', input: interrupt },
      { after: 'turn.interrupting', input: p2 },
    ],
    ends: ['done', 'stopped'],
    prompts: { p1: ['interrupted', 'answered'], p2: ['answered', 'none'] },
    tells: ['prompt.interrupted', 'prompt.sending', 'prompt.answered'],
  },
  InterruptedAtWork: {
    workMs: 1_000,
    wishes: [{ after: 'approval.decided', ms: 200, input: interrupt }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['interrupted', 'answered'] },
    tells: ['turn.interrupting', 'prompt.interrupted'],
  },
  Dropped: {
    trouble: 'deaf',
    wishes: [
      { after: 'prompt.sending', input: p2 },
      { after: 'prompt.unsure', input: drop },
    ],
    ends: ['done', 'stopped'],
    prompts: { p1: ['dropped', 'answered', 'none'], p2: ['answered', 'dropped', 'none'] },
    tells: ['prompt.unsure', 'prompt.dropped', 'prompt.sending', 'prompt.answered'],
  },
  // Nobody can read what it writes down: what it may have got is left to a person.
  Unrecorded: { unrecorded: true, mayMix: true, ends: ['done'], lacks: ['prompt.unsure'] },
  UnrecordedCrash: { unrecorded: true, mayMix: true, trouble: 'crash', ends: ['done'] },
};

export const SERVER_STORIES: readonly Script[] = Object.entries(TOLD).flatMap(([name, told]): Script[] => [
  { spec: server, ...told, name: `stdio${name}`, wire: 'keeps' },
  { spec: server, ...told, name: `socket${name}`, wire: 'forgets' },
]);
