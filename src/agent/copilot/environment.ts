import type { Environment } from '../seam/environment.ts';

/**
 * The variables that Copilot gets from its caller's environment: its login, its home and a model of the user's own.
 * What allows calls or loads other code is not passed on.
 */
export const COPILOT_ENVIRONMENT: Environment = {
  passes: [
    ...['COPILOT_HOME', 'COPILOT_MODEL', 'COPILOT_OFFLINE', 'COPILOT_PROVIDER_*', 'COPILOT_AUTO_TIER'],
    ...['COPILOT_GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_TOKEN', 'GH_HOST', 'COPILOT_GH_HOST'],
    ...['COPILOT_CUSTOM_INSTRUCTIONS_DIRS', 'USE_BUILTIN_RIPGREP', 'USE_TGREP'],
  ],
  never: ['COPILOT_*'],
  home: 'COPILOT_HOME',
};
