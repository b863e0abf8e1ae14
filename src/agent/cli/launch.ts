import { assert } from '../../base/assert.ts';
import type { Launch } from '../../core/launch.ts';
import type { Spec } from '../../core/session.ts';
import type { CallerProcess, RunPlan } from '../seam/agent.ts';
import { type Environment, environmentOf } from '../seam/environment.ts';
import type { CliEntry } from './entry.ts';

const PROMPT_FILE = '{prompt_file}';

/** What can be written in a command line of the config, and what it stands for. */
export const PLACEHOLDERS = [PROMPT_FILE, '{conversation}', '{model}', '{workspace}'] as const;

/** What stands for the file of an image, in `image` only. */
export const IMAGE_PLACEHOLDER = '{image}';

/** Which variables of its caller the program gets. */
export function cliEnvironment({ env = [] }: Pick<CliEntry, 'env'>): Environment {
  return { passes: env, never: [] };
}

/** The launch plan of a run of a session: one turn, or its screen. */
export function cliLaunch(entry: CliEntry, spec: Spec, { env, umask }: CallerProcess, plan: RunPlan): Launch {
  const wanted = spec.conversation;
  assert(wanted !== undefined, 'a session of an agent has a conversation');
  const isLive = spec.drive === 'live' || plan.how === 'visit';
  const [program, ...words] = commandLine(entry, isLive, plan.how === 'resume' || plan.how === 'visit');
  const isFile = words.some((word) => word.includes(PROMPT_FILE));
  const filled = [...words, ...(wanted.model === null ? [] : (entry.model ?? []))].map((word) =>
    filledIn(word, {
      [PROMPT_FILE]: plan.promptPath ?? '/dev/null',
      '{conversation}': plan.conversation ?? wanted.id ?? '',
      '{model}': wanted.model ?? '',
      '{workspace}': spec.workspace,
    }),
  );
  const images = (plan.images ?? []).flatMap(({ path }) =>
    (entry.image ?? []).map((word) => filledIn(word, { [IMAGE_PLACEHOLDER]: path })),
  );
  return {
    argv: [program, ...filled, ...images, ...wanted.args],
    env: environmentOf(cliEnvironment(entry), env, wanted.envNames),
    cwd: spec.workspace,
    umask,
    stdin: isLive ? 'open' : isFile || plan.promptPath === null ? 'empty' : { path: plan.promptPath },
    split: !isLive,
  };
}

/** The command line for the first run of a conversation, or for a later one. */
function commandLine(
  { turn, resume, live }: CliEntry,
  isLive: boolean,
  isLater: boolean,
): readonly [string, ...string[]] {
  const [first, later] = isLive ? [live?.start, live?.resume] : [turn, resume];
  const words = isLater ? (later ?? first) : first;
  assert(words !== undefined, `its entry in the config has no ${isLive ? '`live`' : '`turn`'}`);
  return words;
}

/** In one pass: what is filled in is not read again. */
function filledIn(word: string, values: Readonly<Record<string, string>>): string {
  return word.replaceAll(/\{[a-z_]+\}/g, (each) => (Object.hasOwn(values, each) ? (values[each] ?? '') : each));
}
