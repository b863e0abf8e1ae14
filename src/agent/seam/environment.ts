type Env = Readonly<Record<string, string>>;

/** Which of its caller's environment variables an agent's process gets. A `*` at the end of a name matches anything. */
export interface Environment {
  /** Passed in addition to what every program needs: the agent's account and endpoint. */
  readonly passes: readonly string[];
  /** Never passed, even if the caller names it, unless `passes` has its whole name: markers of an outer agent. */
  readonly never: readonly string[];
  /** The variable with which a user chooses where the agent stores everything. */
  readonly home?: string;
  /** The variable that must be set to start it as root. */
  readonly asRoot?: string;
}

/** What any program needs: paths, proxies, certificates. */
const GENERAL: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TERM', 'COLORTERM', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'EDITOR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS', 'SSH_AUTH_SOCK', 'GIT_SSH_COMMAND', 'GIT_CONFIG_GLOBAL'],
  ...['LC_*', 'XDG_*', 'AWS_*', 'GIT_AUTHOR_*', 'GIT_COMMITTER_*'],
];

/** The environment of a run: the caller's variables that are on the lists or named by the caller. */
export function environmentOf({ passes, never }: Environment, env: Env, named: readonly string[]): Env {
  const isPassed = (name: string): boolean => {
    if (GENERAL.some((each) => fits(each, name)) || passes.some((each) => fits(each, name))) return true;
    return named.includes(name) && !never.some((each) => fits(each, name));
  };
  return Object.fromEntries(Object.entries(env).filter(([name]) => isPassed(name)));
}

function fits(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}
