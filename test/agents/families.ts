import type { Capability } from '../../src/agent/seam/capabilities.ts';

// Which stories there are, what an agent needs to play them, and who plays them. Plain data: docs/agents.md is made
// of it.

/** Stories that prove the same. */
export interface Family {
  /** What an agent must be able to do, and what it proves. */
  readonly needs: readonly Capability[];
  readonly file: string;
}

export const FAMILIES = {
  turns: { needs: ['turns'], file: 'test/agents/stories-turns.ts' },
  live: { needs: ['live'], file: 'test/agents/stories-live.ts' },
  real: { needs: ['turns', 'live'], file: 'test/agents/stories-real.ts' },
  threads: { needs: ['turns', 'record'], file: 'test/agents/stories-thread.ts' },
  missing: { needs: ['record'], file: 'test/agents/stories-missing.ts' },
  deaths: { needs: ['turns', 'live', 'record'], file: 'test/agents/stories-crash.ts' },
  apart: { needs: ['turns', 'live'], file: 'test/agents/stories-apart.ts' },
  around: { needs: ['turns', 'live'], file: 'test/agents/stories-around.ts' },
  trust: { needs: ['live'], file: 'test/agents/stories-held.ts' },
  news: { needs: ['turns', 'live', 'hooks'], file: 'test/agents/stories-updates.ts' },
  gate: { needs: ['gate', 'actions', 'hooks'], file: 'test/agents/stories-gate.ts' },
  'gate hurt': { needs: ['gate', 'hooks'], file: 'test/agents/stories-gate-hurt.ts' },
  'gate in other folders': { needs: ['gate', 'hooks'], file: 'test/agents/stories-gate-proof.ts' },
  boot: { needs: ['conversations', 'record'], file: 'test/agents/stories-boot.ts' },
  'boot live': { needs: ['conversations', 'live'], file: 'test/agents/stories-boot-live.ts' },
  usage: { needs: ['usage'], file: 'test/agents/stories-usage.ts' },
  recovery: { needs: ['turns', 'live', 'record'], file: 'test/agents/stories-recovery.ts' },
  refused: { needs: ['turns', 'live'], file: 'test/agents/stories-refused.ts' },
  remedies: { needs: ['compact', 'fork'], file: 'test/agents/stories-remedies.ts' },
  visits: { needs: ['live'], file: 'test/agents/stories-visits.ts' },
} as const satisfies Readonly<Record<string, Family>>;

export type FamilyName = keyof typeof FAMILIES;

/** What a real agent plays, by the file of tests in which it does. */
export const REAL_FAMILIES = [
  ...['real', 'turns', 'live', 'threads', 'missing', 'deaths', 'apart', 'around', 'trust', 'news'],
] as const satisfies readonly FamilyName[];
export const GATE_FAMILIES = ['gate', 'gate hurt', 'gate in other folders'] as const satisfies readonly FamilyName[];
export const BOOT_FAMILIES = ['boot', 'boot live'] as const satisfies readonly FamilyName[];
export const RECOVERY_FAMILIES = [
  ...['usage', 'recovery', 'refused', 'remedies', 'visits'],
] as const satisfies readonly FamilyName[];

const CLAUDE: readonly FamilyName[] = [...REAL_FAMILIES, ...GATE_FAMILIES, ...BOOT_FAMILIES, ...RECOVERY_FAMILIES];

/** What each agent plays: the real one in test/e2e-real, the others in test/e2e/agents-*.test.ts. */
export const PLAYED: Readonly<Record<string, readonly FamilyName[]>> = {
  claude: CLAUDE,
  scripted: [
    ...['turns', 'live', 'threads', 'missing', 'deaths', 'apart', 'around', 'trust', 'news'],
    ...GATE_FAMILIES,
    ...BOOT_FAMILIES,
    'visits',
  ] as readonly FamilyName[],
};

/** What is proven by other tests than stories. */
export const OTHER_PROOFS: readonly {
  readonly agents: readonly string[];
  readonly proves: readonly Capability[];
  readonly file: string;
}[] = [
  { agents: ['claude', 'scripted'], proves: ['actions'], file: 'src/agent/claude/actions.test.ts' },
  { agents: ['codex'], proves: ['actions'], file: 'src/agent/codex/actions.test.ts' },
  { agents: ['codex'], proves: ['server'], file: 'src/agent/codex/server.test.ts' },
  { agents: ['opencode'], proves: ['actions'], file: 'src/agent/opencode/actions.test.ts' },
  { agents: ['opencode'], proves: ['server'], file: 'src/agent/opencode/server.test.ts' },
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

/** What works with a version only in part. */
export const VERSION_LIMITS: Readonly<Record<string, Readonly<Partial<Record<Capability, string>>>>> = {
  '2.1.197': { gate: 'with its own screen only: without one it asks no second question' },
};
