import { OutlastError } from '../../client/index.ts';
import { absent, converse, failed, newWord, proven, type Result, type Stage, type Story, saidWord } from './story.ts';

// Stories in which a turn does not come to its end.

/** A turn may be over before it can be cut off: then the next one is tried. */
const TRIES_MAX = 3;
const LOOK_MS = 50;

/** A prompt whose answer takes a while. */
const long = (word: string): string =>
  `Write the numbers from 1 to 300 as English words, each on a line of its own. Then write this word: ${word}`;

/** The stories. `ask`: asks for the word of the first prompt. */
export function cutStories(ask: string): readonly Story[] {
  const kill: Story = {
    name: 'kill',
    about: 'a turn whose process is killed continues in the same conversation',
    play: (stage) => tried(stage, (word) => killed(stage, word, ask)),
  };
  const interrupt: Story = {
    name: 'interrupt',
    about: 'a turn can be interrupted, and the session continues',
    play: (stage) => tried(stage, (word) => interrupted(stage, word)),
  };
  return [kill, interrupt];
}

async function tried({ agent }: Stage, play: (word: string) => Promise<Result | null>): Promise<Result> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const result = await play(newWord());
    if (result !== null) return result;
  }
  return absent(`a turn of ${agent.name} ended ${TRIES_MAX} times before it could be interrupted`);
}

/** Null: the turn was over too soon. */
async function killed(stage: Stage, word: string, ask: string): Promise<Result | null> {
  const { prompt, pids, faults } = await begun(stage, word);
  if (pids.length === 0) return null;
  for (const pid of pids) end(pid);
  const replied = await stage.session?.reply({ prompt, timeoutMs: stage.timeoutMs });
  if (replied === undefined || (await faultsOf(stage)) === faults) return null;
  if (replied.met !== 'answered') return saidWord(replied, word);
  const known = saidWord(await converse(stage, ask), stage.word);
  if (known.is === 'failed') return failed(`continued, but in another conversation: ${known.why}`);
  return proven('it continued, and remembers its conversation');
}

async function interrupted(stage: Stage, word: string): Promise<Result | null> {
  const { prompt, pids } = await begun(stage, word);
  if (pids.length === 0) return null;
  if (!(await isInterrupted(stage))) return null;
  const replied = await stage.session?.reply({ prompt, timeoutMs: stage.timeoutMs });
  if (replied?.met === 'answered') return null;
  if (replied?.met !== 'interrupted') return failed(`the turn is ${replied?.met}: ${replied?.reply ?? ''}`);
  const next = newWord();
  return saidWord(await converse(stage, `Reply with this word and nothing else: ${next}`), next);
}

/** False: the turn was over. */
async function isInterrupted({ session }: Stage): Promise<boolean> {
  try {
    await session?.interrupt();
    return true;
  } catch (error) {
    if (error instanceof OutlastError && error.code === 'not_working') return false;
    throw error;
  }
}

/** Begins a long turn; without pids it is over, or nothing runs. */
async function begun(stage: Stage, word: string) {
  const { session, timeoutMs, place } = stage;
  if (session === null) throw new Error('the first story starts the session');
  const faults = await faultsOf(stage);
  const { prompt } = await session.prompt(long(word));
  const untilMs = place.clock.steadyMs() + timeoutMs;
  while (place.clock.steadyMs() < untilMs) {
    const { session: view, processes } = await session.show();
    if (view.phase === 'working' && processes.length > 0)
      return { prompt, faults, pids: processes.map(({ pid }) => pid) };
    if ((await session.reply({ prompt, timeoutMs: LOOK_MS })).met !== 'nothing') break;
  }
  return { prompt, faults, pids: [] };
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended by itself in between.
  }
}

/** How often its process has broken off. */
async function faultsOf({ place, session }: Stage): Promise<number> {
  let count = 0;
  for await (const { event } of place.outlast.events({ session: session?.id ?? '' }))
    if (event === 'run.faulted') count += 1;
  return count;
}
