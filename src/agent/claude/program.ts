import type { Program } from '../seam/program.ts';
import type { Dialect } from './dialect.ts';
import { CLAUDE_ENVIRONMENT } from './environment.ts';
import { refusals } from './launch-args.ts';
import { isFullId, MODELS } from './models.ts';
import { THINKING } from './thinking.ts';

/** The oldest version that is tested. */
const OLDEST = '2.1.197';

/** The program of Claude Code. */
export function claudeProgram({ program, install }: Dialect): Program {
  return {
    name: program[0],
    versionArgs: [...program.slice(1), '--version'],
    oldest: OLDEST,
    install,
    idsChosenBy: 'us',
    models: { table: MODELS, isId: isFullId },
    thinking: THINKING,
    ownFiles: ['.claude', '.mcp.json'],
    refusals: (args, isGated) => refusals(args, isGated).map(({ arg, why }) => `${arg}: ${why}`),
    environment: CLAUDE_ENVIRONMENT,
    alone,
  };
}

/** Nothing listens on this port, so the agent does not wait for long. */
function alone(home: string, model = 'http://127.0.0.1:9'): Readonly<Record<string, string>> {
  return {
    CLAUDE_CONFIG_DIR: `${home}/config`,
    ANTHROPIC_BASE_URL: model,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_MAX_RETRIES: '0',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_ERROR_REPORTING: '1',
    IS_SANDBOX: '1',
  };
}
