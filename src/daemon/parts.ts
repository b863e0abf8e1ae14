import type { Agent } from '../agent/agent.ts';
import type { Clock } from '../base/clock.ts';
import type { SessionId, TerminalKind } from '../core/session.ts';
import type { Journal } from '../journal/journal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Boot } from './boot/boot.ts';
import type { Config } from './config-schema.ts';
import type { Notices } from './notices.ts';
import type { Sessions } from './sessions.ts';

/** What the handlers of all operations work with. */
export interface Parts {
  readonly config: Config;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly sessions: Sessions;
  readonly notices: Notices;
  readonly terminals: Readonly<Record<TerminalKind, Terminal>>;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly boot: Boot;
  readonly isModelId: (agent: string, model: string) => boolean;
  readonly hookProgram: string;
  /** Look at this session again now. */
  readonly nudge: (session: SessionId) => void;
  /** Processes of ended sessions that were found and ended since the daemon started. */
  readonly orphansEnded: () => number;
  readonly startedAtMs: number;
  /** Ends the daemon, and says who wanted it. */
  readonly stop: (by: string) => void;
}
