import { acpAgent } from '../acp/acp.ts';
import type { AcpDialect } from '../acp/dialect.ts';
import { ANY_DIALECT } from '../acp/dialect.ts';
import { PROVIDERS } from '../acp/environment.ts';
import { chatProbeAnswer } from '../seam/chat-probe.ts';
import type { ProtocolGate } from '../seam/gate.ts';
import { asFields, asText } from '../seam/json.ts';
import { ACP_WRONG_ANSWERS } from '../seam/wrong-answers.ts';
import { gooseActions } from './actions.ts';
import { gooseOpeners } from './gate-openers.ts';
import { gooseLaunch, gooseMode } from './launch.ts';

/** Goose ends a failed turn with this text, like any other turn. */
const ERROR =
  /Ran into this error: ([\s\S]*?)\s*Please retry if you think this is a transient or recoverable error\.\s*$/;

/** How Goose names its tools, its turns and its modes. */
const DIALECT: Partial<AcpDialect> = {
  tool: (call) => {
    const { input } = ANY_DIALECT.tool(call);
    const named = asText(asFields(asFields(asFields(call._meta)?.goose)?.toolCall)?.toolName);
    // A question names the tool in its title only: `shell · ls`.
    const titled = (asText(call.title) ?? 'unknown').split(' · ', 1)[0] ?? 'unknown';
    return { name: named ?? titled, input };
  },
  isBegun: (update) => asText(asFields(asFields(update._meta)?.goose)?.activeRunId) !== null,
  failure: (reply) => ERROR.exec(reply)?.[1] ?? null,
  modeWord: gooseMode,
};

/** Goose asks about every call in its mode `approve`, its sub-agents about none: behind a gate it has no sub-agents. */
const GATE: ProtocolGate = {
  asks: 'protocol',
  // Its messages say which calls were made; what it stores is not read.
  seenCalls: () => [],
  openers: gooseOpeners,
  wrongAnswers: ACP_WRONG_ANSWERS,
  probe: (calls) => ({
    prompt: 'Outlast checks whether your gate works.',
    answer: (body) => chatProbeAnswer(calls, body, 'shell'),
  }),
};

/** Goose, which speaks the Agent Client Protocol. */
export const goose = acpAgent('goose', ['goose', 'acp', '--with-builtin', 'developer'], {
  actions: gooseActions,
  gate: GATE,
  dialect: DIALECT,
  adapted: gooseLaunch,
  program: {
    oldest: '1.52.0',
    install: 'See https://goose-docs.ai for how to install it.',
    environment: { passes: ['GOOSE_*', ...PROVIDERS], never: [], home: 'GOOSE_PATH_ROOT' },
    // Hints and AGENTS.md are only text for the model.
    ownFiles: ['.agents', '.goose'],
    alone: (home, model) => ({
      GOOSE_PATH_ROOT: `${home}/goose`,
      GOOSE_DISABLE_KEYRING: '1',
      ...(model !== undefined && {
        GOOSE_PROVIDER: 'openai',
        GOOSE_MODEL: 'probe',
        OPENAI_HOST: model,
        OPENAI_API_KEY: 'none',
      }),
    }),
  },
});
