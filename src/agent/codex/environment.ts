import type { Environment } from '../seam/environment.ts';

/**
 * The variables that Codex gets from its caller's environment. A model provider of the user's config may name any
 * variable for its key: that one has to be named when a session is started.
 */
export const CODEX_ENVIRONMENT: Environment = {
  passes: ['CODEX_HOME', 'CODEX_API_KEY', 'CODEX_ACCESS_TOKEN', 'CODEX_CA_CERTIFICATE', 'OPENAI_*', 'AZURE_OPENAI_*'],
  never: [
    ...['CODEX_THREAD_ID', 'CODEX_SESSION_ID', 'CODEX_TOOL_CALL_ID', 'CODEX_CI', 'CODEX_VERSION', 'CODEX_SANDBOX*'],
    ...['CODEX_MANAGED_*', 'CODEX_INTERNAL_*', 'CODEX_EXEC_SERVER_*', 'CODEX_SNAPSHOT_*', 'CODEX_NETWORK_*'],
    'CODEX_PERMISSION*',
  ],
  home: 'CODEX_HOME',
};
