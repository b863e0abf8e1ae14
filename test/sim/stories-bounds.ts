// Turns that hang, agents that crash repeatedly, and the bounds at which a session is abandoned.
import { person } from '../../src/core/actor.ts';
import type { Input } from '../../src/core/event.ts';
import type { PromptId, Spec } from '../../src/core/session.ts';
import { command, live, policy, type Script, turns } from './scripts.ts';

const p2: Input = { type: 'prompt', prompt: 'p2' as PromptId, text: 'And the docs' };
const bounded = (spec: Spec, more: Partial<Spec['policy']>): Spec => ({ ...spec, policy: { ...policy, ...more } });
const interrupted = ['turn.interrupting', 'prompt.delayed', 'prompt.sending', 'prompt.answered'] as const;
const ended = ['turn.interrupting', 'run.faulted', 'run.starting', 'prompt.sending', 'prompt.answered'] as const;
const killed = ['run.faulted', 'prompt.sending', 'run.starting', 'prompt.answered'] as const;

const HANGS: readonly Script[] = [
  {
    name: 'liveHangEscaped',
    spec: live,
    tool: true,
    turnOutcomes: ['hang'],
    ends: ['done'],
    expectedEvents: interrupted,
    promptPatterns: { 'p1#2': /Bash/ },
  },
  { name: 'liveHangMute', spec: live, turnOutcomes: ['hangMute'], ends: ['done'], expectedEvents: interrupted },
  {
    name: 'liveHangDeaf',
    spec: live,
    tool: true,
    turnOutcomes: ['hangDeaf'],
    ends: ['done'],
    expectedEvents: ended,
    promptPatterns: { 'p1#2': /Bash/ },
  },
  { name: 'liveHangPinging', spec: live, turnOutcomes: ['hangPinging'], ends: ['done'], expectedEvents: interrupted },
  {
    name: 'liveHangAgain',
    spec: live,
    turnOutcomes: ['hang', 'hang'],
    ends: ['done'],
    expectedEvents: [...interrupted.slice(0, 3), ...ended.slice(1)],
  },
  {
    name: 'liveHangForever',
    spec: bounded(live, { resumesMax: 2 }),
    turnOutcomes: ['hang'],
    forever: true,
    ends: ['abandoned'],
    prompts: { p1: ['none'] },
    abandonedWith: /^stalled .*2 times/,
  },
  { name: 'turnsHangStream', spec: turns, turnOutcomes: ['hang'], ends: ['done'], expectedEvents: killed },
  { name: 'turnsHangMute', spec: turns, turnOutcomes: ['hangMute'], ends: ['done'], expectedEvents: killed },
  // A person interrupts a turn that hangs.
  {
    name: 'liveHangInterrupted',
    spec: live,
    turnOutcomes: ['hangDeaf'],
    inputs: [{ after: 'prompt.accepted', ms: 5_500, input: { type: 'interrupt', by: person('ana') } }],
    ends: ['stopped', 'done'],
    prompts: { p1: ['interrupted', 'answered'] },
    expectedEvents: ['turn.interrupting', 'turn.interrupting', 'prompt.interrupted', 'run.faulted'],
  },
  // Silence is not a hang while a tool runs or a process uses the CPU.
  { name: 'liveQuietTool', spec: bounded(live, { toolMsMax: 20_000 }), tool: true, workMs: 12_000, ends: ['done'] },
  { name: 'turnsQuietTool', spec: bounded(turns, { toolMsMax: 20_000 }), tool: true, workMs: 12_000, ends: ['done'] },
  { name: 'liveComputes', spec: live, computing: true, workMs: 12_000, ends: ['done'] },
  { name: 'turnsComputes', spec: turns, computing: true, workMs: 12_000, ends: ['done'] },
];

const dueMs = 8_000;
const late = (spec: Spec): Spec => bounded(spec, { deadlineMsMax: dueMs, thinkMsMax: 60_000 });
const overdue = { ends: ['abandoned'], prompts: { p1: ['none'] }, abandonedWith: /^deadline/ } as const;
const DEADLINES: readonly Script[] = [
  { name: 'liveDeadline', spec: late(live), workMs: 50_000, ...overdue },
  { name: 'turnsDeadline', spec: late(turns), workMs: 50_000, ...overdue },
  { name: 'liveDeadlineIdle', spec: { ...late(live), keepOpen: true }, ...overdue, prompts: { p1: ['answered'] } },
  { name: 'turnsDeadlineIdle', spec: { ...late(turns), keepOpen: true }, ...overdue, prompts: { p1: ['answered'] } },
  { name: 'liveDeadlineHeld', spec: late(live), turnOutcomes: ['billing'], ...overdue },
  { name: 'turnsDeadlineLimited', spec: late(turns), turnOutcomes: [{ limitedMs: 90_000 }], ends: ['done'] },
  {
    name: 'turnsDeadlineRecovering',
    spec: bounded(turns, { deadlineMsMax: dueMs, backoffMsMin: 20_000, backoffMsMax: 20_000 }),
    turnOutcomes: ['crash'],
    ...overdue,
    expectedEvents: ['run.faulted', 'session.closing'],
  },
  {
    name: 'liveDeadlineHandedOff',
    spec: late(live),
    workMs: 50_000,
    inputs: [
      { after: 'prompt.accepted', input: { type: 'hand-off', by: person('ana') } },
      { after: 'control.taken', ms: 2 * dueMs, input: { type: 'hand-back', by: person('ana') } },
    ],
    ...overdue,
    expectedEvents: ['control.taken', 'control.returned', 'session.closing'],
  },
];

const crashing = { turnOutcomes: ['crash'], forever: true, ends: ['abandoned'], prompts: { p1: ['none'] } } as const;
const CAPS: readonly Script[] = [
  { name: 'liveCrashForever', spec: bounded(live, { resumesMax: 3 }), ...crashing, abandonedWith: /^exited .*3 times/ },
  {
    name: 'turnsCrashForever',
    spec: bounded(turns, { resumesMax: 3 }),
    ...crashing,
    abandonedWith: /^exited .*3 times/,
  },
  ...[live, turns].map(
    (spec): Script => ({
      name: `${spec.drive}CrashCounted`,
      spec: bounded(spec, { resumesMax: 1 }),
      ...crashing,
      usesTokens: true,
      expectedEvents: ['run.faulted', 'session.closing', 'usage.counted', 'session.ended'],
    }),
  ),
  {
    name: 'turnsCrashOften',
    spec: bounded(turns, { resumesWindowMax: 2, resumesWindowMs: 60_000 }),
    ...crashing,
    abandonedWith: /^exited .*2 times within a/,
  },
  {
    name: 'liveCrashSeldom',
    spec: bounded(live, { resumesWindowMax: 2, resumesWindowMs: 4_000 }),
    workMs: 3_000,
    turnOutcomes: ['crash', 'crash', 'crash'],
    ends: ['done'],
  },
  // A finished turn resets the backoff, not the number of resumes.
  {
    name: 'liveCrashTwice',
    spec: bounded(live, { resumesMax: 1 }),
    turnOutcomes: ['crash', 'answer', 'crash'],
    inputs: [{ after: 'prompt.accepted', input: p2 }],
    ends: ['abandoned', 'done'],
    prompts: { p1: ['answered', 'none'], p2: ['none', 'answered'] },
    abandonedWith: /^exited .*resumed once/,
  },
  {
    name: 'turnsCrashApart',
    spec: turns,
    turnOutcomes: ['crash', 'crash', 'answer', 'crash'],
    inputs: [{ after: 'prompt.accepted', input: p2 }],
    ends: ['done'],
    prompts: { p1: ['answered'], p2: ['answered'] },
  },
  // Faults of the host do not count toward the limits.
  ...[live, turns].map(
    (spec): Script => ({
      name: `${spec.drive}CutOften`,
      spec: bounded(spec, { resumesMax: 1, resumesWindowMax: 1, resumesWindowMs: 600_000 }),
      turnOutcomes: ['cut', 'cut', 'crash', 'cut'],
      ends: ['done'],
    }),
  ),
  ...[live, turns].map(
    (spec): Script => ({
      name: `${spec.drive}Planned`,
      spec: bounded(spec, { resumesMax: 1, resumesWindowMax: 1, resumesWindowMs: 600_000 }),
      planned: true,
      turnOutcomes: ['crash', 'crash', 'crash'],
      ends: ['done'],
    }),
  ),
  ...[live, turns].map(
    (spec): Script => ({
      name: `${spec.drive}Host`,
      spec,
      hostResumes: 20,
      turnOutcomes: ['crash'],
      inputs: [{ after: 'session.held', ms: 1_000, input: { type: 'resume', by: person('ana') } }],
      ends: ['done'],
      expectedEvents: ['run.faulted', 'session.held', 'session.released', 'run.starting', 'prompt.answered'],
    }),
  ),
];

const memory: Input = { type: 'memory', run: 1, bytes: 1e9 };
const large = { inputs: [{ after: 'approval.asked', input: memory }] } as const;
const MEMORY: readonly Script[] = [
  { name: 'execOom', spec: command, oom: true, ends: ['abandoned'], abandonedWith: /memory/ },
  ...[live, turns].map(
    (spec): Script => ({
      name: `${spec.drive}Oom`,
      spec,
      oom: true,
      turnOutcomes: ['crash'],
      ends: ['done'],
      expectedEvents: ['run.faulted', 'run.starting', 'prompt.answered'],
    }),
  ),
  {
    name: 'liveMemory',
    spec: live,
    ...large,
    ends: ['done'],
    expectedEvents: ['run.faulted', 'run.starting', 'prompt.answered'],
  },
  {
    name: 'turnsMemory',
    spec: turns,
    ...large,
    ends: ['done'],
    expectedEvents: ['run.faulted', 'run.starting', 'prompt.answered'],
  },
  {
    name: 'liveMemoryUnwanted',
    spec: live,
    inputs: [
      { after: 'approval.asked', input: { type: 'interrupt', by: person('ana') } },
      { after: 'approval.asked', input: memory },
    ],
    ends: ['stopped', 'done'],
    prompts: { p1: ['interrupted', 'answered'] },
  },
  {
    name: 'execMemory',
    spec: command,
    runsForever: true,
    leavesChild: true,
    inputs: [{ after: 'run.opened', input: memory }],
    ends: ['abandoned'],
  },
];

export const BOUND_STORIES: readonly Script[] = [...HANGS, ...DEADLINES, ...CAPS, ...MEMORY];
