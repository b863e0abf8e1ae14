import { allAgents } from '../../src/agent/all.ts';
import { type ReportParts, report } from '../../src/daemon/report/report.ts';
import type { Screen, Terminal } from '../../src/terminal/terminal.ts';
import type { JournalSession, JournalWorld } from './journal-world.ts';

/** A terminal that shows these rows; null: it is broken. */
function showing(rows: readonly string[] | null): Terminal {
  const screen = async (): Promise<Screen> => {
    if (rows === null) throw new Error('no terminal is there');
    return { rows, columns: 80, cursor: { row: 0, column: 0 }, title: null };
  };
  return { screen } as Partial<Terminal> as Terminal;
}

/** The report of a session that only a test wrote. */
export function reportOf(world: JournalWorld, session: JournalSession, rows: readonly string[] | null = null) {
  const one = showing(rows);
  const parts: ReportParts = {
    journal: world.journal,
    clock: world.clock,
    config: world.config,
    sessions: world.sessions,
    terminals: { pipe: one, pty: one, tmux: one },
    agents: allAgents('node', (name) => `${name}.js`),
  };
  return report(parts, { session: session.id });
}
