import type { CallOutput } from '../../api/contract.ts';
import { nameOf } from '../../present/state.ts';
import { command, ONE_SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';
import { tableOf } from '../views/view.ts';

/** How to detach from a terminal without ending the session. */
const DETACH = {
  tmux: 'Ctrl-b d',
  pty: 'Ctrl-\\',
  pipe: 'Ctrl-b d in tmux, Ctrl-\\ on a pty; attach says which',
} as const;

/** `outlast handoff` */
export const handoff = command({
  name: 'handoff',
  summary: 'Give control of a session to a person, or take it back.',
  usage: 'handoff S [--back]',
  words: {
    ...ONE_SESSION,
    are: `${ONE_SESSION.are}\nWhile the person has control, prompts wait, and stopping needs --force.`,
  },
  completes: 'session',
  options: { back: { type: 'boolean', sentence: 'Take control back and send the prompts that waited.' } },
  examples: [
    ['outlast handoff api', 'Prints how to attach and detach.'],
    ['outlast handoff api --back', 'When the person is done.'],
  ],
  async run({ words: [word = ''], values, json, print, env, connect }) {
    const outlast = connect();
    const by = env.USER === undefined || env.USER === '' ? {} : { by: env.USER.slice(0, 63) };
    const { session } = await outlast.handoff({ session: word, back: values.back, ...by });
    const shown = await outlast.show(session.id);
    if (json) await print.json({ session, attach: shown.attach, detach: DETACH[session.terminal] });
    else if (values.back) await print.line(`${nameOf(session)} accepts prompts again.`);
    else await print.line(howTo(shown));
    return EXIT.fine;
  },
});

function howTo({ session, attach }: CallOutput<'session.show'>): string {
  const name = nameOf(session);
  const rows = [
    ...(attach === null
      ? []
      : [
          ['  attach', oneLine(attach)],
          ['  detach', DETACH[session.terminal]],
        ]),
    ['  give back', `outlast handoff ${name} --back`],
  ];
  return [`${name} is under the control of a person; prompts wait.`, ...tableOf(rows, Number.POSITIVE_INFINITY)].join(
    '\n',
  );
}
