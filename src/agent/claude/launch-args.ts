/** An extra argument that is refused, and the reason. */
export interface Refusal {
  readonly arg: string;
  readonly why: string;
}

const ID = 'the session chooses and keeps the conversation id itself';
const HOOKS = 'it would replace or disable the hooks that report what the agent does';
const GATE = 'permissions are decided by the permission mode of the session';
const INPUT = 'the session chooses how prompts reach the agent';
const PLACE = 'the session chooses where the agent runs';

const REFUSED: Readonly<Record<string, string>> = {
  ...sameWhy(ID, '--session-id --resume --continue --fork-session --from-pr --teleport --no-session-persistence'),
  ...sameWhy(HOOKS, '--settings --bare --safe-mode --setting-sources --managed-settings'),
  ...sameWhy(GATE, '--permission-mode --dangerously-skip-permissions --allow-dangerously-skip-permissions'),
  ...sameWhy(GATE, '--permission-prompt-tool --permission-prompts --allowedTools --allowed-tools'),
  ...sameWhy(INPUT, '--print --output-format --input-format --replay-user-messages --ax-screen-reader'),
  ...sameWhy(INPUT, '--help --version --init-only --prompt-suggestions'),
  ...sameWhy(PLACE, '--bg --background --cloud --environment --desktop --remote-control --tmux --worktree --remote'),
  '--model': 'set the model of the session instead',
  '--': 'the words after it would be read as a prompt',
};

/** Harmless short flags. Combined flags are refused: `-pc` is `-p -c`. */
const SHORT = ['-d', '-n'];

/** Flags with one value, and flags that consume all the words after them. */
const TAKES_ONE = new Set(
  (
    '--agent --agents --append-system-prompt --append-system-prompt-file --autocompact --debug -d --debug-file ' +
    '--effort --fallback-model --json-schema --max-budget-usd --max-turns --name -n --plugin-dir --plugin-url ' +
    '--system-prompt --system-prompt-file --system-prompt-snapshot'
  ).split(' '),
);
const TAKES_MANY = new Set(
  '--add-dir --betas --disallowedTools --disallowed-tools --file --mcp-config --tools'.split(' '),
);

/**
 * The extra arguments that would break the id, the hooks or the gate. The others go last, so they consume none of ours.
 */
export function refusals(extra: readonly string[], isGated = false): Refusal[] {
  const found: Refusal[] = [];
  let wordsLeft = 0;
  for (const arg of extra) {
    const isWord = !arg.startsWith('-');
    const why = isWord ? wordWhy(wordsLeft) : (flagWhy(arg) ?? (isGated ? gateWhy(arg) : null));
    if (why !== null) found.push({ arg, why });
    wordsLeft = isWord ? wordsLeft - 1 : wordsAfter(arg);
  }
  return found;
}

/** A plugin has hooks of its own, and the definition of a sub-agent may have some too. */
function gateWhy(arg: string): string | null {
  const name = arg.split('=', 1)[0] ?? arg;
  const brings = ['--plugin-dir', '--plugin-url', '--agents', '--agent'].includes(name);
  return brings ? 'behind a gate nothing is loaded that may have hooks of its own' : null;
}

function flagWhy(arg: string): string | null {
  const name = arg.split('=', 1)[0] ?? arg;
  if (Object.hasOwn(REFUSED, name)) return REFUSED[name] ?? null;
  if (!arg.startsWith('--') && !SHORT.includes(arg))
    return 'write it as a long option, or as --option=value if it is a value';
  return null;
}

function wordWhy(wordsLeft: number): string | null {
  return wordsLeft > 0 ? null : 'it would be read as a prompt; write --option=value if it is a value';
}

function wordsAfter(flag: string): number {
  if (TAKES_MANY.has(flag)) return Number.POSITIVE_INFINITY;
  return TAKES_ONE.has(flag) ? 1 : 0;
}

function sameWhy(why: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, why]));
}
