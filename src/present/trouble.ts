/** The events of which a person should know that something went wrong. */
export const TROUBLES: ReadonlySet<string> = new Set([
  ...['run.faulted', 'run.gapped', 'prompt.unsure', 'prompt.failed', 'prompt.troubled', 'session.held'],
  ...['session.limited', 'tool.denied', 'approval.refused', 'approval.breached', 'session.restored'],
]);
