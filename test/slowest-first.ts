import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The slowest files, slowest first: a slow file that starts late delays the end of the run. The report of every run
 * names the slowest; the order of the others does not matter.
 */
const SLOWEST = [
  'test/e2e-real/gate.test.ts',
  'test/e2e-real/agents-newest.test.ts',
  'test/e2e-real/openclaw.test.ts',
  'test/e2e-real/service.test.ts',
  'test/e2e-real/recovery-newest.test.ts',
  'test/e2e/agents-doubt.test.ts',
  'test/e2e/agents-live-tmux.test.ts',
  'test/e2e/agents-crash.test.ts',
  'test/e2e/agents-live-pty.test.ts',
  'test/e2e/agents-updates.test.ts',
  'test/e2e/agents-thread.test.ts',
  'test/fault/recovery-hang.test.ts',
  'test/fault/recovery-daemon.test.ts',
  'test/e2e/faults-kill.test.ts',
  'test/e2e/stories-updates.test.ts',
  'test/e2e/boot-moments.test.ts',
  'test/e2e/stories-agents-cli.test.ts',
  'test/e2e/agents-held.test.ts',
  'test/e2e/agents-missing.test.ts',
  'test/fault/gate.test.ts',
  'test/fault/recovery-memory.test.ts',
  'test/integration/boot.test.ts',
  'test/e2e/agents-gate.test.ts',
  'test/e2e/stories-exec.test.ts',
  'test/integration/scripted-gate.test.ts',
  'test/e2e/stories-silence.test.ts',
  'test/fault/away.test.ts',
  'test/fault/crash-points.test.ts',
  'test/fault/crash-calls.test.ts',
  'test/fault/recovery-twins.test.ts',
  'test/fault/recovery-resume.test.ts',
  'test/fault/recovery-load.test.ts',
  'test/e2e/stories-ends.test.ts',
  'test/e2e/stories-deciders.test.ts',
  'test/fault/trouble.test.ts',
  'test/fault/journal.test.ts',
  'test/sim/sim-updates.test.ts',
  'test/integration/service.test.ts',
  'test/fault/recovery-cap.test.ts',
  'test/fault/waiters.test.ts',
  'test/sim/sim-bounds.test.ts',
  'test/fault/daemon.test.ts',
  'test/fault/tmux.test.ts',
  'test/e2e/stories-remedies.test.ts',
  'test/fault/slow-disk.test.ts',
  'test/contract/tmux.test.ts',
  'test/e2e/stories-process.test.ts',
  'test/e2e/stories-spawn-limits.test.ts',
  'test/e2e/migrate.test.ts',
  'test/sim/sim-prompt.test.ts',
  'test/sim/sim-person.test.ts',
  'test/sim/sim-trouble.test.ts',
  'test/e2e-real/agents-2.1.197.test.ts',
  'test/e2e-real/deferred.test.ts',
  'test/e2e-real/gate-newest.test.ts',
  'test/e2e-real/plugin.test.ts',
  'test/e2e-real/boot-newest.test.ts',
  'test/e2e-real/reads.test.ts',
  'test/e2e-real/approvals.test.ts',
  'test/e2e-real/delegate.test.ts',
];

/** At full counts others are the slowest: a file of half an hour that begins last is run beside an idle core. */
const SLOWEST_DEEP = [
  'test/e2e-real/opencode-1.18.33.test.ts',
  'test/e2e-real/gemini-0.61.0.test.ts',
  'test/e2e-real/qwen-0.24.4.test.ts',
  'test/sim/sim-server.test.ts',
  'test/e2e-real/copilot-1.0.102.test.ts',
  'test/fault/crash-calls.test.ts',
  'test/e2e-real/pi-0.87.1.test.ts',
  'test/sim/sim-updates.test.ts',
  'test/fault/crash-points.test.ts',
  'test/e2e-real/codex-0.169.0.test.ts',
  'test/e2e-real/agents-2.1.197.test.ts',
  'test/e2e/agents-hurt.test.ts',
];

/** Starts with the slowest files, whether or not they ever ran on this machine. */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const slowest = process.env.OUTLAST_TEST_CAMPAIGN === undefined ? SLOWEST : [...SLOWEST_DEEP, ...SLOWEST];
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = slowest.indexOf(relative(this.ctx.config.root, moduleId));
      return at < 0 ? slowest.length : at;
    };
    const group = ({ project }: TestSpecification): number => project.config.sequence.groupOrder;
    return (await super.sort(files)).sort((a, b) => group(a) - group(b) || rank(a) - rank(b));
  }
}
