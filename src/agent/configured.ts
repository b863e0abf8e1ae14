import { type AcpCommand, acpAgent } from './acp/acp.ts';
import { ANY_ENVIRONMENT } from './acp/environment.ts';
import { ACP_LACKS } from './acp/lacks.ts';
import { cliAgent } from './cli/cli.ts';
import type { CliEntry } from './cli/entry.ts';
import type { Agent } from './seam/agent.ts';

/** A program that speaks the Agent Client Protocol, as the config describes it. */
export interface AcpEntry extends Pick<CliEntry, 'env' | 'version' | 'install'> {
  readonly acp: AcpCommand;
}

/** An agent that the config names: how it is run, or why its entry is wrong. */
export type AgentEntry =
  | { readonly is: 'cli'; readonly cli: CliEntry }
  | { readonly is: 'acp'; readonly acp: AcpEntry }
  /** isTaken: a built-in agent has its name. */
  | { readonly is: 'wrong'; readonly why: string; readonly isTaken?: boolean };

/** The agents that the config names. `source`: where the config is, for people. */
export function configuredAgents(
  entries: Readonly<Record<string, AgentEntry>>,
  source: string,
): Readonly<Record<string, Agent>> {
  return Object.fromEntries(
    Object.entries(entries).map(([name, entry]) => {
      // A name that is wrong may be that of a built-in agent, which is listed beside it.
      const key = entry.is === 'wrong' && entry.isTaken === true ? `${name} (config)` : name;
      return [key, agentOf(key, entry, source)] as const;
    }),
  );
}

function agentOf(name: string, entry: AgentEntry, source: string): Agent {
  switch (entry.is) {
    case 'cli':
      return cliAgent(name, entry.cli);
    case 'acp':
      return { ...acpAgent(name, entry.acp.acp, { program: acpProgram(entry.acp) }), configured: { lacks: ACP_LACKS } };
    case 'wrong':
      return wrongAgent(name, `config file ${source}: ${entry.why}`);
  }
}

function acpProgram({ env = [], version, install }: AcpEntry) {
  return {
    oldest: '0',
    environment: { ...ANY_ENVIRONMENT, passes: [...ANY_ENVIRONMENT.passes, ...env] },
    ...(version && { versionArgs: version }),
    ...(install && { install }),
  };
}

/** It is listed, and says what is wrong; its sessions are held until it is put right. */
function wrongAgent(name: string, wrong: string): Agent {
  const { program } = cliAgent(name, { turn: [name] });
  return {
    name,
    wrong,
    ...(program && { program }),
    launch: () => {
      throw new Error(wrong);
    },
    configured: { lacks: {} },
  };
}
