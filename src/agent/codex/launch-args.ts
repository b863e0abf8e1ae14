const DECIDED = 'the session decides about permissions';

/** Settings that the session itself passes on, or that would let calls through its gate. */
const KEYS: Readonly<Record<string, string>> = {
  model: 'set the model of the session instead',
  model_reasoning_effort: 'set the thinking level of the session instead',
  approval_policy: DECIDED,
  approvals_reviewer: DECIDED,
  sandbox_mode: DECIDED,
  sandbox_permissions: DECIDED,
  default_permissions: DECIDED,
  permissions: DECIDED,
  projects: 'trust a folder with --trust instead',
};

/** Behind a gate no setting may add something that runs or answers by itself. */
const GATED = /^(features|hooks|plugins|notify|mcp_servers|shell_environment_policy|rules)\b/;

/** The arguments that are refused, each with its reason. Only `-c KEY=VALUE`, `--enable` and `--disable` are known. */
export function codexRefusals(args: readonly string[], isGated: boolean): readonly string[] {
  return optionsIn(args).flatMap(({ flag, value }) => {
    const isSetting = flag === '-c' || flag === '--config';
    if (!isSetting && flag !== '--enable' && flag !== '--disable')
      return `${flag}: only -c KEY=VALUE, --enable NAME and --disable NAME are passed on`;
    if (value === undefined) return `${flag}: its value is missing`;
    const why = valueWhy(isSetting ? value : `features.${value}`, isGated);
    return why === null ? [] : `${flag} ${value}: ${why}`;
  });
}

interface Option {
  readonly flag: string;
  readonly value: string | undefined;
}

/** Every option has one value: after `=`, or as the next word. */
function optionsIn(args: readonly string[]): Option[] {
  const [first, second, ...rest] = args;
  if (first === undefined) return [];
  const [flag, value] = splitAt(first, first.startsWith('--') ? '=' : '');
  if (value !== undefined) return [{ flag, value }, ...optionsIn(args.slice(1))];
  return [{ flag, value: second }, ...optionsIn(rest)];
}

function valueWhy(setting: string, isGated: boolean): string | null {
  const key = (splitAt(setting, '=')[0] ?? '').trim().replaceAll('"', '');
  const [first = ''] = key.split('.');
  if (Object.hasOwn(KEYS, first)) return KEYS[first] ?? null;
  return isGated && GATED.test(key) ? 'behind a gate nothing is set that may run or allow something by itself' : null;
}

function splitAt(text: string, mark: string): [string, string?] {
  const at = mark === '' ? -1 : text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
