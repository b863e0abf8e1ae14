import type { Rows } from './base/row.ts';

/** Commands that serve other programs. */
export const PROGRAMS: Rows = {
  mcp: {
    summary: 'Serve the Model Context Protocol to another agent.',
    load: async () => (await import('./commands/mcp.ts')).mcp,
  },
  acp: {
    summary: 'Serve the Agent Client Protocol.',
    load: async () => (await import('./commands/acp.ts')).acp,
  },
  metrics: {
    summary: 'Print metrics for Prometheus, or serve them.',
    load: async () => (await import('./commands/metrics.ts')).metrics,
  },
};
