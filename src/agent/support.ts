import { ACP_LACKS } from './acp/lacks.ts';
import type { KnownAgent } from './known.ts';
import type { Agent, ReadAgent } from './seam/agent.ts';
import { type Capability, capabilitiesOf } from './seam/capabilities.ts';
import type { Program } from './seam/program.ts';

/** What an agent can do, why it cannot do the rest, and which versions were tested. */
export interface Support {
  readonly name: string;
  readonly program: Pick<Program, 'name' | 'natives' | 'versionArgs' | 'oldest' | 'install'>;
  /** Outlast starts it. Otherwise it only reads its messages and records. */
  readonly isStarted: boolean;
  /** It is named in the config. */
  readonly isConfigured: boolean;
  /** What is wrong with its entry in the config; null: nothing. */
  readonly wrong: string | null;
  /** The versions that were tested, oldest first; none: it is part of Outlast, or named in the config. */
  readonly versions: readonly string[];
  readonly has: readonly Capability[];
  /** The only way in which one of them works, where there are others. */
  readonly only: Readonly<Partial<Record<Capability, string>>>;
  /** Why it lacks the others. */
  readonly lacks: Readonly<Partial<Record<Capability, string>>>;
}

type Tested = Pick<Support, 'versions' | 'lacks'>;

/** Agents that Outlast reads but does not start. */
export const READ_AGENTS: readonly ReadAgent[] = [];

const ECHO: Tested = {
  versions: [],
  lacks: {
    images: 'it has no model that could see them',
    conversations: 'it is for tests: only Outlast begins its conversations',
    compact: 'its conversations do not get too long',
    fork: 'its conversations cannot be copied',
  },
};

const TESTED: Readonly<Record<string, Tested>> = {
  claude: {
    versions: ['2.1.197', '2.1.328'],
    lacks: { server: 'it is driven by turns and by its screen' },
  },
  scripted: { versions: [], lacks: { server: 'it stands in for Claude Code, which has none' } },
  codex: {
    versions: ['0.166.0', '0.169.0'],
    lacks: {
      hooks: 'its server reports the same; hooks that a person has not trusted are skipped silently',
    },
  },
  opencode: {
    versions: ['1.18.33'],
    lacks: {
      live: 'its screen is a second client of its server: `attach` opens it',
      hooks: 'it has none; its server reports the same',
      compact: 'it compacts a conversation itself before it is too long',
    },
  },
  copilot: {
    versions: ['1.0.102'],
    lacks: {
      live: 'its screen does not show what it is doing: `attach` opens it between two turns',
      server: 'it is driven by turns',
      hooks: 'its output reports the same',
      compact: 'it compacts a conversation itself before it is too long',
      fork: 'it cannot copy a conversation from its command line',
    },
  },
  pi: {
    versions: ['0.87.1'],
    lacks: {
      live: 'its screen does not show what it is doing: `attach` opens it between two turns',
      server: 'it is driven by turns',
      hooks: 'its output reports the same',
      compact: 'it compacts a conversation itself before it is too long',
    },
  },
  acp: {
    versions: [],
    lacks: ACP_LACKS,
  },
  gemini: {
    versions: ['0.61.0'],
    lacks: {
      live: 'its screen is not driven',
      hooks: 'its output reports the same, and its own hooks let a call through when they fail',
      compact: 'it compacts a conversation itself before it is too long',
      fork: 'it cannot copy a conversation',
    },
  },
  goose: {
    versions: ['1.52.0'],
    lacks: {
      turns: 'a process that speaks the Agent Client Protocol stays between turns',
      live: 'its screen is not driven',
      hooks: 'it reports in messages',
      record: 'its messages are enough to drive it; what it stores is not read',
      usage: 'its messages have the usage of some turns only',
      conversations: 'it stores a call only when it is over: one that died with its process would be repeated',
      compact: 'it compacts a conversation itself before it is too long',
      fork: 'the protocol cannot copy a conversation',
    },
  },
  qwen: {
    versions: ['0.24.4'],
    lacks: {
      live: 'it is driven by messages; `attach` opens its screen between two turns',
      hooks: 'what it prints reports the same, and its own hooks let a call through when they fail',
      compact: 'it compacts a conversation itself before it is too long',
    },
  },
  echo: ECHO,
  'echo-websocket': ECHO,
  'echo-http': ECHO,
};

/** All agents: first those that Outlast starts, then those that it only reads. */
export function supportOf(agents: readonly KnownAgent[]): readonly Support[] {
  const started = agents.map((agent) => ({ agent, isStarted: true }));
  const read = READ_AGENTS.map((agent) => ({ agent, isStarted: false }));
  return [...started, ...read].map(({ agent, isStarted }) => {
    const { versions, lacks } = TESTED[agent.name] ?? { versions: [], lacks: agent.configured?.lacks ?? {} };
    const { name, program, configured, wrong = null } = agent;
    const isConfigured = configured !== undefined;
    const common = { name, program, isStarted, isConfigured, wrong, versions };
    return { ...common, has: capabilitiesOf(agent), only: onlyOf(agent), lacks };
  });
}

/** A gate holds where its agent asks, and nowhere else; the output of a turn has its usage, and a screen has none. */
function onlyOf(agent: Agent | ReadAgent): Support['only'] {
  const { images, server } = agent;
  return { ...gateOnly(agent), ...(images !== undefined && server && !images.server && { images: 'in turns' }) };
}

function gateOnly({ gate, turns, live, server, configured, usage }: Agent | ReadAgent): Support['only'] {
  if (configured !== undefined && usage !== undefined && live !== undefined) return { usage: 'in turns' };
  if (gate?.asks === 'protocol' && (turns !== undefined || live !== undefined)) return { gate: 'in messages' };
  return gate?.asks === 'hooks' && server !== undefined ? { gate: 'in turns and on its screen' } : {};
}
