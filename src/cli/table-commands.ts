import type { Rows } from './base/row.ts';

/** Commands that run programs. */
export const COMMANDS: Rows = {
  exec: {
    summary: 'Run a command that survives its caller.',
    load: async () => (await import('./commands/exec.ts')).exec,
  },
  'process list': {
    summary: 'List sessions, one line each.',
    load: async () => (await import('./commands/list.ts')).processList,
  },
  'process poll': {
    summary: 'Print the output since the last poll.',
    load: async () => (await import('./commands/process-read.ts')).poll,
  },
  'process log': {
    summary: 'Page through output by line or by byte.',
    load: async () => (await import('./commands/process-read.ts')).log,
  },
  'process write': {
    summary: 'Write to the input of a session.',
    load: async () => (await import('./commands/process-input.ts')).write,
  },
  'process send-keys': {
    summary: 'Send text, bytes and keys.',
    load: async () => (await import('./commands/process-input.ts')).sendKeys,
  },
  'process submit': {
    summary: 'Press Enter.',
    load: async () => (await import('./commands/process-input.ts')).submit,
  },
  'process paste': {
    summary: 'Paste text.',
    load: async () => (await import('./commands/process-input.ts')).processPaste,
  },
  'process kill': {
    summary: 'End a session.',
    load: async () => (await import('./commands/process-end.ts')).kill,
  },
  'process clear': {
    summary: 'Forget an ended session.',
    load: async () => (await import('./commands/process-end.ts')).clear,
  },
  'process remove': {
    summary: 'End and forget a session.',
    load: async () => (await import('./commands/process-end.ts')).processRemove,
  },
};
