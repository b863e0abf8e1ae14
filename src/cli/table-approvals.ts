import type { Rows } from './base/row.ts';

/** Commands about tool calls and who may make them. */
export const APPROVALS: Rows = {
  approvals: {
    summary: 'List the tool calls that wait for approval.',
    load: async () => (await import('./commands/approvals.ts')).approvals,
  },
  approve: {
    summary: 'Allow a tool call that waits for approval.',
    load: async () => (await import('./commands/approve.ts')).approve,
  },
  deny: {
    summary: 'Deny a tool call that waits for approval.',
    load: async () => (await import('./commands/approve.ts')).deny,
  },
  'rules test': {
    summary: 'Show how rules decide a tool call.',
    load: async () => (await import('./commands/rules.ts')).rulesTest,
  },
  'rules list': {
    summary: 'List the saved rules.',
    load: async () => (await import('./commands/rules.ts')).rulesList,
  },
  'rules remove': {
    summary: 'Delete a saved rule.',
    load: async () => (await import('./commands/rules.ts')).rulesRemove,
  },
  audit: {
    summary: 'List the decisions about tool calls.',
    load: async () => (await import('./commands/audit.ts')).audit,
  },
  'audit verify': {
    summary: 'Verify that no decision was changed.',
    load: async () => (await import('./commands/audit.ts')).auditVerify,
  },
  'audit head': {
    summary: 'Print the last row, to store elsewhere.',
    load: async () => (await import('./commands/audit.ts')).auditHead,
  },
};
