import { OutlastError } from '../base/errors.ts';
import { quotedWord } from '../base/shell-word.ts';
import type { Launch } from '../core/launch.ts';
import { PROGRAM_PATH } from './programs.ts';

/** What a terminal adds to a launch. */
export interface PlanOptions {
  /** The run's name, by which its processes are found. */
  readonly name: string;
  /** Variables of the terminal itself, such as TERM. They win over the launch's. */
  readonly add?: Readonly<Record<string, string>>;
}

/**
 * The sh file that becomes the command: sets folder, input, umask and environment from an empty one, then calls exec.
 */
export function planText(launch: Launch, options: PlanOptions): string {
  const env: Record<string, string> = { ...launch.env, ...options.add, OUTLAST_RUN: options.name };
  const names = Object.keys(env).filter(isUsable);
  const plain = names.filter((name) => !SHELL_OWN.has(name) && name !== 'PWD');
  const own = names.filter((name) => SHELL_OWN.has(name));
  const assign = (name: string): string => `${name}=${quote(env[name] ?? '')}`;
  return [
    '# The command of one run. Read by launcher.sh, which sets $run.',
    `set -- ${launch.argv.map(quote).join(' ')}`,
    ...(typeof launch.stdin === 'object' ? readFrom(launch.stdin.path) : []),
    ...enterFolder(launch.cwd),
    `umask ${launch.umask.toString(8).padStart(4, '0')}`,
    `unset ${INHERITED.filter((name) => name !== 'PWD' || !('PWD' in env)).join(' ')}`,
    // The caller's PWD would be wrong in another folder; cd has set it.
    ...('PWD' in env ? ['export PWD'] : []),
    ...plain.map((name) => `export ${assign(name)}`),
    ...('PATH' in env ? findCommand(launch.argv[0]) : findWithoutPath(launch.argv[0])),
    ...joinGroup(launch),
    ['exec', ...inScope(launch), ...runWith(own.map(assign), launch.argv[0]), '"$@"'].join(' '),
    '',
  ].join('\n');
}

/** The names that cannot be passed on, because no shell can set them. */
export function unusableNames(env: Readonly<Record<string, string>>): string[] {
  return Object.keys(env).filter((name) => !IDENTIFIER.test(name));
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** What the launcher may have in its environment, or the shell may add. */
const INHERITED = ['PATH', 'TERM', 'PWD', 'OLDPWD', 'SHLVL', 'LINES', 'COLUMNS', 'OUTLAST_RUN'];

/** Variables that some shells keep for themselves: read-only, computed, or checked when they are set. */
const SHELL_OWN = new Set(
  (
    'IFS OPTIND LINENO PPID UID EUID SHELLOPTS BASHOPTS BASH_VERSINFO BASHPID BASH_SUBSHELL BASH_COMMAND BASH_ARGV0 ' +
    'BASH_ARGC BASH_ARGV BASH_LINENO BASH_SOURCE BASH_ALIASES BASH_CMDS RANDOM SRANDOM SECONDS EPOCHSECONDS ' +
    'EPOCHREALTIME HISTCMD GROUPS FUNCNAME DIRSTACK'
  ).split(' '),
);

/** Every shell sets `_` for the command it starts; the caller's value would be wrong. */
function isUsable(name: string): boolean {
  return IDENTIFIER.test(name) && name !== '_';
}

/**
 * The folder is entered early: CDPATH and HOME of the command are not set yet, and $run may be relative to the current
 * folder.
 */
function enterFolder(cwd: string): string[] {
  const folder = cwd.startsWith('/') ? cwd : `./${cwd}`;
  return [`cd ${quote(folder)} 2>/dev/null || {`, ...unstarted('cwd', `cannot enter the folder ${cwd}`), '}'];
}

function readFrom(path: string): string[] {
  // A redirection that fails would end the shell with a status that looks like the command's.
  return [
    `[ -r ${quote(path)} ] || {`,
    ...unstarted('stdin', `cannot read the input file ${path}`),
    '}',
    `exec <${quote(path)}`,
  ];
}

function unstarted(word: string, sentence: string): string[] {
  return [`  printf '%s\\n' ${quote(`outlast: ${sentence}`)} >&2`, `  echo ${word} >"$run/failed"`, '  exit 125'];
}

/** Leaves the path of the command in $1. */
function findCommand(name: string): string[] {
  const word = quote(name);
  if (name.includes('/')) {
    const missing = `[ -e ${word} ] || ${refuse(name, 'command not found', 127)}`;
    return [missing, `[ -x ${word} ] || ${refuse(name, 'not executable', 126)}`];
  }
  const missing = `command -v -- ${word} >/dev/null 2>&1 || ${refuse(name, 'command not found', 127)}`;
  // No quoting keeps every sh from reading a leading dash as an option of exec; a path does.
  return name.startsWith('-') ? [missing, `shift; set -- "$(command -v -- ${word})" "$@"`] : [missing];
}

/** execvp(3) has a default PATH when there is none. dash cannot have a PATH that it does not export. */
function findWithoutPath(name: string): string[] {
  const path = `shift; set -- "$(command -v -- ${quote(name)})" "$@"`;
  return [`PATH=${quote(PROGRAM_PATH)}`, ...findCommand(name), ...(name.includes('/') ? [] : [path]), 'unset PATH'];
}

function refuse(name: string, why: string, status: number): string {
  const word = status === 127 ? 'missing' : 'unexecutable';
  return `{ printf '%s\\n' ${quote(`outlast: ${name}: ${why}`)} >&2; echo ${word} >"$run/failed"; exit ${status}; }`;
}

/** env(1) can set what the shell cannot. Used only then: its arguments are visible to every user for a moment. */
function runWith(own: readonly string[], command: string): string[] {
  const isAssignment = command.includes('=');
  return own.length > 0 && !isAssignment ? ['/usr/bin/env', ...own] : [];
}

/** Without the cgroup, the run monitor still checks the memory. */
function joinGroup({ cap }: Launch): string[] {
  return cap?.is === 'group' ? [`{ echo 0 >${quote(`${cap.path}/cgroup.procs`)}; } 2>/dev/null || :`] : [];
}

/** What systemd needs in its environment is not passed on to the command. */
function inScope({ cap, env }: Launch): string[] {
  if (cap?.is !== 'scope') return [];
  const names = Object.keys(cap.env);
  const set = names.map((name) => `${name}=${quote(cap.env[name] ?? '')}`);
  const back = names.map((name) => (name in env ? `${name}=${quote(env[name] ?? '')}` : `-u ${name}`));
  const unset = back.toSorted((a, b) => Number(b.startsWith('-u')) - Number(a.startsWith('-u')));
  const within = names.length === 0 ? [] : ['/usr/bin/env', ...unset];
  return [...(names.length === 0 ? [] : ['/usr/bin/env', ...set]), ...cap.argv.map(quote), ...within];
}

function quote(text: string): string {
  if (text.includes('\0')) {
    throw new OutlastError(
      'input_invalid',
      `cannot pass ${JSON.stringify(text.slice(0, 80))} to a command: it contains a NUL`,
    );
  }
  return quotedWord(text);
}
