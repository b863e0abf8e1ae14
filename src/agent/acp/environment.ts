import type { Environment } from '../seam/environment.ts';

/** The variables with which agents usually get the address and key of their model. */
export const PROVIDERS: readonly string[] = [
  ...['ANTHROPIC_*', 'OPENAI_*', 'OPENROUTER_*', 'GEMINI_API_KEY', 'GOOGLE_*', 'AZURE_*', 'GITHUB_TOKEN'],
  ...['GROQ_API_KEY', 'MISTRAL_API_KEY', 'DEEPSEEK_API_KEY', 'XAI_API_KEY', 'OLLAMA_*', 'DATABRICKS_*'],
];

/** The variables that any agent gets from its caller's environment. Others have to be named. */
export const ANY_ENVIRONMENT: Environment = { passes: PROVIDERS, never: [] };
