import type { Agent } from '../seam/agent.ts';
import { spentMessages } from '../seam/spent-messages.ts';
import { GEMINI_ENVIRONMENT, geminiLaunch, PROGRAM } from './launch.ts';
import { geminiRecord } from './record.ts';
import { geminiHome, retentionRefusals } from './settings.ts';
import { geminiSources } from './sources.ts';
import { geminiListener, geminiStream } from './stream.ts';
import { geminiTurnReader } from './turns.ts';

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
    readsErrors: true,
  },
  record: { ...geminiRecord, sources: geminiSources, turns: geminiTurnReader },
  usage: { spent: ({ main }, since) => spentMessages(main, since), account: accountOf },
} satisfies Agent;

/** The account: where the login is stored, or the variables that replace it. */
function accountOf(env: Readonly<Record<string, string>>): string {
  const words = ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT'];
  return ['gemini', geminiHome(env), ...words.map((word) => env[word] ?? '')].join('\n');
}
