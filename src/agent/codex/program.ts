import type { Program } from '../seam/program.ts';
import { CODEX_ENVIRONMENT } from './environment.ts';
import { PROGRAM } from './launch.ts';
import { codexRefusals } from './launch-args.ts';
import { EFFORTS, isModelId, MODELS } from './models.ts';

/** The packages that have Codex itself, by their platforms. */
const PLATFORMS: readonly (readonly [suffix: string, triple: string])[] = [
  ['linux-x64', 'x86_64-unknown-linux-musl'],
  ['linux-arm64', 'aarch64-unknown-linux-musl'],
  ['darwin-x64', 'x86_64-apple-darwin'],
  ['darwin-arm64', 'aarch64-apple-darwin'],
];

/** The script of the npm package, which starts Codex as its child. */
const SCRIPT = /^(.*)\/@openai\/codex\/bin\/codex\.js$/;

/** The program of Codex. */
export const codexProgram: Program = {
  name: PROGRAM,
  natives,
  versionArgs: ['--version'],
  oldest: '0.166.0',
  install: 'Install it with `npm install --global @openai/codex`.',
  idsChosenBy: 'agent',
  models: { table: MODELS, isId: isModelId },
  thinking: EFFORTS,
  ownFiles: ['.codex'],
  refusals: codexRefusals,
  environment: CODEX_ENVIRONMENT,
  alone: (home) => ({ CODEX_HOME: `${home}/codex` }),
  aloneArgs,
};

/** Codex itself, beside its script or below it; in every platform's place, because only one of them is installed. */
function natives(script: string): readonly string[] {
  const [, modules] = SCRIPT.exec(script) ?? [];
  if (modules === undefined) return [];
  return PLATFORMS.flatMap(([suffix, triple]) =>
    [modules, `${modules}/@openai/codex/node_modules`].map(
      (folder) => `${folder}/@openai/codex-${suffix}/vendor/${triple}/bin/codex`,
    ),
  );
}

/** A local model instead of the user's, under a name that no config has. */
function aloneArgs(model: string): readonly string[] {
  const provider = `{name="outlast",base_url="${model}/v1",wire_api="responses",request_max_retries=0}`;
  return ['-c', 'model_provider="outlast"', '-c', `model_providers.outlast=${provider}`];
}
