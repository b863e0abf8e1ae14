import type { Agent } from '../seam/agent.ts';
import { mentioning } from '../seam/images.ts';
import type { ServerDrive } from '../seam/server.ts';
import { spentMessages } from '../seam/spent-messages.ts';
import { geminiActions } from './actions.ts';
import { geminiConversations } from './conversations.ts';
import { geminiGate } from './gate.ts';
import { GEMINI_ENVIRONMENT, geminiLaunch, PROGRAM } from './launch.ts';
import { geminiRecord } from './record.ts';
import { geminiServer } from './server.ts';
import { geminiHome, retentionRefusals } from './settings.ts';
import { geminiSources } from './sources.ts';
import { geminiListener, geminiStream } from './stream.ts';
import { geminiTurnReader } from './turns.ts';

/** Gemini CLI: one process per turn, or one that stays and asks before every call. */
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
    alone: (home, model) => ({
      GEMINI_CLI_HOME: `${home}/gemini`,
      ...(model !== undefined && {
        GOOGLE_GEMINI_BASE_URL: model,
        GEMINI_API_KEY: 'none',
        GEMINI_MODEL: 'gemini-2.5-flash',
      }),
    }),
  },
  launch: geminiLaunch,
  turns: {
    isCommand: (text) => /^\s*\//.test(text),
    verdict: ({ status }) => (status === 0 ? 'finished' : 'crashed'),
    listener: geminiListener,
    stream: geminiStream,
    readsErrors: true,
  },
  images: { turns: mentioning, server: 'message' },
  server: geminiServer as ServerDrive<unknown>,
  actions: geminiActions,
  gate: geminiGate,
  record: { ...geminiRecord, sources: geminiSources, turns: geminiTurnReader, rewrites: true },
  usage: { spent: ({ main }, since) => spentMessages(main, since), account: accountOf },
  conversations: geminiConversations,
} satisfies Agent;

/** The account: where the login is stored, or the variables that replace it. */
function accountOf(env: Readonly<Record<string, string>>): string {
  const words = ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_CLOUD_PROJECT'];
  return ['gemini', geminiHome(env), ...words.map((word) => env[word] ?? '')].join('\n');
}
