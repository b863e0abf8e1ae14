// Written by scripts/agent-variables.ts from the adapters of the agents. Do not edit it here.

/** Variables with which a user says where an agent keeps its files. */
export const AGENT_VARIABLES: readonly string[] = [
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'COPILOT_HOME',
  'ECHO_HOME',
  'GEMINI_CLI_HOME',
  'GOOSE_PATH_ROOT',
  'OPENCLAW_STATE_DIR',
  'PI_CODING_AGENT_DIR',
  'QWEN_HOME',
];
