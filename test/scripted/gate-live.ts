import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { eventually } from '../eventually.ts';
import { pressUntil } from '../press.ts';
import { confirming, deciding } from './gate-answers.ts';
import { askedOf, bash, gateSettings, story } from './gate-stand.ts';

/** An agent on its full screen, scripted or real. */
export interface LiveStand {
  readonly workspace: string;
  /** Starts it, and waits until it takes input. */
  open(settings: string, mode: 'deny-unlisted' | 'ask-all'): Promise<void>;
  prompt(text: string): Promise<void>;
  key(name: 'enter' | 'escape'): Promise<void>;
  shows(is: 'ready' | 'busy' | 'dialog'): Promise<unknown>;
}

/** What a hook does until there is a file `answer`; a signal leaves its name behind. */
function waiting(say: string): string {
  const loop = 'i=0; while [ ! -e answer ] && [ $i -lt 600 ]; do sleep 0.05; i=$((i + 1)); done';
  return `trap 'echo TERM >>signals; exit 1' TERM; echo $$ >>waiting; ${loop}; ${say}; echo over >>over`;
}

const WRITES = story(bash('echo x >ran'), { text: 'end' });
const STRICT = { asked: ['*'], secondsMax: 60 };
const SECOND = gateSettings(':', waiting(confirming('allow')), STRICT);

/** What is told with any agent on its full screen about questions that wait, each under its sentence. */
export const LIVE: Readonly<Record<string, (stand: LiveStand) => Promise<void>>> = {
  'Escape withdraws a question: its hook is told by a signal, and a late answer changes nothing': async (stand) => {
    const file = filesOf(stand);
    await stand.open(gateSettings(waiting(deciding('allow')), ':', { secondsMax: 60 }), 'deny-unlisted');
    await stand.prompt(WRITES);
    await file.comes('waiting');
    await stand.shows('busy');
    await stand.key('escape');
    await file.comes('signals');
    file.write('answer');
    await stand.shows('ready');
    expect([file.is('ran'), askedOf(stand)]).toMatchObject([false, [{ hook_event_name: 'PreToolUse' }]]);
  },

  'a hook answers the dialog on the screen': async (stand) => {
    const file = await shown(stand);
    expect(file.is('ran')).toBe(false);
    file.write('answer');
    await file.comes('ran');
    await stand.shows('ready');
  },

  'a person who says yes first is not waited for by anybody, and the hook is left alone': async (stand) => {
    const file = await shown(stand);
    await pressUntil(
      () => stand.key('enter'),
      () => file.is('ran'),
    );
    await stand.shows('ready');
    expect([file.is('signals'), file.is('over')]).toEqual([false, false]);
    file.write('answer');
    await file.comes('over');
  },

  'a person who says no ends the hook that asks': async (stand) => {
    const file = await shown(stand);
    await pressUntil(
      () => stand.key('escape'),
      () => file.is('signals'),
    );
    await stand.shows('ready');
    expect(file.is('ran')).toBe(false);
  },

  'two questions at once have a dialog after the other, and their hooks at the same time': async (stand) => {
    const file = filesOf(stand);
    for (const name of ['a', 'b']) file.write(name);
    await stand.open(SECOND, 'ask-all');
    await stand.prompt(story({ tools: [bash('cat ./a'), bash('cat ./b')] }, { text: 'end' }));
    await eventually(() => file.is('waiting') && file.lines('waiting').length === 2, { msMax: MS_MAX });
    await stand.shows('dialog');
    file.write('answer');
    await eventually(() => askedOf(stand).filter((one) => one.hook_event_name === 'PostToolUse').length === 2, {
      msMax: MS_MAX,
      what: 'both calls to run',
    });
    await stand.shows('ready');
  },
};

/** A dialog about a call is up, and its hook waits. */
async function shown(stand: LiveStand): Promise<Files> {
  const file = filesOf(stand);
  await stand.open(SECOND, 'ask-all');
  await stand.prompt(WRITES);
  await file.comes('waiting');
  await stand.shows('dialog');
  return file;
}

const MS_MAX = 20_000;

interface Files {
  is(name: string): boolean;
  comes(name: string): Promise<unknown>;
  lines(name: string): string[];
  write(name: string): void;
}

function filesOf({ workspace }: LiveStand): Files {
  const path = (name: string): string => join(workspace, name);
  const is = (name: string): boolean => existsSync(path(name));
  return {
    is,
    comes: (name) => eventually(() => is(name), { msMax: MS_MAX, what: `the file ${name}` }),
    lines: (name) => readFileSync(path(name), 'utf8').trim().split('\n'),
    write: (name) => writeFileSync(path(name), ''),
  };
}
