import { nameOf } from '../../present/state.ts';
import { type Context, command, SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { tellGiven } from '../flow/give.ts';
import { promptOf } from '../input/prompt-text.ts';
import { spin } from '../views/spinner.ts';
import { stateOf } from '../views/view.ts';

const OPTIONS = {
  conversation: {
    type: 'string',
    value: 'ID',
    sentence: "Take over a conversation not started with Outlast, by the agent's own id.",
  },
  agent: {
    type: 'string',
    value: 'NAME',
    sentence: 'Continue with another agent, which gets a written hand-over.',
    completes: 'agent',
  },
  model: { type: 'string', value: 'MODEL', sentence: 'The model of that agent.', completes: 'model' },
  thinking: { type: 'string', value: 'LEVEL', sentence: 'The thinking level of that agent.' },
  'start-fresh': { type: 'boolean', sentence: 'Start a new conversation if the old one is lost.' },
  'prompt-file': { type: 'string', value: 'FILE', sentence: 'Read the prompt from this file.' },
  command: { type: 'boolean', sentence: 'Allow it to begin with / or !, as a command to the agent.' },
  trust: {
    type: 'boolean',
    sentence: "Trust the workspace's settings; remembered until they change.",
  },
  'no-wait': { type: 'boolean', sentence: 'Do not wait two seconds for the acceptance of the prompt.' },
} as const;

/** `outlast resume` */
export const resume = command({
  name: 'resume',
  summary: 'Resume an ended, held or limited agent session.',
  usage: 'resume S|--conversation ID [PROMPT|-] [OPTIONS]',
  words: {
    min: 0,
    max: Number.POSITIVE_INFINITY,
    are: [
      SESSION,
      'It continues the same conversation, with PROMPT if given.',
      'Also continues a session that is held (login, billing, a budget, …) or waits for a usage limit.',
      'With --conversation it takes over one not started with Outlast.',
      'Resets budget, deadline and the count of resumes.',
    ].join('\n'),
  },
  completes: 'session',
  options: OPTIONS,
  examples: [
    ['outlast resume api', 'It waits for prompts again.'],
    ['outlast resume api "go on with the second part"', 'With a new prompt.'],
    ['outlast resume api --agent codex', 'Another agent continues it, with everything known about it.'],
    ['outlast resume api --start-fresh', 'The transcript is lost and cannot be restored.'],
    ['outlast resume api && outlast wait api --for reply', 'After a login: retries the prompt that failed.'],
  ],
  async run(context) {
    const { values, json, print } = context;
    if (values.conversation !== undefined) return takeOver(context, values.conversation);
    const [session, ...words] = context.words;
    if (session === undefined) throw wrongCall('resume: name a session, or pass --conversation ID');
    const source = { name: 'resume', words, file: values['prompt-file'], implicit: false };
    const text = await promptOf(source, context);
    const outlast = context.connect();
    const { trust, agent, model, thinking } = values;
    const resumed = await outlast.resume({
      ...{ session, trust, agent, model, thinking },
      startFresh: values['start-fresh'],
    });
    if (text !== undefined) {
      const { id } = resumed.session;
      const answer = await outlast.prompt({ session: id, prompt: text, asCommand: values.command });
      return tellGiven(context, outlast, { answer, now: false, patient: !values['no-wait'] });
    }
    if (json) await print.json(resumed);
    else await print.line(`${nameOf(resumed.session)}: ${stateOf(resumed.session)}`);
    return EXIT.fine;
  },
});

/** Takes over a conversation that Outlast did not start, as a session. */
async function takeOver(context: Context<typeof OPTIONS>, conversation: string): Promise<number> {
  const { values, json, print, words } = context;
  const prompt = await promptOf({ name: 'resume', words, file: values['prompt-file'], implicit: false }, context);
  const taking = context.connect().takeOver({ conversation, trust: values.trust, prompt });
  const session = await spin(context, 'looking for the conversation', taking);
  const started = await session.show();
  if (json) await print.json(started);
  else await print.line(`${nameOf(started.session)}: ${stateOf(started.session)}`);
  return EXIT.fine;
}
