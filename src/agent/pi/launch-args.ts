import { type PassedArgs, refusedArgs } from '../seam/passed-args.ts';

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

const ARGS: PassedArgs = {
  passed: PASSED,
  ungated: { flags: CODE, why: 'no other code is loaded' },
  hints: HINTS,
};

/** The arguments that are refused, each with its reason. */
export function piRefusals(args: readonly string[], isGated: boolean): readonly string[] {
  return refusedArgs(ARGS, args, isGated);
}
