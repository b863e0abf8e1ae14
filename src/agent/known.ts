import { didYouMean } from '../base/closest.ts';
import { OutlastError } from '../base/errors.ts';
import type { Spec } from '../core/session.ts';
import type { Agent } from './seam/agent.ts';
import type { Drive } from './seam/drive.ts';
import type { Program } from './seam/program.ts';

/** An agent with a program of its own, so not a plain command. */
export interface KnownAgent extends Agent {
  readonly program: Program;
}

/** The agents that accept prompts. */
export function knownAgents(agents: Readonly<Record<string, Agent>>): readonly KnownAgent[] {
  return Object.values(agents).flatMap((agent) => {
    const { program } = agent;
    return program === undefined ? [] : [{ ...agent, program }];
  });
}

/** The agent of this name, or an error that lists the known ones. */
export function knownAgent(agents: Readonly<Record<string, Agent>>, name: string): KnownAgent {
  const known = knownAgents(agents);
  const agent = known.find((each) => each.name === name);
  if (agent?.wrong !== undefined) throw new OutlastError('config_invalid', agent.wrong);
  if (agent !== undefined) return agent;
  const names = known.map((each) => each.name).join(', ');
  throw new OutlastError(
    'input_invalid',
    `there is no agent "${name}"${
      didYouMean(
        name,
        known.map((each) => each.name),
      ) || `; available: ${names}`
    }`,
  );
}

/** The drive of the agent, or an error that says which drives it has. */
export function driveOf(agent: Agent, drive: Spec['drive']): Drive {
  const { turns, live, server, name } = agent;
  const found = drive === 'live' ? live : drive === 'server' ? server : turns;
  if (found !== undefined) return found;
  const isLive = live !== undefined || server !== undefined;
  const others = [...(turns === undefined ? [] : ['turns']), ...(isLive ? ['live'] : [])];
  throw new OutlastError('input_invalid', `${name} does not support the drive ${drive}; use: ${others.join(', ')}`);
}

/** The drive for a session: `live` uses messages where the agent supports them, unless its screen is wanted. */
export function driveFor(
  { turns, live, server }: Agent,
  wanted: 'turns' | 'live',
  wantsScreen: boolean,
): Spec['drive'] {
  if (server === undefined) return wanted;
  // An agent that has no process per turn is driven by messages in any case.
  if (wanted === 'turns' && turns !== undefined) return wanted;
  return wantsScreen && live !== undefined ? 'live' : 'server';
}

/** A text that the agent would read as a command is sent only if that is intended. */
export function checkPrompt(drive: Drive, text: string, asCommand: boolean): void {
  if (asCommand || !drive.isCommand(text)) return;
  const word = text.trim().split(/\s/, 1)[0] ?? '';
  const why = `"${word}" is a command of the agent, not a prompt; pass --command if you mean it`;
  throw new OutlastError('input_invalid', why);
}

/** Refuses images for an agent that takes none in this drive, and with a command of the agent. */
export function checkImages(
  agents: Readonly<Record<string, Agent>>,
  { agent, drive }: Pick<Spec, 'agent' | 'drive'>,
  images: readonly unknown[],
  isCommand: boolean,
): void {
  if (images.length === 0) return;
  if (isCommand) throw new OutlastError('input_invalid', 'a command of the agent cannot have images');
  const takes = (each: Agent, how = drive): boolean => how !== 'command' && each.images?.[how] !== undefined;
  const known = knownAgents(agents);
  if (known.some((each) => each.name === agent && takes(each))) return;
  const own = DRIVES.filter((each) => known.some((one) => one.name === agent && takes(one, each)));
  const others = known.filter((each) => takes(each)).map(({ name }) => name);
  const instead =
    own.length > 0 ? `it does ${own.map((each) => DRIVE_WORDS[each]).join(' and ')}` : `these do: ${others.join(', ')}`;
  throw new OutlastError('not_supported', `${agent} takes no images ${DRIVE_WORDS[drive]}; ${instead}`);
}

const DRIVES = ['turns', 'live', 'server'] as const;
const DRIVE_WORDS = { turns: 'in turns', live: 'on its screen', server: 'in messages', command: '' } as const;
