// Kills the supervisor and cuts the power at every crash point of every story, at every pair of points, and at random
// ones, and checks the invariants of the resulting journal.
//   npm run sim                                    all of it
//   npm run sim -- --script liveCrash --at 12k,30p one history, with its journal (k: kill, p: power cut)
//   npm run sim -- --script liveCrash --seed 621   one random history
import { parseArgs } from 'node:util';
import { show, violationsOf } from './checks.ts';
import { type FaultPlan, type InjectedFault, playHistory } from './history.ts';
import type { Script } from './scripts.ts';
import { SCRIPTS } from './stories.ts';

export interface Campaign {
  /** Both faults at every point; or one of them at every other point, in turn. */
  readonly singles: 'both' | 'some';
  /** The maximum number of pairs of points, evenly chosen. */
  readonly pairsMax: number;
  readonly seeds: number;
}

export interface Verdict {
  readonly histories: number;
  readonly failure: string | null;
}

/** Plays all histories of a story. Stops at the first violation. */
export async function campaign(script: Script, { singles, pairsMax, seeds }: Campaign): Promise<Verdict> {
  let histories = 0;
  const violation = async (plan: FaultPlan, label: string): Promise<string | null> => {
    histories += 1;
    return check(script, plan, label);
  };
  const clean = await playHistory(script, () => null).catch(() => null);
  const failure = await violation(() => null, '--at ');
  if (failure !== null || clean === null) return { histories, failure };
  for (const faultAt of plansOf(clean.points, singles, pairsMax)) {
    const failed = await violation(
      (p) => faultAt.get(p) ?? null,
      `--at ${[...faultAt].map(([p, d]) => `${p}${d?.[0]}`)}`,
    );
    if (failed !== null) return { histories, failure: failed };
  }
  for (let seed = 1; seed <= seeds; seed += 1) {
    const failed = await violation(randomPlan(seed), `--seed ${seed}`);
    if (failed !== null) return { histories, failure: failed };
  }
  return { histories, failure: null };
}

const FAULTS = ['kill', 'power'] as const;
/** A history with an injected fault has more points than the clean one. */
const POINTS_MORE = 10;

function* plansOf(
  points: number,
  singles: Campaign['singles'],
  pairsMax: number,
): Generator<Map<number, InjectedFault>> {
  for (let i = 1; i <= points; i += 1) {
    // An append has a point before and a point after it is durable: four appends cover all four combinations.
    const isChosen = singles === 'both' || (i >> 2) % 2 === i % 2;
    const faults = singles === 'both' ? FAULTS : FAULTS.filter((_, nth) => nth === (i >> 1) % 2);
    for (const fault of isChosen ? faults : []) yield new Map([[i, fault]]);
  }
  const pairs = 4 * ((points * (points - 1)) / 2 + points * POINTS_MORE);
  // Odd, so that it selects kills and power cuts alike.
  const stride = Math.ceil(pairs / pairsMax) | 1;
  let at = 0;
  for (const pair of pairsOf(points)) {
    if (at % stride === 0) yield new Map(pair);
    at += 1;
  }
}

function* pairsOf(points: number): Generator<[number, InjectedFault][]> {
  for (let i = 1; i <= points; i += 1) {
    for (let j = i + 1; j <= points + POINTS_MORE; j += 1) {
      for (const first of FAULTS) {
        for (const second of FAULTS) {
          yield [
            [i, first],
            [j, second],
          ];
        }
      }
    }
  }
}

/** A fault at one point in nine, a quarter of them power cuts. None from point 250 on, so that every story ends. */
function randomPlan(seed: number): FaultPlan {
  let x = (seed * 2_654_435_761) % 4_294_967_296;
  const random = (): number => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    x >>>= 0;
    return x / 4_294_967_296;
  };
  return (point) => {
    const faultCount = random() < 0.11;
    const power = random() < 0.25;
    return point < 250 && faultCount ? (power ? 'power' : 'kill') : null;
  };
}

async function check(script: Script, plan: FaultPlan, label: string): Promise<string | null> {
  const replay = `npm run sim -- --script ${script.name} ${label}`;
  try {
    const history = await playHistory(script, plan);
    const violations = violationsOf(script, history);
    return violations.length === 0 ? null : `${replay}\n  ${violations.join('\n  ')}\n${show(history.events)}`;
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
  process.stdout.write(`${histories} histories: no violations\n`);
}

async function replay(script: Script | undefined, at = '', seed?: string): Promise<void> {
  if (script === undefined) throw new Error('no such script');
  const faultAt = new Map(
    at
      .split(',')
      .filter(Boolean)
      .map((word) => [Number.parseInt(word, 10), word.endsWith('p') ? 'power' : 'kill'] as const),
  );
  const plan: FaultPlan = seed === undefined ? (p) => faultAt.get(p) ?? null : randomPlan(Number(seed));
  const history = await playHistory(script, plan);
  process.stdout.write(`${show(history.events)}\n${violationsOf(script, history).join('\n') || 'no violations'}\n`);
}

if (import.meta.main) await main();
