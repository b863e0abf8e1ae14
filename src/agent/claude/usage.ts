import type { UsageReader } from '../seam/usage.ts';
import { type Dialect, homeOf } from './dialect.ts';
import { spentSince } from './spent.ts';

/** Reads the usage of Claude Code. */
export function claudeUsage(dialect: Dialect): UsageReader {
  return { spent: spentSince, account: (env) => accountOf(dialect, env) };
}

/** The account: where the login is stored, or the variables that replace it. */
function accountOf(dialect: Dialect, env: Readonly<Record<string, string>>): string {
  const words = ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN'];
  return [dialect.name, homeOf(dialect, env), ...words.map((word) => env[word] ?? '')].join('\n');
}
