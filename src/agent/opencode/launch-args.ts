/** Arguments that are passed on, by name: those that only change what is logged. */
const PASSED: readonly string[] = ['--print-logs', '--log-level', '--pure'];

const HINTS: Readonly<Record<string, string>> = {
  '--model': 'set the model of the session instead',
  '-m': 'set the model of the session instead',
  '--variant': 'set the thinking level of the session instead',
  '--auto': 'the session decides about permissions',
};

/** The arguments that are refused, each with its reason. */
export function opencodeRefusals(args: readonly string[]): readonly string[] {
  return args.flatMap((arg, i) => {
    const [flag = ''] = arg.split('=', 1);
    if (PASSED.includes(flag) || args[i - 1] === '--log-level') return [];
    return `${flag}: ${HINTS[flag] ?? `only ${PASSED.join(', ')} are passed on; put the rest into a config file`}`;
  });
}
