import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentIsHere } from '../../scripts/agents.ts';
import type { ApprovalView } from '../../src/client/index.ts';
import { openStage, type Stage } from '../agents/stage.ts';
import { claudeOf, NEWEST_CLAUDE } from '../agents/under-test/claude.ts';
import { some } from '../campaign.ts';
import { eventually } from '../eventually.ts';

// The command line and a real Claude Code: its tool calls follow the decisions of people.

/** The newest in every test run, both in campaigns. Agents that are not installed are skipped, except in CI. */
const VERSIONS = ([NEWEST_CLAUDE, '2.1.197'] as const).filter(
  (version) => agentIsHere(version) || process.env.CI === 'true',
);

const bash = (command: string): object => ({ tool: 'Bash', input: { command, description: 'x' } });
const script = (...steps: object[]): string => `Do it. SCRIPT${JSON.stringify({ steps })}SCRIPT`;

function file(stage: Stage, name: string): string | null {
  const path = join(stage.workspace, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : null;
}

/** Waits for the approval of this command. */
async function pendingApproval(stage: Stage, session: string, command: string): Promise<ApprovalView> {
  return eventually(
    async () => {
      const open = await stage.world.client.approvals.list({ session });
      return open.find(({ input }) => JSON.stringify(input).includes(command));
    },
    { msMax: 60_000, what: `an approval of ${command}` },
  );
}

test.each(some(VERSIONS, 2))(
  'Claude Code %s waits for each decision: an edit, a denial with a reason and a rule, each with a row in the audit',
  async (version) => {
    await using stage = await openStage(claudeOf(version));
    const steps = [
      bash('echo asked > one'),
      bash('echo denied > two'),
      bash('echo x >> three'),
      bash('echo x >> three'),
    ];
    const started = await stage.cli(['start', '--end', '--gate', '--name', 'real', script(...steps, { text: 'bye' })]);
    expect(started.status).toBe(0);
    const first = await pendingApproval(stage, 'real', 'asked');
    expect(file(stage, 'one')).toBeNull();
    const edit = JSON.stringify({ command: 'echo changed > one', description: 'x' });
    expect(await stage.cli(['approve', first.id, '--edit', edit])).toMatchObject({ status: 0 });
    await pendingApproval(stage, 'real', 'denied');
    expect(file(stage, 'one')).toBe('changed\n');
    expect(await stage.cli(['deny', 'real', '--why', 'the third is better'])).toMatchObject({ status: 0 });
    await pendingApproval(stage, 'real', 'three');
    expect(await stage.cli(['approve', 'real', '--session'])).toMatchObject({ status: 0 });
    expect(await stage.cli(['wait', 'real', '--for', 'ended', '--timeout', '60s'])).toMatchObject({ status: 0 });
    expect([file(stage, 'two'), file(stage, 'three')]).toEqual([null, 'x\nx\n']);
    expect((await stage.cli(['turn', 'real', '--full'])).stdout).toContain('the third is better');
    const audit = (await stage.cli(['audit', '--session', 'real'])).stdout;
    expect(audit.match(/ (allowed|denied) Bash/g)).toEqual([
      ' allowed Bash',
      ' denied Bash',
      ' allowed Bash',
      ' allowed Bash',
    ]);
    expect(audit).toContain('by rules (allow Bash(echo x >> three))');
    expect(await stage.cli(['audit', 'verify'])).toMatchObject({ status: 0 });
  },
);

test.each(some(VERSIONS, 2))(
  'Claude Code %s continues on its own screen when a call is decided from outside',
  async (version) => {
    await using stage = await openStage(claudeOf(version));
    const session = await stage.startLive({ name: 'live', gate: { mode: 'gate' } });
    await session.prompt(script(bash('echo y > yes'), bash('echo n > no'), { text: 'bye' }));
    await pendingApproval(stage, 'live', 'yes');
    expect(file(stage, 'yes')).toBeNull();
    expect(await stage.cli(['approve', 'live'])).toMatchObject({ status: 0 });
    await pendingApproval(stage, 'live', 'echo n');
    expect(file(stage, 'yes')).toBe('y\n');
    expect(await stage.cli(['deny', 'live', '--why', 'no more'])).toMatchObject({ status: 0 });
    const { met } = await session.waitFor('idle', { timeoutMs: 60_000 });
    expect([met, file(stage, 'no')]).toEqual(['idle', null]);
  },
);
