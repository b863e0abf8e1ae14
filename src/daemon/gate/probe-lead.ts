import type { AskedCall, ProbeCall, SeenCall } from '../../agent/seam/gate.ts';
import type { Clock } from '../../base/clock.ts';
import { type ProbeResult, STOLEN } from './probe-calls.ts';
import type { ProbeTalk, Question } from './probe-talk.ts';

/** What an agent is led through. */
interface Leading {
  readonly calls: readonly ProbeCall[];
  readonly isMade: (name: string) => boolean;
  /** Kills the process of the agent. */
  readonly kill: () => void;
  readonly clock: Clock;
}

/** What came of it. */
interface Led {
  /** The calls that it asked about, by their names. */
  readonly asked: ReadonlySet<string>;
  /** The names of the calls that we allowed. */
  readonly allowed: ReadonlySet<string>;
  /** The agent's id of the call that another client allowed; null: it has none, or nobody asked. */
  readonly stolen: string | null;
  /** All calls were asked about and settled, or the turn has ended. */
  readonly isOver: boolean;
}

/** So long a call stays without an answer. */
const UNANSWERED_MS = 1_000;
/** An agent that made nothing of an answer by then waits for another one. */
const IGNORED_MS = 500;
/** Another client gives its answer in this time, and then the agent tells of the call. */
const OTHERS_MS_MAX = 10_000;
const TOLD_MS_MAX = 3_000;
/** What outlives a killed agent makes the call in this time. */
const OUTLIVES_MS = 500;

/** Every call of the probe gets its answer, or none. */
export async function lead(talk: ProbeTalk, prompt: string, leading: Leading): Promise<Led> {
  const { calls, clock, kill } = leading;
  const [asked, allowed] = [new Set<string>(), new Set<string>()];
  // These get a no. After a connection broke off, an agent may ask again a little later.
  const denied = new Set<string>();
  const open = (): string | undefined => [...denied].find((question) => talk.isWaiting(question));
  let stolen: string | null = null;
  await talk.until(() => talk.isIdle);
  await talk.want({ do: 'deliver', token: 'probe', text: prompt, steer: false });
  for (;;) {
    await talk.until(() => talk.isOver || talk.next !== null || open() !== undefined);
    const late = open();
    if (late !== undefined) {
      await talk.answer(late, 'no');
      continue;
    }
    const { next } = talk;
    if (next === null) return { asked, allowed, stolen, isOver: true };
    const name = nameOf(calls, next.call);
    asked.add(name);
    talk.settle(next.question);
    if (name === 'killed') {
      kill();
      await clock.sleep(OUTLIVES_MS);
      return { asked, allowed, stolen, isOver: true };
    }
    if (name === STOLEN) stolen = next.call.call;
    if (name === 'allowed' || name === 'client') {
      allowed.add(name);
      await talk.answer(next.question, 'yes');
      continue;
    }
    await handle(talk, name, next, leading);
    denied.add(next.question);
  }
}

/** What happens in place of a yes. */
async function handle(talk: ProbeTalk, name: string, { question, call }: Question, { isMade }: Leading): Promise<void> {
  switch (name) {
    // The connection drops, or stays and no answer comes.
    case 'failed':
      return talk.away(UNANSWERED_MS);
    case 'silent':
      return talk.listen(UNANSWERED_MS);
    case 'garbage':
    case 'error':
      await talk.answer(question, name);
      return talk.listen(IGNORED_MS, () => talk.isOver || talk.next !== null);
    case STOLEN:
      await talk.listen(OTHERS_MS_MAX, () => isMade(STOLEN) && !talk.isWaiting(question));
      return talk.listen(isMade(STOLEN) ? TOLD_MS_MAX : 0, () => isTold(talk, call));
  }
}

function isTold(talk: ProbeTalk, { call }: AskedCall): boolean {
  return call !== null && talk.made.has(call);
}

/** Which call of the probe it is; empty: none of them. */
function nameOf(calls: readonly ProbeCall[], { input }: AskedCall): string {
  const text = JSON.stringify(input) ?? '';
  return calls.find(({ command }) => text.includes(JSON.stringify(command).slice(1, -1)))?.about ?? '';
}

/** What the questions prove, beyond what ran. */
export function judgeLed(
  result: ProbeResult,
  { asked, stolen }: Led,
  { calls, seen, isMade }: Pick<Leading, 'calls' | 'isMade'> & { readonly seen: readonly SeenCall[] },
): ProbeResult {
  const unasked = calls.map(({ about }) => about).filter((name) => !asked.has(name));
  const fails = (why: string): ProbeResult => ({ ...result, denies: false, why });
  if (unasked.length > 0) return fails(`it did not ask about every call (${unasked.join(', ')})`);
  if (!isMade(STOLEN)) return result;
  const isSeen = seen.some(({ call, made }) => made && call === stolen);
  if (!isSeen) return fails(`a call that another client allowed was not noticed (${STOLEN})`);
  return { ...result, why: `${result.why}, and tells of a call that another client allows` };
}
