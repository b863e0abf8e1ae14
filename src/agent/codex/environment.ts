import type { Environment } from '../seam/environment.ts';

/**
 * The variables that Codex gets from its caller's environment. A model provider of the user's config may name any
 * variable for its key: that one has to be named when a session is started.
 */
export const CODEX_ENVIRONMENT: Environment = {
  passes: ['CODEX_HOME', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'CODEX_CA_CERTIFICATE', 'OPENAI_*', 'AZURE_OPENAI_*'],
  never: ['CODEX_*'],
  home: 'CODEX_HOME',
};
