import { command, SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { tellGiven } from '../flow/give.ts';
import { IMAGE_OPTIONS, imagesInput } from '../input/image-options.ts';
import { neededPrompt } from '../input/prompt-text.ts';

/** `outlast prompt` */
export const prompt = command({
  name: 'prompt',
  summary: 'Send a prompt to an agent.',
  usage: 'prompt S [PROMPT|-] [OPTIONS]   or   prompt S --drop ID',
  words: {
    min: 1,
    max: Number.POSITIVE_INFINITY,
    are: [
      `${SESSION} PROMPT is one argument; - or nothing is standard input.`,
      'A busy agent gets it when its turn ends. Prints the id of the prompt and a cursor for `outlast wait --after`.',
    ].join('\n'),
  },
  completes: 'session',
  options: {
    'prompt-file': { type: 'string', value: 'FILE', sentence: 'Read the prompt from this file.' },
    ...IMAGE_OPTIONS,
    now: { type: 'boolean', sentence: 'Add it to the running turn, instead of after it (live sessions).' },
    command: { type: 'boolean', sentence: 'Allow it to begin with / or !, as a command to the agent.' },
    'no-wait': { type: 'boolean', sentence: 'Do not wait two seconds for its acceptance.' },
    drop: { type: 'string', value: 'ID', sentence: 'Drop a prompt that is queued or unsure.' },
  },
  examples: [
    ['outlast prompt api "now the tests"', 'Sent when api is free.'],
    ['outlast prompt api --now "stop at the first failure"', 'Into the running turn.'],
    ['outlast prompt api --image before.png --image after.png "what changed?"', 'With two images.'],
    ['outlast prompt api - < notes.md', 'From a file; or --prompt-file notes.md.'],
    ['outlast prompt api --command /compact', "One of the agent's own commands."],
    ['outlast prompt api --drop 01jd3v9k2mabcdefghjk', 'Drop one.'],
  ],
  async run(context) {
    const { values, json, print } = context;
    const [session = '', ...words] = context.words;
    if (values.drop !== undefined) {
      if (words.length > 0 || values['prompt-file'] !== undefined || values.image.length > 0)
        throw wrongCall('prompt: pass a prompt or --drop, not both');
      const dropped = await context.connect().drop(session, values.drop);
      if (json) await print.json(dropped);
      else await print.line(`Dropped ${values.drop}.`);
      return EXIT.fine;
    }
    const source = { name: 'prompt', words, file: values['prompt-file'], implicit: true };
    const text = await neededPrompt(source, context);
    const outlast = context.connect();
    const answer = await outlast.prompt({
      ...{ session, prompt: text, now: values.now, asCommand: values.command },
      ...imagesInput(values),
    });
    return tellGiven(context, outlast, { answer, now: values.now, patient: !values['no-wait'] });
  },
});
