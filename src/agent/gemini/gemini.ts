import type { Agent } from '../seam/agent.ts';
import { GEMINI_ENVIRONMENT, geminiLaunch, PROGRAM } from './launch.ts';
import { retentionRefusals } from './settings.ts';
import { geminiListener, geminiStream } from './stream.ts';

/** Gemini CLI: one process per turn. */
export const gemini = {
  name: 'gemini',
  program: {
    name: PROGRAM,
    versionArgs: ['--version'],
    oldest: '0.61.0',
    install: 'Install it with `npm install --global @google/gemini-cli`.',
    idsChosenBy: 'us',
    models: { table: [], isId: (name) => /^[\w.-]+$/.test(name) && /\d/.test(name) },
    // Both can name programs that it runs, or where its model is.
    ownFiles: ['.gemini', '.env'],
    refusals: (args) => args.map((arg) => `${arg}: no arguments are passed on to Gemini CLI`),
    settingsRefusals: retentionRefusals,
    environment: GEMINI_ENVIRONMENT,
    alone: (home) => ({ GEMINI_CLI_HOME: `${home}/gemini` }),
  },
  launch: geminiLaunch,
  turns: {
    isCommand: (text) => /^\s*\//.test(text),
    verdict: ({ status }) => (status === 0 ? 'finished' : 'crashed'),
    listener: geminiListener,
    stream: geminiStream,
  },
  resumesUnread: true,
} satisfies Agent;
