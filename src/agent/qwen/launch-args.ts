const ID = 'the session chooses and keeps the conversation id itself';
const GATE = 'permissions are decided by the permission mode of the session';
const INPUT = 'the session chooses how prompts reach the agent';
const PLACE = 'the session chooses where the agent runs';

/** Arguments that are passed on: flags, and whether each is followed by a value. */
const PASSED: Readonly<Record<string, boolean>> = {
  '--append-system-prompt': true,
  '--system-prompt': true,
  '--output-style': true,
  '--fallback-model': true,
  '--auth-type': true,
  '--openai-base-url': true,
  '--max-session-turns': true,
  '--max-wall-time': true,
  '--max-tool-calls': true,
  '--max-subagent-depth': true,
  '--exclude-tools': true,
  '--disabled-slash-commands': true,
  '--insecure': false,
  '--debug': false,
};

/** What a gated run does not take: it would add something that runs, or reads, without a question. */
const UNGATED: Readonly<Record<string, boolean>> = {
  '--mcp-config': true,
  '--include-directories': true,
  '--add-dir': true,
  '--extensions': true,
};

const HINTS: Readonly<Record<string, string>> = {
  '--model': 'set the model of the session instead',
  '-m': 'set the model of the session instead',
  ...sameWhy(ID, '--session-id --resume -r --continue -c --fork-session --chat-recording'),
  ...sameWhy(GATE, '--approval-mode --yolo -y --allowed-tools --core-tools --safe-mode --bare'),
  ...sameWhy(INPUT, '--prompt -p --prompt-interactive -i --input-format --output-format -o --acp --json-schema'),
  ...sameWhy(INPUT, '--json-fd --json-file --input-file --include-partial-messages --help --version'),
  ...sameWhy(PLACE, '--worktree --sandbox -s'),
};

/** The arguments that are refused, each with its reason. An option that is not known to be harmless is refused. */
export function qwenRefusals(args: readonly string[], isGated: boolean): readonly string[] {
  const [first, ...rest] = args;
  if (first === undefined) return [];
  const [flag = '', ...values] = first.split('=');
  const known = Object.hasOwn(PASSED, flag) ? PASSED[flag] : Object.hasOwn(UNGATED, flag) ? UNGATED[flag] : undefined;
  const isValueNext = known === true && values.length === 0;
  const others = qwenRefusals(isValueNext ? rest.slice(1) : rest, isGated);
  if (known === undefined)
    return [`${flag}: ${HINTS[flag] ?? 'it is not passed on; use the settings of Qwen Code'}`, ...others];
  if (isGated && Object.hasOwn(UNGATED, flag))
    return [`${flag}: behind a gate nothing is loaded that may run or read something by itself`, ...others];
  if (isValueNext && rest[0] === undefined) return [`${flag}: its value is missing`];
  return others;
}

function sameWhy(why: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, why]));
}
