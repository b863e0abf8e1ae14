import { allAgents } from '../../../src/agent/all.ts';
import { knownAgents } from '../../../src/agent/known.ts';
import { CAPABILITY_NAMES, type Capability } from '../../../src/agent/seam/capabilities.ts';
import { type Support, supportOf } from '../../../src/agent/support.ts';
import type { AgentUnderTest } from './agent.ts';

/** What some stories need besides capabilities: behaviour that some agents lack. */
export const FEATURES = {
  screen: 'its long-running process has a screen',
  'own screen': 'has a screen of its own, on which a person can continue a conversation',
  poisoned: 'a conversation can be one that its model refuses for ever',
  prices: 'its usage has a price',
  'second writers': 'another process can open a conversation that a live one has open',
  'known holders': 'its processes tell which conversation they have open',
  'end before exit': 'the end of a turn is known before its process exits',
  limits: 'says when it is at a usage limit, and until when',
  'limits in turns': 'a process of one turn reports that it is at a usage limit',
  'overload that fails': 'gives up when the API stays overloaded',
  'hangs in the stream': 'a stream without progress is not ended by itself',
  'flags on a screen': 'takes its conversation and its permission mode by flags of Claude Code',
  attach: 'its long-running process can be attached to',
  'transcript files': 'each conversation has a file of its own',
  'named transcripts': 'says where it writes its conversation when it opens one',
  'copied transcripts': 'the transcript of a fork begins with that of its origin',
  'early prompts': 'stores the first prompt of a conversation before its first reply',
  'failed beginnings': 'a conversation whose first turn failed can be continued',
  'last text': 'its reply is the last text of a turn',
  'prompts apart': 'a prompt that was interrupted before any output does not reach the model with the next one',
  steering: 'accepts a prompt during a turn',
  clear: 'has a command that starts another conversation',
  arguments: 'takes arguments from the caller',
  models: 'accepts a model',
  settings: 'reads settings from the workspace',
  'updates in a turn': 'a hook after a tool can add text for the model',
  'tools at once': 'runs several tools in parallel, and shows its thinking',
  'results apart': 'records the result of a call before those that run beside it have ended',
  'calls on record': 'records a call when it begins',
  'failures on record': 'records that a turn failed',
  'ends on record': 'records the end of a turn',
  subagents: 'has sub-agents',
  refusals: 'can be refused for reasons that only a person can fix',
  model: 'uses a model over the network, which a test can refuse',
  'faults on command': 'misbehaves when a test asks for it',
  'fast starts': 'starts in a fraction of a second',
  'gate in messages': 'asks before a call in the messages of its server',
  'gate openers': 'files or programs could answer its questions',
  'other clients': 'other programs can connect to its server',
  'gate by hooks': 'asks before a call by running a hook of Outlast',
  'gate without a screen': 'asks before every tool call in turns too',
  'early reloads': 'opens a conversation again in the minute in which it began',
  'images in order': 'gives its model the images of a prompt in their order',
  'images while it stays': 'a prompt to its long-running process can have images',
  'long prompts': 'accepts a prompt of a megabyte, if its model does',
  'questions at once': 'asks about the next call before the last one is decided',
  'deferred calls': 'can put off a call that waits for an answer, and end its process',
  'enclosing variables': 'sets variables that tell its children that they run in it',
  'kills at every moment': 'is killed at every moment of a turn',
  'found on the path': 'is a program that may be missing',
} as const;

export type Feature = keyof typeof FEATURES;
export type Need = Capability | Feature;

/** What an agent lacks, and why. */
export interface Lack {
  readonly need: Need;
  readonly why: string;
}

const SUPPORT = supportOf(knownAgents(allAgents('node', (own) => `${own}.js`)));

/** The support table of every agent that Outlast starts or reads. */
export function allSupport(): readonly Support[] {
  return SUPPORT;
}

/** The first of these that an agent lacks; null: it has them all. */
export function firstLack(agent: AgentUnderTest, needs: readonly Need[]): Lack | null {
  const need = needs.find((each) => lackOf(agent, each) !== null);
  return need === undefined ? null : { need, why: lackOf(agent, need) ?? '' };
}

function lackOf(agent: AgentUnderTest, need: Need): string | null {
  const own = agent.lacks[need];
  if (own !== undefined) return own;
  if (!isCapability(need)) return null;
  const { has, lacks } = supportFor(agent);
  return has.includes(capabilityFor(agent, need)) ? null : (lacks[need] ?? 'no reason given');
}

/** The capability that a need proves: a long-running process is live with a screen, or a server. */
export function capabilityFor({ stays }: AgentUnderTest, need: Capability): Capability {
  return need === 'live' ? stays : need;
}

export function isCapability(need: Need): need is Capability {
  return (CAPABILITY_NAMES as readonly Need[]).includes(need);
}

function supportFor({ name }: AgentUnderTest): Support {
  const found = allSupport().find((each) => each.name === name);
  if (found === undefined) throw new Error(`Outlast does not know an agent "${name}"`);
  return found;
}
