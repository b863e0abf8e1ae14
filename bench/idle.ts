// What the daemon does while there are no calls, split by cause, from the samples of its own profiler.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { World } from '../test/world.ts';
import { INSPECTED, inspectorOf } from './inspector.ts';
import { cpuMs, report, share } from './measure.ts';

const SESSIONS = share(200);
const SETTLE_MS = 10_000;
/** Long enough for what is done once a minute. */
const IDLE_MS = share(70_000);

const BUNDLE = join(import.meta.dirname, '../dist/daemon-main.js');

/** A cause, and the sources whose functions belong to it. Shared functions are in none of them. */
const CAUSES: readonly (readonly [cause: string, sources: RegExp])[] = [
  ['orphan sweep', /^src\/daemon\/upkeep\/orphans\./],
  ['run monitor: memory and output caps', /^src\/daemon\/(upkeep\/(run-monitor|memory)|views\/output-files)\./],
  ['sleep detector', /^src\/daemon\/machine\/(sleep-detector|away|steady)\./],
  ['retention', /^src\/daemon\/upkeep\/retention\./],
  ['mirror', /^src\/daemon\/mirror\//],
  ['notices and updates', /^src\/daemon\/(notices\/|owners\/wakes|machine\/notify)/],
  ['calls', /^src\/daemon\/(serve|calls)\//],
  ['looks at sessions', /^src\/(supervisor|terminal|agent)\//],
];
/** What V8 counts that is not a function of ours. */
const OF_NODE: ReadonlyMap<string, string> = new Map([
  ['(garbage collector)', 'garbage collector'],
  ['(program)', 'Node itself'],
]);

/** CPU of an idle daemon with many live sessions. */
export async function idle(): Promise<void> {
  await using world = new World({ wrap: INSPECTED });
  const daemon = await world.start();
  for (let i = 0; i < SESSIONS; i += 1) await world.client.start({ argv: ['sleep', '100000'] });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const before = cpuMs(daemon);
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const percent = ((cpuMs(daemon) - before) / IDLE_MS) * 100;
  // Not at the same time: a profiler takes a thousand samples a second, which is more than an idle daemon does.
  using inspector = await inspectorOf(world.state);
  await inspector.ask('Profiler.enable');
  await inspector.ask('Profiler.start');
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const { profile } = (await inspector.ask('Profiler.stop')) as { profile: Profile };
  report(`CPU of an idle daemon with ${SESSIONS} live sessions`, `${percent.toFixed(2)} %`, '<= 2 %', percent <= 2);
  for (const [cause, part] of splitByCause(profile, readFileSync(BUNDLE, 'utf8'))) {
    report(`  of that: ${cause}`, `${(percent * part).toFixed(2)} %`, '', null);
  }
}

/** A profile as V8 gives it. */
export interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
}

/** The share of each cause in the busy time, largest first. What belongs to no known cause is `other`. */
export function splitByCause({ nodes, samples }: Profile, bundle: string): [cause: string, share: number][] {
  const sourceOf = sourcesOf(bundle);
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame] as const));
  const causeOf = (id: number): string | null => {
    let cause: string | undefined;
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { functionName = '', url = '', lineNumber = 0 } = frames.get(at) ?? {};
      if (functionName === '(idle)') return null;
      const source = url.endsWith('daemon-main.js') ? sourceOf(lineNumber) : '';
      // The outermost caller decides what it is for.
      cause = CAUSES.find(([, sources]) => sources.test(source))?.[0] ?? OF_NODE.get(functionName) ?? cause;
    }
    return cause ?? 'other';
  };
  const causes = new Map(nodes.map(({ id }) => [id, causeOf(id)] as const));
  const busy = samples.flatMap((sample) => causes.get(sample) ?? []);
  const shares = [...Map.groupBy(busy, (cause) => cause)].map(([cause, all]) => [cause, all.length / busy.length]);
  return (shares as [string, number][]).sort(([, a], [, b]) => b - a);
}

/** The source of a line of the bundle: a comment above each source names it. */
function sourcesOf(bundle: string): (line: number) => string {
  let source = '';
  const sources = bundle.split('\n').map((line) => {
    source = /^\/\/ (src\/\S+)$/.exec(line)?.[1] ?? source;
    return source;
  });
  return (line) => sources[line] ?? '';
}
