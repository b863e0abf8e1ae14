import type { Environment } from '../seam/environment.ts';

/** The variables with which OpenCode's built-in providers get their keys. */
const PROVIDERS = [
  ...['ANTHROPIC_*', 'OPENAI_*', 'OPENROUTER_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_*', 'VERTEX_LOCATION'],
  ...['AZURE_*', 'GITHUB_TOKEN', 'GROQ_API_KEY', 'MISTRAL_API_KEY', 'DEEPSEEK_API_KEY', 'XAI_API_KEY'],
];

/**
 * The variables that OpenCode gets from its caller's environment. A provider of the user's config may name any variable
 * for its key: that one has to be named when a session is started.
 */
export const OPENCODE_ENVIRONMENT: Environment = {
  passes: [
    ...[
      'OPENCODE_CONFIG',
      'OPENCODE_CONFIG_CONTENT',
      'OPENCODE_CONFIG_DIR',
      'OPENCODE_API_KEY',
      'OPENCODE_AUTH_CONTENT',
    ],
    ...['OPENCODE_DISABLE_*', 'OPENCODE_MODELS_*', 'OPENCODE_PURE'],
    ...PROVIDERS,
  ],
  // A password of the caller's own server and the database of another one are not for this run.
  never: ['OPENCODE', 'OPENCODE_*'],
};
