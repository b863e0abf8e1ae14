/** The signals that end a process which does nothing about them, by number. */
const ENDING: Readonly<Record<number, string>> = {
  ...{ 1: 'HUP', 2: 'INT', 3: 'QUIT', 4: 'ILL', 5: 'TRAP', 6: 'ABRT', 7: 'BUS', 8: 'FPE', 9: 'KILL', 10: 'USR1' },
  ...{ 11: 'SEGV', 12: 'USR2', 13: 'PIPE', 14: 'ALRM', 15: 'TERM', 24: 'XCPU', 25: 'XFSZ', 31: 'SYS' },
};

/**
 * The signal that ended a command with this status; null: none did. The launcher is a shell, which reports a signal as
 * 128 plus its number. A program may exit with such a status by itself: numbers that end no process are read that way.
 */
export function signalOf(status: number): string | null {
  return ENDING[status - 128] ?? null;
}
