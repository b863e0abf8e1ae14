import type { Rows } from './base/row.ts';

/** Commands that show sessions and wait for them. */
export const LOOK: Rows = {
  list: {
    summary: 'List sessions: live ones first, then newest first.',
    load: async () => (await import('./commands/list.ts')).list,
  },
  top: {
    summary: 'Watch all sessions, and act on them.',
    load: async () => (await import('./commands/top.ts')).top,
  },
  show: {
    summary: 'Show session details.',
    load: async () => (await import('./commands/show.ts')).show,
  },
  logs: {
    summary: 'Show what happened in a session.',
    load: async () => (await import('./commands/logs.ts')).logs,
  },
  diff: {
    summary: 'Show what a session changed.',
    load: async () => (await import('./commands/diff.ts')).diff,
  },
  search: {
    summary: 'Search all conversations.',
    load: async () => (await import('./commands/search.ts')).search,
  },
  wait: {
    summary: 'Wait for a reply, an end, an event or a text.',
    load: async () => (await import('./commands/wait.ts')).wait,
  },
  output: {
    summary: 'Print the output of a session; for an agent, its logs.',
    load: async () => (await import('./commands/output.ts')).output,
  },
  screen: {
    summary: 'Show the screen of a session.',
    load: async () => (await import('./commands/screen.ts')).screen,
  },
  report: {
    summary: 'Print a one-page report on a session.',
    load: async () => (await import('./commands/report.ts')).report,
  },
  events: {
    summary: 'Read the journal.',
    load: async () => (await import('./commands/events.ts')).events,
  },
  usage: {
    summary: 'Show agent usage by day, model and session.',
    load: async () => (await import('./commands/usage.ts')).usage,
  },
  limits: {
    summary: 'Show the usage limits of each account, and how much is used.',
    load: async () => (await import('./commands/limits.ts')).limits,
  },
};
