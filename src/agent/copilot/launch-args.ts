import { type PassedArgs, refusedArgs } from '../seam/passed-args.ts';

/** Flags that are passed on, with one value each or none: they take something away, or change what is logged. */
const PASSED: Readonly<Record<string, 0 | 1>> = {
  '--log-level': 1,
  '--log-dir': 1,
  '--context': 1,
  '--max-ai-credits': 1,
  '--disable-mcp-server': 1,
  '--disable-builtin-mcps': 0,
  '--disable-client-telemetry': 0,
  '--no-custom-instructions': 0,
  '--no-experimental': 0,
};

/** Flags that load something which may act by itself, or that widen where it may look. */
const WIDER: Readonly<Record<string, 0 | 1>> = {
  '--add-dir': 1,
  '--agent': 1,
  '--additional-mcp-config': 1,
  '--plugin-dir': 1,
  '--experimental': 0,
};

const DECIDED = 'the session decides about permissions';

const HINTS: Readonly<Record<string, string>> = {
  '--model': 'set the model of the session instead',
  '--reasoning-effort': 'set the thinking level of the session instead',
  '--trust-folder': 'trust a folder with --trust instead',
  '--allow-all': DECIDED,
  '--yolo': DECIDED,
  '--allow-all-tools': DECIDED,
  '--allow-tool': DECIDED,
  '--mode': DECIDED,
  '--autopilot': DECIDED,
};

const ARGS: PassedArgs = {
  passed: PASSED,
  ungated: { flags: WIDER, why: 'nothing is loaded that may act by itself' },
  hints: HINTS,
};

/** The arguments that are refused, each with its reason. */
export function copilotRefusals(args: readonly string[], isGated: boolean): readonly string[] {
  return refusedArgs(ARGS, args, isGated);
}
