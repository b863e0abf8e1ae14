import { COMMAND } from '../core/policy.ts';
import type { Spec } from '../core/session.ts';

/** A plain command, for most tests. */
export const COMMAND_SPEC: Spec = {
  name: null,
  agent: 'command',
  drive: 'command',
  terminal: 'pipe',
  workspace: '/',
  argv: ['true'],
  size: { columns: 80, rows: 24 },
  stdin: 'empty',
  split: false,
  background: true,
  notify: 'output',
  keepOpen: false,
  policy: COMMAND,
};
