import { nameOf } from '../../present/state.ts';
import { type Context, command } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { tellGiven } from '../flow/give.ts';
import { promptOf } from '../input/prompt-text.ts';
import { stateOf } from '../views/view.ts';

const OPTIONS = {
  conversation: {
    type: 'string',
    value: 'ID',
    sentence: "A conversation that we did not begin, by the agent's own id, instead of a session.",
  },
  anew: { type: 'boolean', sentence: 'Start a new conversation if the old one is lost.' },
  'prompt-file': { type: 'string', value: 'FILE', sentence: 'Read the prompt from this file.' },
  command: { type: 'boolean', sentence: 'It may begin with / or !, as a command of the agent.' },
  trust: {
    type: 'boolean',
    sentence: "The workspace's own settings may run: your word, remembered until they change.",
  },
  'no-wait': { type: 'boolean', sentence: 'Do not wait two seconds for news of the prompt.' },
} as const;

/** `outlast resume` */
export const resume = command({
  name: 'resume',
  summary: 'Let an ended, held or limited session of an agent go on.',
  usage: 'resume S|--conversation ID [PROMPT|-] [OPTIONS]',
  words: {
    min: 0,
    max: Number.POSITIVE_INFINITY,
    are: [
      'S is the id or the name of a session. The conversation is the same; PROMPT is what it goes on with.',
      'What is held until somebody says so (login, billing, a budget, …) and what waits for a usage limit goes on now.',
      'With --conversation it takes over one that was not started with Outlast.',
      'Budget, deadline and resumes count anew from here.',
    ].join('\n'),
  },
  completes: 'session',
  options: OPTIONS,
  examples: [
    ['outlast resume api', 'It waits for prompts again.'],
    ['outlast resume api "go on with the second part"', 'And has something to do.'],
    ['outlast resume api --anew', 'The file of its conversation is gone, and will not come back.'],
    ['outlast resume api && outlast wait api --for reply', 'You have logged in again: what failed is taken up.'],
  ],
  async run(context) {
    const { values, json, print } = context;
    if (values.conversation !== undefined) return takeOver(context, values.conversation);
    const [session, ...words] = context.words;
    if (session === undefined) throw wrongCall('resume: say which session, or --conversation ID');
    const source = { name: 'resume', words, file: values['prompt-file'], implicit: false };
    const text = await promptOf(source, context);
    const outlast = context.connect();
    const resumed = await outlast.resume({ session, trust: values.trust, anew: values.anew });
    if (text !== undefined) {
      const { id } = resumed.session;
      const answer = await outlast.prompt({ session: id, text, asCommand: values.command });
      return tellGiven(context, outlast, { answer, now: false, patient: !values['no-wait'] });
    }
    if (json) await print.json(resumed);
    else await print.line(`${nameOf(resumed.session)}: ${stateOf(resumed.session)}`);
    return EXIT.fine;
  },
});

/** Somebody else's conversation becomes a session of ours. */
async function takeOver(context: Context<typeof OPTIONS>, conversation: string): Promise<number> {
  const { values, json, print, words } = context;
  const prompt = await promptOf({ name: 'resume', words, file: values['prompt-file'], implicit: false }, context);
  const session = await context.connect().takeOver({ conversation, trust: values.trust, prompt });
  const started = await session.show();
  if (json) await print.json(started);
  else await print.line(`${nameOf(started.session)}: ${stateOf(started.session)}`);
  return EXIT.fine;
}
