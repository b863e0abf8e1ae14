import type { LaunchFile } from '../../core/launch.ts';
import type { Program } from '../seam/program.ts';
import { PI_ENVIRONMENT } from './environment.ts';
import { PROGRAM } from './launch.ts';
import { piRefusals } from './launch-args.ts';
import { isModelId, LEVELS } from './models.ts';

/** The program of pi: a script of Node, which is the agent itself. */
export const piProgram: Program = {
  name: PROGRAM,
  versionArgs: ['--version'],
  oldest: '0.87.1',
  install: 'Install it with `npm install --global @earendil-works/pi-coding-agent` (Node 22 or newer).',
  idsChosenBy: 'us',
  // Which models there are depends on the user's providers.
  models: { table: [], isId: isModelId },
  thinking: LEVELS,
  ownFiles: ['.pi', '.agents/skills'],
  refusals: piRefusals,
  environment: PI_ENVIRONMENT,
  alone: (home) => ({ PI_CODING_AGENT_DIR: `${home}/pi`, PI_OFFLINE: '1', PI_SKIP_VERSION_CHECK: '1' }),
  aloneFiles,
};

/** A local model, and no other. */
function aloneFiles(model: string): readonly LaunchFile[] {
  const outlast = { baseUrl: `${model}/v1`, api: 'openai-completions', apiKey: 'none', models: [{ id: 'probe' }] };
  const settings = { defaultProvider: 'outlast', defaultModel: 'probe' };
  return [
    { name: 'pi/models.json', text: JSON.stringify({ providers: { outlast } }) },
    { name: 'pi/settings.json', text: JSON.stringify(settings) },
  ];
}
