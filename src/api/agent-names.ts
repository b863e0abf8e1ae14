// Written by scripts/agent-variables.ts from the adapters of the agents. Do not edit it here.

/** The built-in agents, each with the short names of its models. */
export const AGENT_MODELS: Readonly<Record<string, readonly string[]>> = {
  claude: ['opus', 'sonnet', 'haiku', 'opus-latest', 'sonnet-latest', 'haiku-latest', 'fable'],
  codex: ['sol', 'terra', 'astra', 'luna'],
  copilot: [],
  opencode: [],
  pi: [],
  qwen: [],
  gemini: [],
  goose: [],
  acp: [],
  scripted: ['opus', 'sonnet', 'haiku', 'opus-latest', 'sonnet-latest', 'haiku-latest', 'fable'],
  echo: [],
  'echo-websocket': [],
  'echo-http': [],
};
