import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitingHooks } from '../agents/gated.ts';
import { eventually } from '../eventually.ts';
import type { World } from '../world.ts';
import { type Gated, type GatedWish, leaves, spooled } from './gate-world.ts';

/** Where a fault is played: a daemon, and agents of one kind behind its gate. */
export interface Place {
  readonly world: World;
  agent(wish: GatedWish): Promise<Gated>;
}

/** What goes wrong with a gate. */
export interface Fault {
  readonly what: string;
  /** The text that the agent gets for a call that was not made. */
  readonly says: RegExp;
  /** The words of all calls that may be made. */
  readonly made: readonly string[];
  /** One more call that may be made, if its row could be written after all. */
  readonly perhaps?: string;
  /** How many variants there are, one after the other. */
  readonly variants?: number;
  /** Causes the fault for this many agents at once. */
  play(place: Place, count: number): Promise<Gated[]>;
}

/** A rule would allow everything: only the fault holds a call back. */
const FREE = { allow: ['Bash'], policy: { approvalMsMax: 1_000 } };
const TWO = { ...FREE, steps: [leaves('a'), leaves('b', { delayMs: 1_500 }), { text: 'bye' }] };
const ONE = { ...FREE, steps: [leaves('a'), { text: 'bye' }] };

/** Starts agents, and waits until each has made its first call. */
export async function begun(place: Place, count: number, wish: GatedWish, word = 'a'): Promise<Gated[]> {
  const agents = await together(count, () => place.agent(wish));
  for (const agent of agents) {
    await eventually(() => agent.made().includes(word), { msMax: 45_000, what: `that ${word} is made` });
  }
  return agents;
}

export function together<T>(count: number, work: (i: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, i) => work(i)));
}

/** During the work, our asking program does something else for these questions. It gets the original path. */
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
  if (path === undefined) throw new Error('the program that asks is not installed');
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

/** The fault of a hook that prints or does something wrong. */
function broken(about: 'PreToolUse' | 'PermissionRequest', instead: string) {
  return (place: Place, count: number): Promise<Gated[]> =>
    withHook(
      place,
      about,
      () => instead,
      async () => {
        const agents = await together(count, () => place.agent(ONE));
        for (const agent of agents) await agent.over();
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

/** Hooks whose output is not an answer. */
const WORDS: Readonly<Record<string, ReturnType<typeof broken>>> = {
  'half an answer': broken('PreToolUse', say('{"hookSpecificOutput":{"hookEventName":"PreToolUse",')),
  'an answer and more': broken('PreToolUse', `${say(answer({ hookEventName: 'PreToolUse', ...first }))}; echo }`),
  'nothing, then a yes': broken('PermissionRequest', ':'),
  'words, then a yes': broken('PermissionRequest', 'echo allow'),
  'no name of its event': broken('PreToolUse', say(answer(first))),
  'no name of its event, the second time': broken('PermissionRequest', say(answer(second))),
  'the name of another event': broken('PermissionRequest', say(answer({ hookEventName: 'PreToolUse', ...first }))),
};

/** Hooks that exit in a wrong way. */
const ENDS: Readonly<Record<string, ReturnType<typeof broken>>> = {
  'exit 1': broken('PreToolUse', 'exit 1'),
  'exit 127': broken('PreToolUse', 'exit 127'),
  'exit 1, the second time': broken('PermissionRequest', 'exit 1'),
  'exit 127, the second time': broken('PermissionRequest', 'exit 127'),
};

/** Plays them one after the other, over and over. */
function inTurn(plays: Readonly<Record<string, ReturnType<typeof broken>>>) {
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
      const agents = await begun(place, count, TWO);
      await place.world.kill();
      // The hooks have given up when the agents have read why.
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
      const agents = await begun(place, count, TWO);
      for (const { session } of agents) {
        const folder = join(place.world.state, 'sessions', session.id, 'runs/1/spool');
        rmSync(folder, { recursive: true });
      }
      return agents;
    },
  },
  'T-GATE-3': {
    what: 'a hook sleeps for longer than it may',
    says: /timed out|onFailure/,
    made: [],
    play: broken('PreToolUse', 'exec sleep 40'),
  },
  'T-GATE-4': {
    what: 'a hook is killed',
    says: /onFailure/,
    made: [],
    play: async (place, count) => {
      const agents = await together(count, () => place.agent({ ...ONE, allow: [], policy: {} }));
      for (const agent of agents) {
        const question = await agent.asked('a');
        for (const pid of waitingHooks(agent.session)) process.kill(pid, 'SIGKILL');
        await place.world.client.approvals.decide(question.id, true, { by: 'late' }).catch(() => {});
      }
      return agents;
    },
  },
  'T-GATE-5': { what: 'a hook says what is no answer', says: BAD, made: [], variants: 7, play: inTurn(WORDS) },
  'T-GATE-6': { what: 'a hook ends with 1 or 127', says: BAD, made: [], variants: 4, play: inTurn(ENDS) },
};

/** The pipes in which the hooks of an agent wait. */
export function pipesOf(place: Place, { session }: Gated): string[] {
  return spooled(place.world, session).filter((path) => path.endsWith('.ask'));
}
