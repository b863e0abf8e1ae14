/** The parsed command line. */
export interface Options {
  readonly print: boolean;
  /** A reply is also printed piece by piece. */
  readonly partial: boolean;
  readonly format: 'text' | 'json' | 'stream-json';
  readonly sessionId: string | null;
  readonly resume: string | null;
  readonly fork: boolean;
  /** The name that hooks report: `manual` becomes `default`. */
  readonly mode: string;
  readonly settings: string | null;
  /** The settings sources that are read in addition. */
  readonly sources: readonly string[];
  readonly model: string;
  readonly disallowed: readonly string[];
  /** The prompt on the command line. */
  readonly prompt: string | null;
}

/** How to proceed after parsing a command line. */
export type Parsed =
  | { readonly is: 'run'; readonly options: Options }
  | { readonly is: 'version' }
  | { readonly is: 'help' }
  | { readonly is: 'refused'; readonly message: string };

const SHORT: Readonly<Record<string, string>> = { '-p': '--print', '-r': '--resume', '-v': '--version' };

/** Flags without a value. An unknown flag consumes the next word unless that is a flag too. */
const BARE = new Set(
  (
    '--print --verbose --fork-session --version --help --dangerously-skip-permissions --include-partial-messages ' +
    '--include-hook-events --replay-user-messages --strict-mcp-config --ide --no-session-persistence'
  ).split(' '),
);

const MANY = new Set(
  (
    '--disallowed-tools --disallowedTools --allowed-tools --allowedTools --add-dir --betas --file --mcp-config ' +
    '--tools'
  ).split(' '),
);

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DEFAULT_MODEL = 'claude-opus-5-5';

/** Parses a command line of Claude Code. Unknown flags are skipped with their value. */
export function parseArgs(args: readonly string[]): Parsed {
  const { flags, words } = flagsOf(args);
  if (flags.has('--version')) return { is: 'version' };
  if (flags.has('--help')) return { is: 'help' };
  const print = flags.has('--print');
  const format = formatOf(flags.get('--output-format')?.[0]);
  const message = wrongIn(flags, print, format);
  if (message !== null) return { is: 'refused', message };
  return {
    is: 'run',
    options: {
      print,
      partial: flags.has('--include-partial-messages'),
      format,
      sessionId: flags.get('--session-id')?.[0] ?? null,
      resume: flags.get('--resume')?.[0] ?? null,
      fork: flags.has('--fork-session'),
      mode: modeOf(flags),
      settings: flags.get('--settings')?.[0] ?? null,
      sources: (flags.get('--setting-sources')?.[0] ?? 'user,project,local').split(','),
      model: flags.get('--model')?.[0] ?? DEFAULT_MODEL,
      disallowed: [...(flags.get('--disallowed-tools') ?? []), ...(flags.get('--disallowedTools') ?? [])].flatMap(
        (names) => names.split(/[ ,]+/),
      ),
      prompt: words.length === 0 ? null : words.join(' '),
    },
  };
}

function flagsOf(args: readonly string[]): { flags: Map<string, string[]>; words: string[] } {
  const flags = new Map<string, string[]>();
  const words: string[] = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    if (arg === '--') {
      words.push(...args.slice(i + 1));
      break;
    }
    if (!arg.startsWith('-')) {
      words.push(arg);
      continue;
    }
    const [long = arg, inline] = split(SHORT[arg] ?? arg);
    const values = inline === undefined ? valuesAfter(long, args.slice(i + 1)) : [];
    i += values.length;
    flags.set(long, [...(flags.get(long) ?? []), ...(inline === undefined ? values : [inline])]);
  }
  return { flags, words };
}

function split(arg: string): [string, string?] {
  const at = arg.indexOf('=');
  return at < 0 ? [arg] : [arg.slice(0, at), arg.slice(at + 1)];
}

function valuesAfter(flag: string, rest: readonly string[]): string[] {
  if (BARE.has(flag)) return [];
  const end = rest.findIndex((word) => word.startsWith('-'));
  const words = end < 0 ? rest : rest.slice(0, end);
  return MANY.has(flag) ? [...words] : words.slice(0, 1);
}

function formatOf(word: string | undefined): Options['format'] {
  return word === 'stream-json' || word === 'json' ? word : 'text';
}

function modeOf(flags: ReadonlyMap<string, string[]>): string {
  if (flags.has('--dangerously-skip-permissions')) return 'bypassPermissions';
  const mode = flags.get('--permission-mode')?.[0] ?? 'default';
  return mode === 'manual' ? 'default' : mode;
}

function wrongIn(flags: ReadonlyMap<string, string[]>, print: boolean, format: string): string | null {
  const id = flags.get('--session-id')?.[0];
  if (id !== undefined && !UUID.test(id)) return 'Error: Invalid session ID. Must be a valid UUID.';
  if (id !== undefined && flags.has('--resume') && !flags.has('--fork-session'))
    return 'Error: --session-id can only be used with --continue or --resume if --fork-session is also specified.';
  if (print && format === 'stream-json' && !flags.has('--verbose'))
    return 'Error: When using --print, --output-format=stream-json requires --verbose';
  return null;
}
