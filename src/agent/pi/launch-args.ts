/** Flags that are passed on, and how many values each has: they change what the model is told, not what it may do. */
const PASSED: Readonly<Record<string, 0 | 1>> = {
  '--append-system-prompt': 1,
  '--system-prompt': 1,
  '--tools': 1,
  '--exclude-tools': 1,
  '--no-tools': 0,
  '--skill': 1,
  '--no-skills': 0,
  '--prompt-template': 1,
  '--no-prompt-templates': 0,
  '--no-context-files': 0,
  '--offline': 0,
  '--verbose': 0,
};

/** Flags that load code, which behind a gate could do anything without a question. */
const CODE: Readonly<Record<string, 0 | 1>> = { '--extension': 1, '--no-extensions': 0 };

const HINTS: Readonly<Record<string, string>> = {
  '--model': 'set the model of the session instead',
  '--provider': 'set the model of the session instead, as PROVIDER/MODEL',
  '--thinking': 'set the thinking level of the session instead',
  '--approve': 'trust a folder with --trust instead',
  '--no-approve': 'trust a folder with --trust instead',
};

/** The arguments that are refused, each with its reason. */
export function piRefusals(args: readonly string[], isGated: boolean): readonly string[] {
  const refused: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const flag = args[i] ?? '';
    const values = PASSED[flag] ?? CODE[flag];
    const why = whyNot(flag, isGated);
    if (why !== null) refused.push(`${flag}: ${why}`);
    else if (values === 1 && args[i + 1] === undefined) refused.push(`${flag}: its value is missing`);
    i += values ?? 0;
  }
  return refused;
}

function whyNot(flag: string, isGated: boolean): string | null {
  if (Object.hasOwn(PASSED, flag)) return null;
  if (Object.hasOwn(CODE, flag)) return isGated ? 'behind a gate no other code is loaded' : null;
  if (Object.hasOwn(HINTS, flag)) return HINTS[flag] ?? null;
  return `only these are passed on, as whole words: ${[...Object.keys(PASSED), ...Object.keys(CODE)].join(', ')}`;
}
