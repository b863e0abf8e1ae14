// Commands, and agents that are given one prompt and nothing else.
import { command, live, type Script, stop, turns } from './scripts.ts';
import { BOUND_STORIES } from './stories-bounds.ts';
import { DEFERRED_STORIES } from './stories-deferred.ts';
import { FOLDER_STORIES } from './stories-folder.ts';
import { PARKED_STORIES } from './stories-held-or-limited.ts';
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
    never: true,
    leaves: true,
    ends: ['stopped'],
  },
  { name: 'execLeaves', spec: command, leaves: true, ends: ['done'] },
  { name: 'execLost', spec: command, trouble: 'crash', leaves: true, ends: ['abandoned'] },
  { name: 'execCut', spec: command, trouble: 'cut', ends: ['done'] },
  { name: 'execStopAtOnce', spec: command, never: true, wishes: [{ atMs: 0, input: stop }], ends: ['stopped'] },
  { name: 'execStop', spec: command, never: true, leaves: true, wishes: [{ atMs: 2, input: stop }], ends: ['stopped'] },
  { name: 'execStopLater', spec: command, never: true, wishes: [{ atMs: 30, input: stop }], ends: ['stopped'] },
  {
    name: 'execTimeout',
    spec: { ...command, policy: { ...command.policy, runMsMax: 90 } },
    never: true,
    ends: ['stopped'],
  },
];

const AGENTS: readonly Script[] = [
  { name: 'liveCalm', spec: live, ends: ['done'] },
  { name: 'liveCrash', spec: live, trouble: 'crash', ends: ['done'] },
  { name: 'liveCrashAfterReply', spec: live, trouble: 'crashAfterReply', ends: ['done'] },
  { name: 'liveOrphan', spec: live, trouble: 'orphan', ends: ['done'] },
  { name: 'liveHang', spec: live, trouble: 'hang', ends: ['done'] },
  { name: 'liveSwallowedEnter', spec: live, trouble: 'swallowedEnter', ends: ['done'] },
  {
    name: 'liveSwallowedEnters',
    spec: live,
    trouble: 'swallowedEnters',
    ends: ['done'],
    tells: ['prompt.entering', 'prompt.entering', 'prompt.entering', 'prompt.accepted'],
  },
  { name: 'liveSlowAccept', spec: live, acceptMs: 900, ends: ['done'] },
  { name: 'liveSlowStart', spec: live, slowStart: true, ends: ['done'] },
  { name: 'liveNobodyAnswers', spec: live, nobodyAnswers: true, ends: ['done'] },
  {
    name: 'liveBusyCaller',
    spec: live,
    acceptMs: 150,
    wishes: [20, 30, 40, 60, 80].map((atMs) => ({ atMs, input: { type: 'write', what: 'keys', bytes: 1 } as const })),
    ends: ['done'],
  },
  { name: 'turnsCalm', spec: turns, ends: ['done'] },
  { name: 'turnsCrash', spec: turns, trouble: 'crash', ends: ['done'] },
  { name: 'turnsCrashAfterReply', spec: turns, trouble: 'crashAfterReply', ends: ['done'] },
  { name: 'turnsOrphan', spec: turns, trouble: 'orphan', ends: ['done'] },
  { name: 'turnsHang', spec: turns, trouble: 'hang', ends: ['done'] },
  {
    name: 'turnsStays',
    spec: turns,
    trouble: 'stays',
    ends: ['done'],
    tells: ['prompt.answered', 'run.ended'],
    lacks: ['run.faulted'],
  },
  { name: 'turnsNobodyAnswers', spec: turns, nobodyAnswers: true, ends: ['done'] },
  // What is reported, and what is not.
  { name: 'liveDoubled', spec: live, doubled: true, ends: ['done'] },
  { name: 'turnsDoubled', spec: turns, doubled: true, ends: ['done'] },
  { name: 'liveLostStop', spec: live, trouble: 'lostStop', ends: ['done'] },
  { name: 'turnsLostStop', spec: turns, trouble: 'lostStop', ends: ['done'] },
  { name: 'liveLostPrompted', spec: live, trouble: 'lostPrompted', ends: ['done'] },
  { name: 'turnsLostPrompted', spec: turns, trouble: 'lostPrompted', ends: ['done'] },
  { name: 'liveFails', spec: live, trouble: 'fails', ends: ['failed'], prompts: { p1: ['failed'] } },
  { name: 'turnsFails', spec: turns, trouble: 'fails', ends: ['failed'], prompts: { p1: ['failed'] } },
  { name: 'liveMissing', spec: live, trouble: 'missing', ends: ['abandoned'], prompts: { p1: ['none'] } },
  { name: 'turnsMissing', spec: turns, trouble: 'missing', ends: ['abandoned'], prompts: { p1: ['none'] } },
];

/** The stories by what they are about. Each family has its own test file, so that they run in parallel. */
export const FAMILIES = {
  prompt: [...COMMANDS, ...AGENTS, ...PROMPT_STORIES, ...INGEST_STORIES],
  person: [...PERSON_STORIES, ...TERMINAL_STORIES, ...SCREEN_STORIES, ...FOLDER_STORIES, ...WRITER_STORIES],
  trouble: [...TROUBLE_STORIES, ...PARKED_STORIES],
  bounds: [...REMEDY_STORIES, ...BOUND_STORIES],
  updates: [...UPDATE_STORIES, ...IN_TURN_UPDATE_STORIES, ...DEFERRED_STORIES, ...MISSING_STORIES, ...RESTORED_STORIES],
  search: SEARCH_STORIES,
  server: SERVER_STORIES,
} as const satisfies Readonly<Record<string, readonly Script[]>>;

export const SCRIPTS: readonly Script[] = Object.values(FAMILIES).flat();
