import type { Environment } from '../seam/environment.ts';

/**
 * The variables that Qwen Code gets from its caller's environment. A model provider of the user's settings may name any
 * variable for its key: that one has to be named when a session is started.
 */
export const QWEN_ENVIRONMENT: Environment = {
  passes: [
    ...['QWEN_HOME', 'QWEN_RUNTIME_DIR', 'QWEN_MODEL', 'QWEN_DEFAULT_AUTH_TYPE', 'QWEN_USAGE_STATISTICS_ENABLED'],
    ...['OPENAI_*', 'AZURE_OPENAI_*', 'DASHSCOPE_*', 'BAILIAN_*', 'MODELSTUDIO_*', 'ANTHROPIC_API_KEY'],
    ...['ANTHROPIC_BASE_URL', 'ANTHROPIC_MODEL', 'GEMINI_*', 'GOOGLE_*', 'OPENROUTER_API_KEY', 'DEEPSEEK_API_KEY'],
  ],
  // Signs of an outer Qwen Code, and variables that move its settings or switch off what protects a run.
  never: ['QWEN_CODE', 'QWEN_CODE_*', 'QWEN_SANDBOX*', 'QWEN_REVIEW_*', 'QWEN_SERVE_*', 'QWEN_SYSTEM_*'],
  home: 'QWEN_HOME',
};
