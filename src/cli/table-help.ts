import type { Rows } from './base/row.ts';

/** Commands about the command line itself. */
export const HELP: Rows = {
  completion: {
    summary: 'Print a completion script for your shell.',
    load: async () => (await import('./commands/completion.ts')).completion,
  },
  help: {
    summary: 'Show help for a command.',
    load: async () => (await import('./help-command.ts')).help,
  },
  version: {
    summary: 'Print the version.',
    load: async () => (await import('./commands/version.ts')).version,
  },
};
