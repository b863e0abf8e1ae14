import type { ReadAgent } from '../seam/agent.ts';
import { spentMessages } from '../seam/spent-messages.ts';
import { opencodeActions } from './actions.ts';
import { findOpencode } from './find.ts';
import { opencodeRecord } from './record.ts';
import { opencodeServer } from './server.ts';
import { opencodeHome, opencodeSources } from './sources.ts';
import { opencodeListener, opencodeStream } from './stream.ts';
import { opencodeTurnReader } from './turns.ts';
import { opencodeVerdict } from './verdict.ts';

/** OpenCode, as far as it is read: it is not started yet. */
export const opencode = {
  name: 'opencode',
  program: {
    name: 'opencode',
    versionArgs: ['--version'],
    oldest: '1.18.33',
    install: 'Install it with `npm install --global opencode-ai`.',
  },
  turns: { isCommand: () => false, verdict: opencodeVerdict, listener: opencodeListener, stream: opencodeStream },
  server: opencodeServer,
  actions: opencodeActions,
  record: { ...opencodeRecord, sources: opencodeSources, find: findOpencode, turns: opencodeTurnReader },
  usage: {
    spent: ({ main }, since, said) => {
      const { tokens = 0, usd = null } = said?.used ?? {};
      return spentMessages(main, since) ?? (tokens === 0 ? null : { tokens, usd, upTo: since.message });
    },
    account: (env) => ['opencode', opencodeHome(env), env.OPENCODE_CONFIG ?? ''].join('\n'),
  },
} satisfies ReadAgent;
