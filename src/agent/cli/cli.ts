import type { Verdict } from '../../core/snapshot.ts';
import type { Agent } from '../seam/agent.ts';
import type { RunEnd } from '../seam/drive.ts';
import type { Program } from '../seam/program.ts';
import type { TurnsDrive } from '../seam/turns.ts';
import type { UsageReader } from '../seam/usage.ts';
import type { CliEntry } from './entry.ts';
import { cliEnvironment, cliLaunch } from './launch.ts';
import { cliLive } from './live.ts';
import { cliListener, cliStream } from './stream.ts';
import { cliRecord } from './transcript.ts';

/** A program that the config describes by its command lines, as an agent. */
export function cliAgent(name: string, entry: CliEntry): Agent {
  return {
    name,
    program: programOf(entry),
    launch: (...given) => cliLaunch(entry, ...given),
    ...(entry.turn === undefined ? {} : { turns: turnsOf(entry) }),
    ...(entry.live === undefined ? {} : { live: cliLive(entry.live) }),
    ...(entry.transcript === undefined ? {} : { record: cliRecord(entry.transcript) }),
    ...(entry.image === undefined || entry.turn === undefined ? {} : { images: { turns: 'arguments' } }),
    resumesUnread: true,
    ...(entry.usage === undefined || entry.turn === undefined ? {} : { usage: usageOf(name) }),
    configured: { lacks: LACKS },
  };
}

function turnsOf(entry: CliEntry): TurnsDrive {
  const [listener, stream] = [cliListener(entry), cliStream(entry)];
  return { isCommand: () => false, verdict, listener, stream, readsErrors: true };
}

const LACKS = {
  turns: 'its entry in the config has no `turn`',
  live: 'its entry in the config has no `live`',
  server: 'it speaks no protocol that Outlast knows; see `acp`',
  hooks: 'it runs no hooks',
  actions: 'what its tool calls would do is not known',
  gate: 'it does not ask before it acts',
  record: 'its entry in the config has no `transcript`',
  usage: 'its entry in the config has no `usage` for turns',
  conversations: 'where it stores its conversations is not known',
  images: 'its entry in the config has no `image`',
  compact: 'whether it can shorten a conversation is not known',
  fork: 'whether it can copy a conversation is not known',
} as const;

function programOf(entry: CliEntry): Program {
  const [name = ''] = entry.turn ?? entry.live?.start ?? [];
  return {
    name,
    versionArgs: entry.version ?? ['--version'],
    oldest: '0',
    install: entry.install ?? `Install ${name}, or put its path into the config.`,
    idsChosenBy: entry.conversation === undefined ? 'us' : 'agent',
    models: { table: [], isId: () => entry.model !== undefined },
    ownFiles: [],
    refusals: () => [],
    environment: cliEnvironment(entry),
    alone: () => ({}),
  };
}

/** Whether a turn failed is read from its output; any other end of its process is the end of the turn. */
function verdict({ status, terminalGone }: RunEnd): Verdict {
  return status > 128 || terminalGone ? 'crashed' : 'finished';
}

/** Each turn reports what it used. The account is not known: all sessions of the agent share one. */
function usageOf(name: string): UsageReader {
  return {
    spent: (_spoken, _since, said) => {
      const used = said?.used;
      if (used === undefined) return null;
      const { tokens, usd } = used;
      return { tokens, usd, by: [{ model: null, tokens, usd }], upTo: null };
    },
    account: () => name,
  };
}
