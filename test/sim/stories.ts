// Commands, and agents that get one prompt. Below: all stories by family.
import { command, live, type Script, stop, turns } from './scripts.ts';
import { BOUND_STORIES } from './stories-bounds.ts';
import { DEFERRED_STORIES } from './stories-deferred.ts';
import { FOLDER_STORIES } from './stories-folder.ts';
import { HELD_OR_LIMITED_STORIES } from './stories-held-or-limited.ts';
import { IN_TURN_UPDATE_STORIES } from './stories-in-turn-update.ts';
import { INGEST_STORIES } from './stories-ingest.ts';
import { MISSING_STORIES } from './stories-missing.ts';
import { PERSON_STORIES } from './stories-person.ts';
import { PROMPT_STORIES } from './stories-prompt.ts';
import { REMEDY_STORIES } from './stories-remedy.ts';
import { RESTORED_STORIES } from './stories-restored.ts';
import { SCREEN_STORIES } from './stories-screen.ts';
import { SEARCH_STORIES } from './stories-search.ts';
import { SERVER_STORIES } from './stories-server.ts';
import { SWITCH_STORIES } from './stories-switch.ts';
import { TERMINAL_STORIES } from './stories-terminal.ts';
import { TROUBLE_STORIES } from './stories-trouble.ts';
import { UPDATE_STORIES } from './stories-update.ts';
import { WRITER_STORIES } from './stories-writer.ts';

const COMMANDS: readonly Script[] = [
  { name: 'exec', spec: command, ends: ['done'] },
  { name: 'execQueued', spec: command, queued: true, ends: ['done'] },
  {
    name: 'execSilent',
    spec: { ...command, policy: { ...command.policy, quietMsMax: 60 } },
    runsForever: true,
    leavesChild: true,
    ends: ['stopped'],
  },
  { name: 'execLeaves', spec: command, leavesChild: true, ends: ['done'] },
  { name: 'execLost', spec: command, glitch: 'crash', leavesChild: true, ends: ['abandoned'] },
  { name: 'execCut', spec: command, glitch: 'cut', ends: ['done'] },
  { name: 'execStopAtOnce', spec: command, runsForever: true, inputs: [{ atMs: 0, input: stop }], ends: ['stopped'] },
  {
    name: 'execStop',
    spec: command,
    runsForever: true,
    leavesChild: true,
    inputs: [{ atMs: 2, input: stop }],
    ends: ['stopped'],
  },
  { name: 'execStopLater', spec: command, runsForever: true, inputs: [{ atMs: 30, input: stop }], ends: ['stopped'] },
  {
    name: 'execTimeout',
    spec: { ...command, policy: { ...command.policy, runMsMax: 90 } },
    runsForever: true,
    ends: ['stopped'],
  },
];

const CRASH_AFTER_TOOL = {
  tool: true,
  glitch: 'crashAfterTool',
  ends: ['done'],
  promptPatterns: { 'p1#2': /had ended, even if you cannot see that:\n- Bash / },
} as const satisfies Partial<Script>;

const CRASH_UNWRITTEN = {
  tool: true,
  glitch: 'crashUnwritten',
  ends: ['done'],
  promptPatterns: { 'p1#2': /not known what became of these tool calls.*:\n- Bash / },
  forbiddenEvents: ['session.held', 'prompt.unsure'],
} as const satisfies Partial<Script>;

const AGENTS: readonly Script[] = [
  { name: 'liveCalm', spec: live, ends: ['done'] },
  { name: 'liveCrash', spec: live, glitch: 'crash', ends: ['done'] },
  { name: 'liveCrashAfterReply', spec: live, glitch: 'crashAfterReply', ends: ['done'] },
  { name: 'liveCrashAfterTool', spec: live, ...CRASH_AFTER_TOOL },
  { name: 'liveCrashUnwritten', spec: live, ...CRASH_UNWRITTEN },
  { name: 'liveOrphan', spec: live, glitch: 'orphan', ends: ['done'] },
  { name: 'liveHang', spec: live, glitch: 'hang', ends: ['done'] },
  { name: 'liveSwallowedEnter', spec: live, glitch: 'swallowedEnter', ends: ['done'] },
  {
    name: 'liveSwallowedEnters',
    spec: live,
    glitch: 'swallowedEnters',
    ends: ['done'],
    expectedEvents: ['prompt.entering', 'prompt.entering', 'prompt.entering', 'prompt.accepted'],
  },
  { name: 'liveSlowAccept', spec: live, acceptMs: 900, ends: ['done'] },
  { name: 'liveSlowStart', spec: live, slowStart: true, ends: ['done'] },
  { name: 'liveNobodyAnswers', spec: live, nobodyAnswers: true, ends: ['done'] },
  {
    name: 'liveBusyCaller',
    spec: live,
    acceptMs: 150,
    inputs: [20, 30, 40, 60, 80].map((atMs) => ({ atMs, input: { type: 'write', what: 'keys', bytes: 1 } as const })),
    ends: ['done'],
  },
  { name: 'turnsCalm', spec: turns, ends: ['done'] },
  { name: 'turnsCrash', spec: turns, glitch: 'crash', ends: ['done'] },
  { name: 'turnsCrashAfterReply', spec: turns, glitch: 'crashAfterReply', ends: ['done'] },
  { name: 'turnsCrashAfterTool', spec: turns, ...CRASH_AFTER_TOOL },
  { name: 'turnsCrashUnwritten', spec: turns, ...CRASH_UNWRITTEN },
  { name: 'turnsOrphan', spec: turns, glitch: 'orphan', ends: ['done'] },
  { name: 'turnsHang', spec: turns, glitch: 'hang', ends: ['done'] },
  {
    name: 'turnsStays',
    spec: turns,
    glitch: 'doesNotExit',
    ends: ['done'],
    expectedEvents: ['prompt.answered', 'run.ended'],
    forbiddenEvents: ['run.faulted'],
  },
  { name: 'turnsNobodyAnswers', spec: turns, nobodyAnswers: true, ends: ['done'] },
  // Hooks that report twice, or not at all.
  { name: 'liveDoubled', spec: live, hooksReportTwice: true, ends: ['done'] },
  { name: 'turnsDoubled', spec: turns, hooksReportTwice: true, ends: ['done'] },
  { name: 'liveLostStop', spec: live, glitch: 'lostStop', ends: ['done'] },
  { name: 'turnsLostStop', spec: turns, glitch: 'lostStop', ends: ['done'] },
  { name: 'liveLostPrompted', spec: live, glitch: 'lostPrompted', ends: ['done'] },
  { name: 'turnsLostPrompted', spec: turns, glitch: 'lostPrompted', ends: ['done'] },
  { name: 'liveFails', spec: live, glitch: 'fails', ends: ['failed'], prompts: { p1: ['failed'] } },
  { name: 'turnsFails', spec: turns, glitch: 'fails', ends: ['failed'], prompts: { p1: ['failed'] } },
  { name: 'liveMissing', spec: live, glitch: 'missing', ends: ['abandoned'], prompts: { p1: ['none'] } },
  { name: 'turnsMissing', spec: turns, glitch: 'missing', ends: ['abandoned'], prompts: { p1: ['none'] } },
];

/** All stories by topic. Each family has its own test file, so that they run in parallel. */
export const FAMILIES = {
  prompt: [...COMMANDS, ...AGENTS, ...PROMPT_STORIES, ...INGEST_STORIES],
  person: [...PERSON_STORIES, ...TERMINAL_STORIES, ...SCREEN_STORIES, ...FOLDER_STORIES, ...WRITER_STORIES],
  trouble: [...TROUBLE_STORIES, ...SWITCH_STORIES, ...HELD_OR_LIMITED_STORIES],
  bounds: [...REMEDY_STORIES, ...BOUND_STORIES],
  updates: [...UPDATE_STORIES, ...IN_TURN_UPDATE_STORIES, ...DEFERRED_STORIES, ...MISSING_STORIES, ...RESTORED_STORIES],
  search: SEARCH_STORIES,
  server: SERVER_STORIES,
} as const satisfies Readonly<Record<string, readonly Script[]>>;

export const SCRIPTS: readonly Script[] = Object.values(FAMILIES).flat();
