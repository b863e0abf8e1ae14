import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitingHooks } from '../agents/gated.ts';
import { eventually } from '../eventually.ts';
import type { World } from '../world.ts';
import { type Gated, type GatedOptions, spooled, writesWord } from './gate-world.ts';

/** A daemon with agents of one kind behind its gate. */
export interface Place {
  readonly world: World;
  agent(options: GatedOptions): Promise<Gated>;
}

/** A fault around a gate, and what must follow. */
export interface Fault {
  readonly what: string;
  /** What the agent is told about a call that was not made. */
  readonly says: RegExp;
  /** The words of all calls that may be made. */
  readonly made: readonly string[];
  /** One more call that may be made, if its row in the audit could be written after all. */
  readonly perhaps?: string;
  /** The number of variants, which are played one after the other. */
  readonly variants?: number;
  /** Causes the fault for this many agents at once. */
  play(place: Place, count: number): Promise<Gated[]>;
}

/** A rule allows everything: only the fault prevents a call. */
const ALLOWED = { allow: ['Bash'], policy: { approvalMsMax: 1_000 } };
const TWO_CALLS = { ...ALLOWED, steps: [writesWord('a'), writesWord('b', { delayMs: 1_500 }), { text: 'bye' }] };
const ONE_CALL = { ...ALLOWED, steps: [writesWord('a'), { text: 'bye' }] };

/** Starts agents, and waits until each has made its first call. */
export async function startAndAwaitCall(
  place: Place,
  count: number,
  options: GatedOptions,
  word = 'a',
): Promise<Gated[]> {
  const agents = await startMany(count, () => place.agent(options));
  for (const agent of agents) {
    await eventually(() => agent.made().includes(word), { msMax: 45_000, what: `the call ${word}` });
  }
  return agents;
}

export function startMany<T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => work(i)));
}

/** Replaces, during the work, what the hook program does for these events. `instead` gets the original command. */
export async function withHook<T>(
  { world }: Place,
  about: '*' | 'PreToolUse' | 'PermissionRequest',
  instead: (ask: string) => string,
  work: () => Promise<T>,
): Promise<T> {
  const folder = join(world.state, 'programs');
  const path = readdirSync(folder)
    .map((name) => join(folder, name, 'ask.sh'))
    .find((file) => existsSync(file));
  if (path === undefined) throw new Error('the hook program is not installed');
  const own = readFileSync(path);
  const real = `${path}.real`;
  writeFileSync(real, own);
  const cases = `case $payload in *'"hook_event_name":"${about === '*' ? '' : about}'*)`;
  const fault = instead(`{ printf '%s' "$payload" | sh '${real}' "$@"; }`);
  writeFileSync(path, `payload=$(cat)\n${cases} ${fault} ;; *) printf '%s' "$payload" | sh '${real}' "$@" ;; esac\n`);
  try {
    return await work();
  } finally {
    writeFileSync(path, own);
  }
}

/** A fault: the hook does this instead of its work. */
function broken(about: 'PreToolUse' | 'PermissionRequest', instead: string) {
  return (place: Place, count: number): Promise<Gated[]> =>
    withHook(
      place,
      about,
      () => instead,
      async () => {
        const agents = await startMany(count, () => place.agent(ONE_CALL));
        for (const agent of agents) await agent.untilTurnEnds();
        return agents;
      },
    );
}

const say = (output: object | string): string =>
  `printf '%s' '${typeof output === 'string' ? output : JSON.stringify(output)}'`;
const first = { permissionDecision: 'allow' };
const second = { decision: { behavior: 'allow' } };
const answer = (more: object): object => ({ hookSpecificOutput: more });

const BAD = /onFailure|haven't granted|needs approval|no approval for exactly/;

/** Hooks whose output is not a valid answer. */
const BAD_OUTPUTS: Readonly<Record<string, ReturnType<typeof broken>>> = {
  'half an answer': broken('PreToolUse', say('{"hookSpecificOutput":{"hookEventName":"PreToolUse",')),
  'an answer and more': broken('PreToolUse', `${say(answer({ hookEventName: 'PreToolUse', ...first }))}; echo }`),
  'an approval, then nothing': broken('PermissionRequest', ':'),
  'an approval, then text': broken('PermissionRequest', 'echo allow'),
  'no event name': broken('PreToolUse', say(answer(first))),
  'no event name in the confirmation': broken('PermissionRequest', say(answer(second))),
  'the name of another event': broken('PermissionRequest', say(answer({ hookEventName: 'PreToolUse', ...first }))),
};

/** Hooks with a bad exit status. */
const BAD_EXITS: Readonly<Record<string, ReturnType<typeof broken>>> = {
  'exit 1': broken('PreToolUse', 'exit 1'),
  'exit 127': broken('PreToolUse', 'exit 127'),
  'exit 1 of the confirmation': broken('PermissionRequest', 'exit 1'),
  'exit 127 of the confirmation': broken('PermissionRequest', 'exit 127'),
};

/** Plays the variants in turn. */
function oneByOne(plays: Readonly<Record<string, ReturnType<typeof broken>>>) {
  let i = 0;
  return (place: Place, count: number): Promise<Gated[]> => {
    const all = Object.values(plays);
    const play = all[i % all.length];
    i += 1;
    return play === undefined ? Promise.resolve([]) : play(place, count);
  };
}

/** Faults of the daemon, its folder and its hooks. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'T-GATE-1': {
    what: 'the daemon is dead',
    says: /its daemon may be down/,
    made: ['a'],
    play: async (place, count) => {
      const agents = await startAndAwaitCall(place, count, TWO_CALLS);
      await place.world.kill();
      // The agents get the reason when their hooks have given up.
      for (const { session } of agents) await eventually(() => waitingHooks(session).length > 0, { msMax: 30_000 });
      for (const { session } of agents) await eventually(() => waitingHooks(session).length === 0, { msMax: 30_000 });
      await place.world.start();
      return agents;
    },
  },
  'T-GATE-2': {
    what: 'the folder for questions is gone',
    says: /could not be asked/,
    made: ['a'],
    play: async (place, count) => {
      const agents = await startAndAwaitCall(place, count, TWO_CALLS);
      for (const { session } of agents) {
        const folder = join(place.world.state, 'sessions', session.id, 'runs/1/spool');
        rmSync(folder, { recursive: true });
      }
      return agents;
    },
  },
  'T-GATE-3': {
    what: 'a hook exceeds its timeout',
    says: /timed out|onFailure/,
    made: [],
    play: broken('PreToolUse', 'exec sleep 40'),
  },
  'T-GATE-4': {
    what: 'a hook is killed',
    says: /onFailure/,
    made: [],
    play: async (place, count) => {
      const agents = await startMany(count, () => place.agent({ ...ONE_CALL, allow: [], policy: {} }));
      for (const agent of agents) {
        const question = await agent.untilAsked('a');
        for (const pid of waitingHooks(agent.session)) process.kill(pid, 'SIGKILL');
        await place.world.client.approvals.decide(question.id, true, { by: 'late' }).catch(() => {});
      }
      return agents;
    },
  },
  'T-GATE-5': {
    what: 'a hook prints an invalid answer',
    says: BAD,
    made: [],
    variants: 7,
    play: oneByOne(BAD_OUTPUTS),
  },
  'T-GATE-6': { what: 'a hook exits with 1 or 127', says: BAD, made: [], variants: 4, play: oneByOne(BAD_EXITS) },
};

/** The pipes on which the hooks of an agent wait. */
export function pipesOf(place: Place, { session }: Gated): string[] {
  return spooled(place.world, session).filter((path) => path.endsWith('.ask'));
}
