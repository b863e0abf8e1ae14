import type { Capability } from '../../src/agent/seam/capabilities.ts';
import type { Stories } from './stage.ts';
import { APART } from './stories-apart.ts';
import { AROUND } from './stories-around.ts';
import { BOOT_MOMENTS } from './stories-boot.ts';
import { BOOT_LIVE } from './stories-boot-live.ts';
import { AGENT_DEATHS, DAEMON_DEATHS } from './stories-crash.ts';
import { DEFERRED } from './stories-deferred.ts';
import { DOUBTS } from './stories-doubt.ts';
import { GATE_ANSWERS, GATE_CROWD, GATE_WATCH } from './stories-gate.ts';
import { GATE_HURT } from './stories-gate-hurt.ts';
import { GATE_MESSAGES } from './stories-gate-messages.ts';
import { GATE_FOLDERS, GATE_PROOF } from './stories-gate-proof.ts';
import { GATED_CALLS } from './stories-gated-calls.ts';
import { DIALOGS, TRUST } from './stories-held.ts';
import { IMAGES } from './stories-images.ts';
import { KILLS } from './stories-kill.ts';
import { liveStories, NO_TMUX } from './stories-live.ts';
import { MISSING } from './stories-missing.ts';
import { MOMENT_STORIES } from './stories-moments.ts';
import { REAL } from './stories-real.ts';
import { HANGS } from './stories-recovery.ts';
import { LIMITS, OVERLOADS, REFUSALS } from './stories-refused.ts';
import { REMEDIES } from './stories-remedies.ts';
import { THREADS } from './stories-thread.ts';
import { TURNS } from './stories-turns.ts';
import { updateFaultStories, updateStories } from './stories-updates.ts';
import { COUNTED } from './stories-usage.ts';
import { LIMITED_VISITS, VISITS } from './stories-visits.ts';
import { ONE_WRITER } from './stories-writer.ts';
import type { Need } from './under-test/needs.ts';

// All stories, and what an agent needs for them. Which agent runs which story follows from that; docs/agents.md is
// generated from it.

/** Stories that belong together. */
export interface Family {
  /** What an agent needs for any of them. A story may need more. */
  readonly needs: readonly Need[];
  readonly file: string;
  readonly stories: Stories;
  /** What a story needs in addition, by its title. */
  readonly also?: (sentence: string) => readonly Need[];
  /** The stories of every test run; the others run in campaigns. Default: one of each pair of drives. */
  readonly quick?: (sentences: readonly string[]) => readonly string[];
  readonly storyMsMax?: number;
}

const every = (n: number, from: number) => (all: readonly string[]) => all.filter((_, i) => i % n === from);

/** Each dialog is tested with its parser: here one that is known and one that is not are enough. */
const KNOWN_DIALOGS = ['the warning about', 'the choice of', 'the login', 'an update'];

/** Some agents ask before every call only when they have a screen. */
const inTurns = (sentence: string): readonly Need[] =>
  /\(live\)$|at the screen/.test(sentence) ? [] : ['gate without a screen'];

export const FAMILIES = {
  real: { needs: ['model'], file: 'test/agents/stories-real.ts', stories: REAL },
  turns: { needs: ['turns'], file: 'test/agents/stories-turns.ts', stories: TURNS },
  // Outside campaigns half of these run on tmux and the other half on a pty.
  live: {
    needs: ['live', 'screen'],
    file: 'test/agents/stories-live.ts',
    stories: liveStories('tmux'),
    quick: every(2, 0),
  },
  'live on a pty': {
    needs: ['live', 'screen'],
    file: 'test/agents/stories-live.ts',
    stories: liveStories('pty'),
    quick: every(2, 1),
  },
  'live without tmux': { needs: ['live', 'screen'], file: 'test/agents/stories-live.ts', stories: NO_TMUX },
  server: { needs: ['server'], file: 'test/agents/stories-live.ts', stories: liveStories('server') },
  threads: { needs: ['record'], file: 'test/agents/stories-thread.ts', stories: THREADS },
  missing: {
    needs: ['record', 'transcript files'],
    file: 'test/agents/stories-missing.ts',
    stories: MISSING,
  },
  moments: { needs: ['record', 'fast starts'], file: 'test/agents/stories-moments.ts', stories: MOMENT_STORIES },
  deaths: {
    needs: [],
    file: 'test/agents/stories-crash.ts',
    stories: { ...DAEMON_DEATHS, ...AGENT_DEATHS },
  },
  kills: {
    needs: ['model'],
    file: 'test/agents/stories-kill.ts',
    stories: KILLS,
    also: (sentence) => (sentence.startsWith('an agent killed in a call') ? [] : ['kills at every moment']),
    // Every run of the tests kills each agent once: see `deaths`.
    quick: () => [],
  },
  doubts: { needs: [], file: 'test/agents/stories-doubt.ts', stories: DOUBTS },
  apart: { needs: [], file: 'test/agents/stories-apart.ts', stories: APART },
  around: { needs: ['turns'], file: 'test/agents/stories-around.ts', stories: AROUND },
  trust: { needs: ['turns', 'settings'], file: 'test/agents/stories-held.ts', stories: TRUST },
  dialogs: {
    needs: ['live', 'faults on command'],
    file: 'test/agents/stories-held.ts',
    stories: DIALOGS,
    quick: (all) => all.filter((sentence) => KNOWN_DIALOGS.every((words) => !sentence.startsWith(words))),
  },
  updates: {
    needs: ['hooks', 'updates in a turn'],
    file: 'test/agents/stories-updates.ts',
    stories: { ...updateStories('turns'), ...updateStories('live') },
  },
  'updates that fail': {
    needs: ['hooks', 'updates in a turn', 'faults on command'],
    file: 'test/agents/stories-updates.ts',
    stories: { ...updateFaultStories('turns'), ...updateFaultStories('live') },
  },
  gate: {
    needs: ['gate', 'gate by hooks', 'actions'],
    file: 'test/agents/stories-gate.ts',
    stories: { ...GATE_WATCH, ...GATE_ANSWERS, ...GATE_CROWD },
    also: inTurns,
  },
  'gate in messages': {
    needs: ['gate', 'gate in messages', 'server'],
    file: 'test/agents/stories-gate-messages.ts',
    stories: GATE_MESSAGES,
  },
  'gate hurt': {
    needs: ['gate', 'gate by hooks'],
    file: 'test/agents/stories-gate-hurt.ts',
    stories: GATE_HURT,
    also: inTurns,
  },
  'gated calls': {
    needs: ['gate'],
    file: 'test/agents/stories-gated-calls.ts',
    stories: GATED_CALLS,
    quick: () => [],
    storyMsMax: 420_000,
  },
  'gate in other folders': {
    needs: ['gate', 'gate by hooks'],
    file: 'test/agents/stories-gate-proof.ts',
    stories: GATE_FOLDERS,
    also: inTurns,
  },
  'gate trials': {
    needs: ['gate', 'gate by hooks', 'hooks', 'faults on command'],
    file: 'test/agents/stories-gate-proof.ts',
    stories: GATE_PROOF,
  },
  deferred: {
    needs: ['gate', 'gate by hooks', 'deferred calls', 'turns'],
    file: 'test/agents/stories-deferred.ts',
    stories: DEFERRED,
  },
  boot: {
    needs: ['conversations', 'record'],
    file: 'test/agents/stories-boot.ts',
    stories: BOOT_MOMENTS,
    quick: every(2, 0),
  },
  'boot live': {
    needs: ['conversations', 'live', 'screen', 'flags on a screen'],
    file: 'test/agents/stories-boot-live.ts',
    stories: BOOT_LIVE,
  },
  'one writer': {
    needs: ['conversations'],
    file: 'test/agents/stories-writer.ts',
    stories: ONE_WRITER,
    storyMsMax: 150_000,
  },
  images: {
    needs: ['images', 'model'],
    file: 'test/agents/stories-images.ts',
    stories: IMAGES,
    also: (sentence) => (sentence.endsWith('(live)') ? ['images while it stays'] : []),
  },
  usage: { needs: ['usage', 'model'], file: 'test/agents/stories-usage.ts', stories: COUNTED },
  recovery: {
    needs: ['record', 'model'],
    file: 'test/agents/stories-recovery.ts',
    stories: HANGS,
  },
  refused: {
    needs: ['model'],
    file: 'test/agents/stories-refused.ts',
    stories: { ...LIMITS, ...REFUSALS, ...OVERLOADS },
    also: (sentence) => {
      const isLive = sentence.endsWith('(live)');
      if (Object.hasOwn(OVERLOADS, sentence)) return ['overload that fails'];
      if (Object.hasOwn(LIMITS, sentence)) return isLive ? ['limits'] : ['turns', 'limits', 'limits in turns'];
      return isLive ? [] : ['turns'];
    },
  },
  remedies: { needs: ['compact', 'fork', 'model'], file: 'test/agents/stories-remedies.ts', stories: REMEDIES },
  visits: { needs: ['turns', 'live', 'refusals'], file: 'test/agents/stories-visits.ts', stories: VISITS },
  'limited visits': {
    needs: ['turns', 'live', 'faults on command'],
    file: 'test/agents/stories-visits.ts',
    stories: LIMITED_VISITS,
  },
} as const satisfies Readonly<Record<string, Family>>;

export type FamilyName = keyof typeof FAMILIES;

/** Capabilities that other tests prove. */
export const OTHER_PROOFS: readonly {
  readonly agents: readonly string[];
  readonly proves: readonly Capability[];
  readonly file: string;
}[] = [
  { agents: ['claude', 'scripted'], proves: ['actions'], file: 'src/agent/claude/actions.test.ts' },
  { agents: ['codex'], proves: ['actions'], file: 'src/agent/codex/actions.test.ts' },
  { agents: ['codex'], proves: ['compact'], file: 'test/e2e-real/codex.test.ts' },
  { agents: ['codex'], proves: ['server'], file: 'src/agent/codex/server.test.ts' },
  { agents: ['opencode'], proves: ['actions'], file: 'src/agent/opencode/actions.test.ts' },
  { agents: ['opencode'], proves: ['server'], file: 'src/agent/opencode/server.test.ts' },
  { agents: ['opencode'], proves: ['gate'], file: 'test/e2e-real/opencode.test.ts' },
  { agents: ['copilot'], proves: ['actions'], file: 'src/agent/copilot/actions.test.ts' },
  { agents: ['copilot'], proves: ['gate'], file: 'test/e2e-real/copilot.test.ts' },
  { agents: ['pi'], proves: ['actions'], file: 'src/agent/pi/actions.test.ts' },
  { agents: ['pi'], proves: ['gate'], file: 'test/e2e-real/pi.test.ts' },
  { agents: ['goose'], proves: ['actions'], file: 'src/agent/goose/actions.test.ts' },
  { agents: ['acp', 'goose'], proves: ['server'], file: 'src/agent/acp/server.test.ts' },
  { agents: ['acp'], proves: ['server'], file: 'test/e2e/acp.test.ts' },
  { agents: ['scripted'], proves: ['images'], file: 'test/e2e/stories-images.test.ts' },
  { agents: ['acp'], proves: ['images'], file: 'src/agent/acp/server.test.ts' },
  { agents: ['scripted'], proves: ['usage'], file: 'test/fault/recovery-usage.test.ts' },
  { agents: ['scripted'], proves: ['compact', 'fork'], file: 'test/e2e/stories-remedies.test.ts' },
  { agents: ['echo'], proves: ['server'], file: 'src/agent/echo/server-drive.test.ts' },
  { agents: ['echo'], proves: ['server'], file: 'test/sim/stories-server.ts' },
  { agents: ['echo'], proves: ['server'], file: 'test/fault/server.test.ts' },
  { agents: ['echo'], proves: ['gate'], file: 'test/integration/gate-protocol.test.ts' },
  { agents: ['echo'], proves: ['gate'], file: 'test/fault/gate-server.test.ts' },
  {
    agents: ['echo'],
    proves: ['turns', 'live', 'server', 'hooks', 'record', 'usage'],
    file: 'test/integration/echo.test.ts',
  },
];

/** Capabilities that one version has only in part. */
export const VERSION_LIMITS: Readonly<Record<string, Readonly<Partial<Record<Capability, string>>>>> = {
  '2.1.197': { gate: 'with its own screen only: without one it calls only the first of the two hooks' },
};
