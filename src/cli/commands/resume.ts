import { command } from '../command.ts';
import { EXIT } from '../exit.ts';
import { tellGiven } from '../give.ts';
import { promptOf } from '../prompt-text.ts';
import { nameOf, stateOf } from '../view.ts';

/** `outlast resume` */
export const resume = command({
  name: 'resume',
  summary: 'Let an ended, held or limited session of an agent go on.',
  usage: 'resume S [PROMPT|-] [OPTIONS]',
  words: {
    min: 1,
    max: Number.POSITIVE_INFINITY,
    are: [
      'S is the id or the name of a session. The conversation is the same; PROMPT is what it goes on with.',
      'What is held until somebody says so (login, billing, a budget, …) and what waits for a usage limit goes on now.',
      'Budget, deadline and resumes count anew from here.',
    ].join('\n'),
  },
  completes: 'session',
  options: {
    'prompt-file': { type: 'string', value: 'FILE', sentence: 'Read the prompt from this file.' },
    command: { type: 'boolean', sentence: 'It may begin with / or !, as a command of the agent.' },
    trust: {
      type: 'boolean',
      sentence: "The workspace's own settings may run: your word, remembered until they change.",
    },
    'no-wait': { type: 'boolean', sentence: 'Do not wait two seconds for news of the prompt.' },
  },
  examples: [
    ['outlast resume api', 'It waits for prompts again.'],
    ['outlast resume api "go on with the second part"', 'And has something to do.'],
    ['outlast resume api && outlast wait api --for reply', 'You have logged in again: what failed is taken up.'],
  ],
  async run(context) {
    const { values, json, print } = context;
    const [session = '', ...words] = context.words;
    const source = { name: 'resume', words, file: values['prompt-file'], implicit: false };
    const text = await promptOf(source, context);
    const outlast = context.connect();
    const resumed = await outlast.resume({ session, trust: values.trust });
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
