type Env = Readonly<Record<string, string>>;

/** What any program needs to find its way, its proxy and its certificates. */
const GENERAL = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'COLORTERM', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'EDITOR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'SSH_AUTH_SOCK', 'GIT_SSH_COMMAND', 'GIT_CONFIG_GLOBAL'],
];

/** What configures Claude Code's account and endpoint. Nothing here can switch off hooks, trust or approval. */
const CLAUDE = [
  ...['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'ANTHROPIC_BASE_URL', 'ANTHROPIC_CUSTOM_HEADERS'],
  ...['ANTHROPIC_BEDROCK_BASE_URL', 'ANTHROPIC_VERTEX_BASE_URL', 'ANTHROPIC_VERTEX_PROJECT_ID', 'CLOUD_ML_REGION'],
  ...['ANTHROPIC_FOUNDRY_BASE_URL', 'ANTHROPIC_FOUNDRY_API_KEY', 'ANTHROPIC_FOUNDRY_RESOURCE'],
  ...['CLAUDE_CONFIG_DIR', 'CLAUDE_CODE_OAUTH_TOKEN', 'CLAUDE_CODE_MAX_RETRIES', 'API_TIMEOUT_MS'],
  ...['CLAUDE_CODE_USE_BEDROCK', 'CLAUDE_CODE_USE_VERTEX', 'CLAUDE_CODE_USE_FOUNDRY'],
  ...['CLAUDE_CODE_SKIP_BEDROCK_AUTH', 'CLAUDE_CODE_SKIP_VERTEX_AUTH', 'CLAUDE_CODE_SKIP_FOUNDRY_AUTH'],
  ...[
    'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
    'CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL',
    'DISABLE_TELEMETRY',
    'DISABLE_AUTOUPDATER',
    'DISABLE_ERROR_REPORTING',
  ],
  ...['IS_SANDBOX', 'GOOGLE_APPLICATION_CREDENTIALS', 'GOOGLE_CLOUD_PROJECT'],
];

const ALLOWED = new Set([...GENERAL, ...CLAUDE]);
const ALLOWED_GROUPS = /^(LC_|XDG_|AWS_|GIT_AUTHOR_|GIT_COMMITTER_)/;

/** The marks of an enclosing agent. Not even a caller who names one gets it through. */
const ENCLOSING = /^(CLAUDECODE$|CLAUDE_|AI_AGENT$)/;

/** The environment of a run: what is on the list, and what the caller names, of what the caller has. */
export function claudeEnv(env: Env, named: readonly string[]): Env {
  const passes = (name: string): boolean =>
    ALLOWED.has(name) || ALLOWED_GROUPS.test(name) || (named.includes(name) && !ENCLOSING.test(name));
  return Object.fromEntries(Object.entries(env).filter(([name]) => passes(name)));
}
