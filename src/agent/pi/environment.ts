import type { Environment } from '../seam/environment.ts';

/** The variables with which pi's built-in providers get their keys. */
const PROVIDERS = [
  ...['ANTHROPIC_*', 'ANT_LING_API_KEY', 'OPENAI_*', 'AZURE_OPENAI_*', 'DEEPSEEK_API_KEY', 'NVIDIA_API_KEY'],
  ...['GEMINI_API_KEY', 'GOOGLE_*', 'GROQ_API_KEY', 'CEREBRAS_API_KEY', 'XAI_API_KEY', 'FIREWORKS_API_KEY'],
  ...['TOGETHER_API_KEY', 'BASETEN_API_KEY', 'OPENROUTER_API_KEY', 'AI_GATEWAY_API_KEY', 'ZAI_*', 'MISTRAL_API_KEY'],
  ...['MINIMAX_API_KEY', 'MOONSHOT_API_KEY', 'OPENCODE_API_KEY', 'KIMI_API_KEY', 'META_API_KEY', 'CLOUDFLARE_*'],
  ...['QWEN_TOKEN_PLAN_*', 'XIAOMI_*', 'HF_TOKEN', 'COPILOT_GITHUB_TOKEN'],
];

/**
 * The variables that pi gets from its caller's environment. A provider of the user's own models may name any variable
 * for its key: that one has to be named when a session is started.
 */
export const PI_ENVIRONMENT: Environment = {
  passes: [
    ...['PI_CODING_AGENT_DIR', 'PI_CODING_AGENT_SESSION_DIR', 'PI_PACKAGE_DIR', 'PI_OFFLINE', 'PI_SKIP_VERSION_CHECK'],
    ...['PI_TELEMETRY', 'PI_CACHE_RETENTION'],
    ...PROVIDERS,
  ],
  // What an outer pi tells its tools.
  never: ['PI_*', 'AI_AGENT'],
  home: 'PI_CODING_AGENT_DIR',
};
