import { agentProgram, agentVersions } from '../../scripts/agents.ts';

/** Before the tests with real agents: the agents are here. Where they cannot be had the tests say so, and CI fails. */
export default function setup(): void {
  for (const version of agentVersions()) {
    try {
      agentProgram(version);
    } catch (error) {
      if (process.env.CI === 'true') throw error;
      process.stderr.write(`outlast: ${error instanceof Error ? error.message : error}; its tests are left out\n`);
    }
  }
}
