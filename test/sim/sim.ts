// Kills the supervisor and cuts the power at every crash point of every story, at every pair of points, and at random
// ones, and checks that the journal still tells one sane story.
//   npm run sim                                    all of it
//   npm run sim -- --script liveCrash --at 12k,30p one history, with its journal (k: kill, p: power cut)
//   npm run sim -- --script liveCrash --seed 621   one random history
import { parseArgs } from 'node:util';
import { faultsOf, show } from './checks.ts';
import { type Disaster, type Fate, tell } from './history.ts';
import type { Script } from './scripts.ts';
import { SCRIPTS } from './stories.ts';

export interface Campaign {
  /** Both disasters at every point; or one at every other point, in turn. */
  readonly singles: 'both' | 'some';
  /** So many pairs of points, evenly chosen; or all of them. */
  readonly pairsMax: number;
  readonly seeds: number;
}

export interface Verdict {
  readonly histories: number;
  readonly failure: string | null;
}

/** Tells all histories of a story. Stops at the first that is wrong. */
export async function campaign(script: Script, { singles, pairsMax, seeds }: Campaign): Promise<Verdict> {
  let histories = 0;
  const wrong = async (fate: Fate, label: string): Promise<string | null> => {
    histories += 1;
    return check(script, fate, label);
  };
  const clean = await tell(script, () => null).catch(() => null);
  const failure = await wrong(() => null, '--at ');
  if (failure !== null || clean === null) return { histories, failure };
  for (const fates of fatesOf(clean.points, singles, pairsMax)) {
    const failed = await wrong((p) => fates.get(p) ?? null, `--at ${[...fates].map(([p, d]) => `${p}${d?.[0]}`)}`);
    if (failed !== null) return { histories, failure: failed };
  }
  for (let seed = 1; seed <= seeds; seed += 1) {
    const failed = await wrong(randomFate(seed), `--seed ${seed}`);
    if (failed !== null) return { histories, failure: failed };
  }
  return { histories, failure: null };
}

const DISASTERS = ['kill', 'power'] as const;
/** A history that was struck once is longer than the clean one. */
const POINTS_MORE = 10;

function* fatesOf(points: number, singles: Campaign['singles'], pairsMax: number): Generator<Map<number, Disaster>> {
  for (let i = 1; i <= points; i += 1) {
    // An append has two points, one before it is durable and one after: of four appends each is struck in another way.
    const isStruck = singles === 'both' || (i >> 2) % 2 === i % 2;
    const disasters = singles === 'both' ? DISASTERS : DISASTERS.filter((_, nth) => nth === (i >> 1) % 2);
    for (const disaster of isStruck ? disasters : []) yield new Map([[i, disaster]]);
  }
  const pairs = 4 * ((points * (points - 1)) / 2 + points * POINTS_MORE);
  // Odd, so that it meets kills and power cuts alike.
  const stride = Math.ceil(pairs / pairsMax) | 1;
  let at = 0;
  for (const pair of pairsOf(points)) {
    if (at % stride === 0) yield new Map(pair);
    at += 1;
  }
}

function* pairsOf(points: number): Generator<[number, Disaster][]> {
  for (let i = 1; i <= points; i += 1) {
    for (let j = i + 1; j <= points + POINTS_MORE; j += 1) {
      for (const first of DISASTERS) {
        for (const second of DISASTERS) {
          yield [
            [i, first],
            [j, second],
          ];
        }
      }
    }
  }
}

/** A disaster at one point in nine, one in four of them a power cut; none after a while, so that every story ends. */
function randomFate(seed: number): Fate {
  let x = (seed * 2_654_435_761) % 4_294_967_296;
  const random = (): number => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    x >>>= 0;
    return x / 4_294_967_296;
  };
  return (point) => {
    const strikes = random() < 0.11;
    const power = random() < 0.25;
    return point < 250 && strikes ? (power ? 'power' : 'kill') : null;
  };
}

async function check(script: Script, fate: Fate, label: string): Promise<string | null> {
  const replay = `npm run sim -- --script ${script.name} ${label}`;
  try {
    const history = await tell(script, fate);
    const faults = faultsOf(script, history);
    return faults.length === 0 ? null : `${replay}\n  ${faults.join('\n  ')}\n${show(history.events)}`;
  } catch (error) {
    return `${replay}\n  ${error instanceof Error ? error.message : error}`;
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { script: { type: 'string' }, at: { type: 'string' }, seed: { type: 'string' } },
  });
  const scripts = SCRIPTS.filter((script) => values.script === undefined || script.name === values.script);
  if (values.at !== undefined || values.seed !== undefined) return replay(scripts[0], values.at, values.seed);
  let histories = 0;
  for (const script of scripts) {
    const verdict = await campaign(script, { singles: 'both', pairsMax: Number.POSITIVE_INFINITY, seeds: 500 });
    histories += verdict.histories;
    if (verdict.failure !== null) {
      process.stdout.write(`${verdict.failure}\n`);
      process.exitCode = 1;
      return;
    }
    process.stdout.write(`${script.name.padEnd(22)} ${verdict.histories} histories\n`);
  }
  process.stdout.write(`${histories} histories: all end as they should, nothing done twice, nothing left behind\n`);
}

async function replay(script: Script | undefined, at = '', seed?: string): Promise<void> {
  if (script === undefined) throw new Error('no such script');
  const fates = new Map(
    at
      .split(',')
      .filter(Boolean)
      .map((word) => [Number.parseInt(word, 10), word.endsWith('p') ? 'power' : 'kill'] as const),
  );
  const fate: Fate = seed === undefined ? (p) => fates.get(p) ?? null : randomFate(Number(seed));
  const history = await tell(script, fate);
  process.stdout.write(`${show(history.events)}\n${faultsOf(script, history).join('\n') || 'right'}\n`);
}

if (import.meta.main) await main();
