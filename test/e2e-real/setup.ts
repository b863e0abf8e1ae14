import { agentProgram, agentVersions } from '../../scripts/agents.ts';
import { inspectorProgram } from '../../scripts/inspector.ts';
import { openclawProgram } from '../../scripts/openclaw.ts';

/** Before the tests with real agents: they and the inspector are here. Where they cannot be had, CI fails. */
export default function setup(): void {
  const needed = agentVersions().map((version) => () => agentProgram(version));
  for (const get of [...needed, inspectorProgram, openclawProgram]) {
    try {
      get();
    } catch (error) {
      if (process.env.CI === 'true') throw error;
      process.stderr.write(`outlast: ${error instanceof Error ? error.message : error}; its tests are left out\n`);
    }
  }
}
