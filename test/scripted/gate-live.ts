import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { pressUntil } from '../press.ts';
import { confirming, deciding } from './gate-answers.ts';
import { askedOf, bash, gateSettings, story } from './gate-bench.ts';

/** An agent on its full screen, scripted or real. */
export interface LiveBench {
  readonly workspace: string;
  /** Starts the agent, and waits until it accepts input. */
  open(settings: string, mode: 'deny-unlisted' | 'ask-all'): Promise<void>;
  prompt(text: string): Promise<void>;
  key(name: 'enter' | 'escape'): Promise<void>;
  shows(is: 'ready' | 'busy' | 'dialog'): Promise<unknown>;
}

/** The shell command of a hook that waits for a file `answer`; if it gets a signal, it records its name. */
function waiting(say: string): string {
  const loop = 'i=0; while [ ! -e answer ] && [ $i -lt 600 ]; do sleep 0.05; i=$((i + 1)); done';
  return `trap 'echo TERM >>signals; exit 1' TERM; echo $$ >>waiting; ${loop}; ${say}; echo over >>over`;
}

const WRITES = story(bash('echo x >ran'), { text: 'end' });
const STRICT = { asked: ['*'], secondsMax: 60 };
const SECOND = gateSettings(':', waiting(confirming('allow')), STRICT);

/** Cases about pending questions, for any agent on its full screen, by title. */
export const LIVE: Readonly<Record<string, (bench: LiveBench) => Promise<void>>> = {
  'Escape withdraws a question: its hook gets a signal, and a late answer changes nothing': async (bench) => {
    const file = filesOf(bench);
    await bench.open(gateSettings(waiting(deciding('allow')), ':', { secondsMax: 60 }), 'deny-unlisted');
    await bench.prompt(WRITES);
    await file.appears('waiting');
    await bench.shows('busy');
    await bench.key('escape');
    await file.appears('signals');
    file.write('answer');
    await bench.shows('ready');
    expect([file.exists('ran'), askedOf(bench)]).toMatchObject([false, [{ hook_event_name: 'PreToolUse' }]]);
  },

  'a hook answers the dialog on the screen': async (bench) => {
    const file = await shown(bench);
    expect(file.exists('ran')).toBe(false);
    file.write('answer');
    await file.appears('ran');
    await bench.shows('ready');
  },

  'when a person allows the call first, it runs at once, and the hook is left alone': async (bench) => {
    const file = await shown(bench);
    await pressUntil(
      () => bench.key('enter'),
      () => file.exists('ran'),
    );
    await bench.shows('ready');
    expect([file.exists('signals'), file.exists('over')]).toEqual([false, false]);
    file.write('answer');
    await file.appears('over');
  },

  'when a person denies the call, the hook that asks is ended': async (bench) => {
    const file = await shown(bench);
    await pressUntil(
      () => bench.key('escape'),
      () => file.exists('signals'),
    );
    await bench.shows('ready');
    expect(file.exists('ran')).toBe(false);
  },

  'two questions at once show one dialog after the other, and run their hooks in parallel': async (bench) => {
    const file = filesOf(bench);
    for (const name of ['a', 'b']) file.write(name);
    await bench.open(SECOND, 'ask-all');
    await bench.prompt(story({ tools: [bash('cat ./a'), bash('cat ./b')] }, { text: 'end' }));
    await eventually(() => file.exists('waiting') && file.lines('waiting').length === 2, { msMax: MS_MAX });
    await bench.shows('dialog');
    file.write('answer');
    await eventually(() => askedOf(bench).filter((one) => one.hook_event_name === 'PostToolUse').length === 2, {
      msMax: MS_MAX,
      what: 'both calls to run',
    });
    await bench.shows('ready');
  },
};

/** Waits until a dialog about a call is shown and its hook waits. */
async function shown(bench: LiveBench): Promise<Files> {
  const file = filesOf(bench);
  await bench.open(SECOND, 'ask-all');
  await bench.prompt(WRITES);
  await file.appears('waiting');
  await bench.shows('dialog');
  return file;
}

const MS_MAX = 20_000;

interface Files {
  exists(name: string): boolean;
  appears(name: string): Promise<unknown>;
  lines(name: string): string[];
  write(name: string): void;
}

function filesOf({ workspace }: LiveBench): Files {
  const path = (name: string): string => join(workspace, name);
  const exists = (name: string): boolean => existsSync(path(name));
  return {
    exists,
    appears: (name) => eventually(() => exists(name), { msMax: MS_MAX, what: `the file ${name}` }),
    lines: (name) => readFileSync(path(name), 'utf8').trim().split('\n'),
    write: (name) => writeFileSync(path(name), ''),
  };
}
