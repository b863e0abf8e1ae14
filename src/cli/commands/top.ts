import { beside } from '../base/beside.ts';
import { command, NO_WORDS } from '../base/command.ts';
import { wrongCall } from '../base/parse.ts';
import { stdinKind } from '../input/stdin.ts';
import { userOf } from './approve.ts';

/** The exports of the program. It is a separate bundle: no other command loads it. */
type Program = typeof import('../top/main.ts');

/** `outlast top` */
export const top = command({
  name: 'top',
  summary: 'Watch all sessions, and act on them.',
  usage: 'top [OPTIONS]',
  words: {
    ...NO_WORDS,
    are: [
      'Sessions that need you come first, then those working, parked (limited, queued), idle and ended.',
      'Keys: l logs, a attach, p prompt, y/n approve or deny, i interrupt, s stop, / filter, t tree, ? help, q quit.',
    ].join('\n'),
  },
  options: {
    plain: {
      type: 'boolean',
      sentence: 'Print a line for each change, without moving the cursor: for screen readers.',
    },
  },
  examples: [
    ['outlast top', 'The board; q leaves it, and sessions keep running.'],
    ['outlast top --plain', 'One line of text per change of state.'],
    ['outlast top --json', 'For a program: one line per changed row.'],
  ],
  async run(context) {
    const { values, json, print, clock, env } = context;
    const view = json ? 'json' : values.plain ? 'plain' : 'board';
    if (view === 'board' && !(stdinKind() === 'tty' && print.stdout.isTty))
      throw wrongCall(`top needs a terminal; ${OTHERWISE}`);
    if (view === 'board' && env.TERM === 'dumb')
      throw wrongCall(`top: this terminal cannot move the cursor; ${OTHERWISE}`);
    const tell = view === 'board' ? { tell: () => {} } : {};
    const program = (await import(beside(import.meta.dirname, 'top.js', '../top/main.ts'))) as Program;
    return program.top({
      ...{ print, clock, env, view, by: userOf(env) },
      starting: context.connect(tell),
      patient: context.connect({ start: false, ...tell }),
      commands: {
        logs: (session) => ['logs', session, '--follow'],
        attach: (session) => ['attach', session],
      },
    });
  },
});

const OTHERWISE = 'for one line per change, use outlast top --plain';
