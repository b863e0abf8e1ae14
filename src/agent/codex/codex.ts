import type { ReadAgent } from '../seam/agent.ts';
import { spentMessages } from '../seam/spent-messages.ts';
import { codexActions } from './actions.ts';
import { findCodex } from './find.ts';
import { codexRecord } from './record.ts';
import { codexServer } from './server.ts';
import { codexHome, codexSources } from './sources.ts';
import { codexListener, codexStream } from './stream.ts';
import { codexTurnReader } from './turns.ts';
import { codexVerdict } from './verdict.ts';

/** Codex, as far as it is read: it is not started yet. */
export const codex = {
  name: 'codex',
  program: {
    name: 'codex',
    versionArgs: ['--version'],
    oldest: '0.166.0',
    install: 'Install it with `npm install --global @openai/codex`.',
  },
  turns: { isCommand: () => false, verdict: codexVerdict, listener: codexListener, stream: codexStream },
  server: codexServer,
  actions: codexActions,
  record: { ...codexRecord, sources: codexSources, find: findCodex, turns: codexTurnReader },
  usage: { spent: ({ main }, since) => spentMessages(main, since), account: accountOf },
} satisfies ReadAgent;

/** The account: where the login is stored, or the variables that replace it. */
function accountOf(env: Readonly<Record<string, string>>): string {
  const words = ['OPENAI_BASE_URL', 'OPENAI_API_KEY', 'CODEX_API_KEY'];
  return ['codex', codexHome(env), ...words.map((word) => env[word] ?? '')].join('\n');
}
