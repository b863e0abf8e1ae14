// A search in 100,000 turns of a thousand conversations, as a person types it; and what keeping the index costs.
import { appendFileSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { eventually } from '../test/eventually.ts';
import { indexerPid } from '../test/indexer-pid.ts';
import { claudeText, idOf } from '../test/integration/search-world.ts';
import { makeWorld, type World } from '../test/world.ts';
import { cpuMs, mb, ms, percentile, report, share, timeMs } from './measure.ts';

const CONVERSATIONS = 1_000;
const TURNS = 100;
const SEARCHES = 200;
const VOCABULARY = 30_000;
const REPLY_WORDS = 60;
const DAY_MS = 24 * 3_600_000;

/** Searches of every kind in many conversations. */
export async function search(): Promise<void> {
  await using world = await makeWorld();
  const paths = writeAll(world);
  const { pid } = await world.client.daemonStatus();
  const idleMs = cpuMs(pid);
  const text = paths.reduce((sum, path) => sum + statSync(path).size, 0);
  const beganMs = await timeMs(() =>
    eventually(async () => (await world.client.search({ words: 'w1', waitMs: 60_000 })).index.state === 'current', {
      msMax: 3_600_000,
    }),
  );
  const turns = paths.length * TURNS;
  const index = await world.client.searchStatus();
  report(`search: ${turns} turns read for the first time`, `${ms(beganMs)} (${mb(text)})`, '', null);
  report(
    'its index / the conversations',
    `${(index.bytes / text).toFixed(2)}x (${mb(index.bytes)})`,
    '<= 2.5x',
    index.bytes <= 2.5 * text,
  );
  report('the daemon meanwhile, CPU', ms(cpuMs(pid) - idleMs), '', null);
  await queries(world, paths, turns);
}

async function queries(world: World, paths: readonly string[], turns: number): Promise<void> {
  const took: number[] = [];
  const { pid } = await world.client.daemonStatus();
  const usedMs = cpuMs(pid);
  for (let i = 0; i < share(SEARCHES); i += 1) {
    // As it is in use: something was just said.
    if (i % 10 === 0) appendFileSync(paths[i % paths.length] ?? '', claudeText('/w', turnsOf(1, i), Date.now()));
    took.push(await timeMs(() => world.client.search({ ...queryOf(i), waitMs: 0 })));
  }
  const [p50, p95] = [percentile(took, 50), percentile(took, 95)];
  report(`a search in ${turns} turns`, `p50 ${ms(p50)}, p95 ${ms(p95)}`, 'p95 <= 200 ms', p95 <= 200);
  report('of that in the daemon, CPU of each', ms((cpuMs(pid) - usedMs) / took.length), '<= 10 ms', null);
  const fresh: number[] = [];
  for (let i = 0; i < share(20); i += 1) {
    const word = `fresh${i}`;
    appendFileSync(paths[i % paths.length] ?? '', claudeText('/w', [[word, 'yes']], Date.now()));
    fresh.push(
      await timeMs(() =>
        eventually(async () => (await world.client.search({ words: word, waitMs: 10_000 })).found.length === 1),
      ),
    );
  }
  report('just said -> found', `p95 ${ms(percentile(fresh, 95))}`, 'p95 <= 2 s', percentile(fresh, 95) <= 2_000);
  const indexer = indexerPid(world.state);
  if (indexer === null) return;
  const before = [cpuMs(indexer), Date.now()] as const;
  await new Promise((resolve) => setTimeout(resolve, 10_000));
  const idle = existsSync(`/proc/${indexer}`) ? cpuMs(indexer) - before[0] : 0;
  report(
    'the indexer while nobody searches, CPU',
    `${((100 * idle) / (Date.now() - before[1])).toFixed(2)} %`,
    'near 0 %',
    idle <= 20,
  );
}

/** One word, common or rare, several, a path, the beginning of a word as it is typed, in a folder, of an agent. */
function queryOf(i: number) {
  const words = [
    `w${i % 5}`,
    `w${(i * 131) % VOCABULARY}`,
    'w1 w2 w3',
    `src/net/w${i % 50}.ts`,
    `w${i % 100}*`,
    'prompt w4',
  ];
  const only = [
    {},
    { workspace: `/home/me/p${i % 40}` },
    { agent: 'claude' },
    { only: 'reply' as const },
    { newerThanMs: 7 * DAY_MS },
  ];
  return { words: words[i % words.length] ?? '', ...only[i % only.length] };
}

function writeAll(world: World): string[] {
  const home = join(world.state, 'home/.claude/projects');
  return Array.from({ length: share(CONVERSATIONS) }, (_, n) => {
    const path = join(home, `-p${n % 40}`, `${idOf(n)}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, claudeText(`/home/me/p${n % 40}`, turnsOf(TURNS, n), Date.now() - (n + 1) * (DAY_MS / 4)));
    return path;
  });
}

/** Words as in a language: a few are in nearly every text, and most are rare. */
function turnsOf(count: number, seed: number): (readonly [string, string])[] {
  let state = seed * 7_919 + 1;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
  const word = (): string => `w${Math.floor(VOCABULARY ** random()) - 1}`;
  const some = (n: number): string => Array.from({ length: n }, word).join(' ');
  return Array.from(
    { length: count },
    (_, i) => [`prompt ${i} ${some(20)} src/net/${word()}.ts`, some(REPLY_WORDS)] as const,
  );
}
