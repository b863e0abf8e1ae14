import type { Agent } from '../../agent/seam/agent.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { SessionId, TerminalKind } from '../../core/session.ts';
import type { Journal } from '../../journal/journal.ts';
import type { LiveTexts } from '../../supervisor/live-texts.ts';
import type { LineIndex } from '../../terminal/line-index.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import type { Boot } from '../boot/boot.ts';
import type { Changes } from '../changes/changes.ts';
import type { LiveConfig } from '../config/live.ts';
import type { Config } from '../config/schema.ts';
import type { Controls } from '../control/controls.ts';
import type { Gates } from '../gate/gates.ts';
import type { GateRules } from '../gate/rules.ts';
import type { SleepDetector } from '../machine/sleep-detector.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Notices } from '../notices/notices.ts';
import type { Otel } from '../otel/otel.ts';
import type { Schedules } from '../schedules/schedules.ts';
import type { Search } from '../search/search.ts';
import type { Sessions } from '../start/sessions.ts';
import type { Polls } from '../waits/polls.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';

/** The dependencies of all operations. */
export interface Parts {
  /** The values in use. */
  readonly config: Config;
  readonly liveConfig: LiveConfig;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly notices: Notices;
  readonly worktrees: Worktrees;
  readonly terminals: Readonly<Record<TerminalKind, Terminal>>;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly boot: Boot;
  readonly search: Search;
  readonly metrics: Metrics;
  /** What sends to OpenTelemetry, with the config in use. */
  readonly otel: () => Otel;
  readonly isModelId: (agent: string, model: string) => boolean;
  readonly hookProgram: string;
  readonly rules: GateRules;
  readonly log: Log;
  /** Named readers of output, and their positions. */
  readonly polls: Polls;
  /** The offsets of lines in an output, as far as they were needed. */
  readonly lines: LineIndex;
  readonly gates: Gates;
  /** Who types over a connection. */
  readonly controls: Controls;
  /** What the files of sessions were. */
  readonly changes: Changes;
  /** What agents are writing now. */
  readonly liveTexts: LiveTexts;
  /** Makes the supervisor look at this session now. */
  readonly nudge: (session: SessionId) => void;
  /** Processes of ended sessions that were found and ended since the daemon started. */
  readonly orphansEnded: () => number;
  /** How the memory limit of runs is enforced, and why not better. */
  readonly memoryCap: () => Promise<{ readonly detail: string }>;
  readonly startedAtMs: number;
  readonly schedules: Schedules;
  readonly sleepDetector: Pick<SleepDetector, 'woke'>;
  /** Stops the daemon, with the reason, and whether lost sessions are expected. */
  readonly stop: (by: string, planned: boolean) => void;
}
