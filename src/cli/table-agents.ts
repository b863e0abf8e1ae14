import type { Rows } from './base/row.ts';

/** Commands that start agents and talk to them. */
export const AGENTS: Rows = {
  run: {
    summary: 'Run an agent on one prompt and print its reply.',
    load: async () => (await import('./commands/run.ts')).run,
  },
  start: {
    summary: 'Start an agent session.',
    load: async () => (await import('./commands/start.ts')).start,
  },
  prompt: {
    summary: 'Send a prompt to an agent.',
    load: async () => (await import('./commands/prompt.ts')).prompt,
  },
  upload: {
    summary: 'Put files into the folder of an agent session.',
    load: async () => (await import('./commands/upload.ts')).upload,
  },
  converse: {
    summary: 'Send a prompt to an agent and print the reply.',
    load: async () => (await import('./commands/converse.ts')).converse,
  },
  turn: {
    summary: 'Print a turn of a conversation as Markdown.',
    load: async () => (await import('./commands/turn.ts')).turn,
  },
  resume: {
    summary: 'Resume an ended, held or limited agent session.',
    load: async () => (await import('./commands/resume.ts')).resume,
  },
  batch: {
    summary: 'Run the sessions of a file, in dependency order.',
    load: async () => (await import('./commands/batch.ts')).batch,
  },
  spawn: {
    summary: 'Start an agent from inside a session, and get its updates.',
    load: async () => (await import('./commands/spawn.ts')).spawn,
  },
  tell: {
    summary: 'Inside a session: send a message to its owner.',
    load: async () => (await import('./commands/tell.ts')).tell,
  },
  agents: {
    summary: 'Show which agents are installed, and what works with each.',
    load: async () => (await import('./commands/agents.ts')).agents,
  },
  'agents test': {
    summary: 'Test what works with an agent on this machine.',
    load: async () => (await import('./commands/agents-test.ts')).agentsTest,
  },
};
