import { assert } from '../../base/assert.ts';
import type { Launch } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { CallerProcess, RunPlan } from '../seam/agent.ts';
import { type Environment, environmentOf } from '../seam/environment.ts';
import { foldersOf } from '../seam/images.ts';
import { GATE_VARIABLES, GATE_WORDS, policyFiles, policyWords } from './gate.ts';
import { modeWord } from './modes.ts';

/** The name of the program on the PATH. */
export const PROGRAM = 'gemini';

/** The variables that Gemini CLI gets from its caller's environment. */
export const GEMINI_ENVIRONMENT: Environment = {
  passes: ['GEMINI_API_KEY', 'GEMINI_MODEL', 'GEMINI_CLI_HOME', 'GOOGLE_*'],
  // What an outer Gemini CLI tells its tools, and what would replace its system prompt.
  never: ['GEMINI_*'],
  home: 'GEMINI_CLI_HOME',
};

/** The launch plan of a run of a session. */
export function geminiLaunch(spec: Spec, { env: caller, umask }: CallerProcess, plan: RunPlan): Launch {
  const wanted = spec.conversation;
  assert(wanted !== undefined, 'a session of Gemini CLI has a conversation');
  // It would start itself again as a child, which outlives it when it is killed.
  const env = { ...environmentOf(GEMINI_ENVIRONMENT, caller, wanted.envNames), GEMINI_CLI_NO_RELAUNCH: 'true' };
  const common = { env, cwd: spec.workspace, umask };
  const words = [...(wanted.model ? ['-m', wanted.model] : []), ...wanted.args];
  if (spec.drive === 'server') return serverLaunch(common, words, spec, plan);
  const id = idOf(plan.conversation ?? wanted.id);
  if (plan.how === 'visit')
    return { ...common, argv: [PROGRAM, ...TRUSTED, ...words, '--resume', id], stdin: 'open', split: false };
  const which = plan.how === 'resume' ? ['--resume', id] : ['--session-id', id];
  const stdin = plan.promptPath === null ? 'empty' : { path: plan.promptPath };
  const images = foldersOf(plan.images).map((folder) => `--include-directories=${folder}`);
  const argv = [PROGRAM, '-o', 'stream-json', ...modeWords(spec), ...TRUSTED, ...words, ...images, ...which] as const;
  return { ...common, argv, stdin, split: true };
}

/** A folder with settings of its own was trusted by the caller; without trust it would have no tools in turns. */
const TRUSTED = ['--skip-trust'] as const;

/** A process that is driven by messages. Which conversation it opens, a message says. */
function serverLaunch(
  common: Pick<Launch, 'env' | 'cwd' | 'umask'>,
  words: readonly string[],
  spec: Spec,
  { files: folder }: RunPlan,
): Launch {
  const isGated = spec.conversation?.gate !== undefined;
  const decided = isGated ? GATE_WORDS : [...modeWords(spec), ...TRUSTED];
  return {
    ...common,
    argv: [PROGRAM, '--acp', ...policyWords(folder), ...decided, ...words],
    env: isGated ? { ...common.env, ...GATE_VARIABLES } : common.env,
    files: policyFiles(isGated),
    stdin: 'messages',
    split: true,
  };
}

function modeWords({ conversation }: Spec): readonly string[] {
  return ['--approval-mode', modeWord(conversation?.mode ?? 'none')];
}

/** A number would be taken for a place in its list of conversations. */
function idOf(id: string | null): string {
  assert(id !== null && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id), `a conversation id is a UUID: ${id}`);
  return id;
}
