import type { Program } from '../seam/program.ts';
import { COPILOT_ENVIRONMENT } from './environment.ts';
import { PROGRAM } from './launch.ts';
import { copilotRefusals } from './launch-args.ts';
import { EFFORTS, isModelId } from './models.ts';

/** The packages that have Copilot itself, by their platforms. */
const PLATFORMS = ['linux-x64', 'linux-arm64', 'linuxmusl-x64', 'linuxmusl-arm64', 'darwin-x64', 'darwin-arm64'];

/** The script of the npm package, which starts Copilot as its child. */
const SCRIPT = /^(.*)\/@github\/copilot\/(?:npm-loader|index)\.js$/;

/** The program of Copilot CLI. */
export const copilotProgram: Program = {
  name: PROGRAM,
  natives,
  versionArgs: ['--version'],
  oldest: '1.0.102',
  install: 'Install it with `npm install --global @github/copilot`.',
  idsChosenBy: 'us',
  // Which models there are depends on the user's plan.
  models: { table: [], isId: isModelId },
  thinking: EFFORTS,
  ownFiles: ['.github/hooks', '.github/copilot', '.github/agents', '.github/skills', '.mcp.json', '.copilot'],
  refusals: copilotRefusals,
  environment: COPILOT_ENVIRONMENT,
  alone,
};

/** Copilot itself, beside its script or below it; in every platform's place, because only one of them is installed. */
function natives(script: string): readonly string[] {
  const [, modules] = SCRIPT.exec(script) ?? [];
  if (modules === undefined) return [];
  return PLATFORMS.flatMap((platform) =>
    [modules, `${modules}/@github/copilot/node_modules`].map(
      (folder) => `${folder}/@github/copilot-${platform}/copilot`,
    ),
  );
}

/** A home of its own, no network, and a local model instead of the user's. */
function alone(home: string, model = 'http://127.0.0.1:9'): Readonly<Record<string, string>> {
  return {
    COPILOT_HOME: `${home}/copilot`,
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
    COPILOT_PROVIDER_API_KEY: 'outlast-has-no-key',
    COPILOT_MODEL: 'gpt-4.1',
  };
}
