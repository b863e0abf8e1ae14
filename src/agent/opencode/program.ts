import type { Program } from '../seam/program.ts';
import { OPENCODE_ENVIRONMENT } from './environment.ts';
import { PROGRAM } from './launch.ts';
import { opencodeRefusals } from './launch-args.ts';
import { isModelId, VARIANTS } from './models.ts';

/** The program of OpenCode. Its package puts the program itself on the PATH, not a script that starts it. */
export const opencodeProgram: Program = {
  name: PROGRAM,
  versionArgs: ['--version'],
  oldest: '1.18.33',
  install: 'Install it with `npm install --global opencode-ai`.',
  idsChosenBy: 'agent',
  // Which models there are depends on the user's providers.
  models: { table: [], isId: isModelId },
  thinking: VARIANTS,
  ownFiles: ['opencode.json', 'opencode.jsonc', '.opencode'],
  refusals: opencodeRefusals,
  environment: OPENCODE_ENVIRONMENT,
  alone,
};

/** Folders of its own, no downloads, and a local model instead of the user's under a name that no config has. */
function alone(home: string, model?: string): Readonly<Record<string, string>> {
  const options = { baseURL: `${model}/v1`, apiKey: 'none' };
  const provider = { outlast: { npm: '@ai-sdk/openai-compatible', options, models: { probe: {} } } };
  const content = { model: 'outlast/probe', small_model: 'outlast/probe', provider };
  return {
    XDG_DATA_HOME: `${home}/data`,
    XDG_CONFIG_HOME: `${home}/config`,
    XDG_CACHE_HOME: `${home}/cache`,
    XDG_STATE_HOME: `${home}/state`,
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    ...(model !== undefined && { OPENCODE_CONFIG_CONTENT: JSON.stringify(content) }),
  };
}
