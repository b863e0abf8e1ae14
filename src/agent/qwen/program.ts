import type { Program } from '../seam/program.ts';
import { QWEN_ENVIRONMENT } from './environment.ts';
import { PROGRAM } from './launch.ts';
import { qwenRefusals } from './launch-args.ts';
import { isModelId } from './models.ts';

/** The script of the npm package, which starts Qwen Code as its child. */
const SCRIPT = /^(.*\/@qwen-code\/qwen-code)\/cli-entry\.js$/;

/** The program of Qwen Code. */
export const qwenProgram: Program = {
  name: PROGRAM,
  natives: (script) => {
    const [, folder] = SCRIPT.exec(script) ?? [];
    return folder === undefined ? [] : [`${folder}/cli.js`];
  },
  versionArgs: ['--version'],
  oldest: '0.24.4',
  install: 'Install it with `npm install --global @qwen-code/qwen-code` (Node 22 or newer).',
  idsChosenBy: 'us',
  // Which models there are depends on the user's provider.
  models: { table: [], isId: isModelId },
  ownFiles: ['.qwen', '.mcp.json'],
  refusals: qwenRefusals,
  environment: QWEN_ENVIRONMENT,
  alone,
};

/** A home of its own, and a local model instead of the user's. */
function alone(home: string, model = 'http://127.0.0.1:9'): Readonly<Record<string, string>> {
  return {
    HOME: home,
    QWEN_HOME: `${home}/qwen`,
    OPENAI_API_KEY: 'none',
    OPENAI_BASE_URL: `${model}/v1`,
    OPENAI_MODEL: 'probe',
    QWEN_USAGE_STATISTICS_ENABLED: 'false',
  };
}
