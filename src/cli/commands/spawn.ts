import { command } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { AGENT_OPTIONS, agentInput } from '../input/agent-options.ts';
import { IMAGE_OPTIONS, imagesInput } from '../input/image-options.ts';
import { neededPrompt } from '../input/prompt-text.ts';

const OPTIONS = {
  ...AGENT_OPTIONS,
  ...IMAGE_OPTIONS,
  'no-wake': { type: 'boolean', sentence: 'Send updates with my next prompt, instead of starting a turn.' },
  'keep-open': { type: 'boolean', sentence: 'Stay open after every prompt is answered.' },
  'on-end': {
    type: 'string',
    value: 'HOW',
    completes: ['stop', 'keep', 'up'],
    sentence: 'When I end: stop it, keep it, or give it to my own owner.',
    otherwise: 'stop',
  },
  cleanup: {
    type: 'string',
    value: 'keep|delete',
    completes: ['keep', 'delete'],
    sentence: 'With delete, remove it after I have received its final update.',
    otherwise: 'keep',
  },
} as const;

/** `outlast spawn` */
export const spawn = command({
  name: 'spawn',
  summary: 'Start an agent from inside a session, and get its updates.',
  usage: 'spawn [PROMPT|-] [OPTIONS]',
  words: {
    min: 0,
    max: Number.POSITIVE_INFINITY,
    are: [
      'For agents inside a session: the calling session owns the new one. The daemon detects the caller itself.',
      'PROMPT is one argument; - or nothing is standard input. Prints the id on stdout.',
      'Do not poll: you get a prompt when it ends, needs an approval or hits a limit.',
      'Status: 0 accepted, 4 refused: too deep, too many, an agent that is not allowed, or no owner.',
    ].join('\n'),
  },
  options: OPTIONS,
  examples: [
    ['outlast spawn --name tests "fix the tests"', 'You get an update when it ends.'],
    [
      'outlast spawn --no-wake --cleanup delete "list the licences"',
      'Its update comes with your next prompt; then it is removed.',
    ],
    [
      'outlast spawn --keep-open --name review "read src/"',
      'It stays open: `outlast prompt` steers it, `outlast stop` ends it.',
    ],
  ],
  async run(context) {
    const { values, words, print, json } = context;
    const input = agentInput('spawn', values, context.env);
    const onEnd = oneOf('--on-end', values['on-end'] ?? 'stop', ['stop', 'keep', 'up']);
    const cleanup = oneOf('--cleanup', values.cleanup ?? 'keep', ['keep', 'delete']);
    const source = { name: 'spawn', words, file: values['prompt-file'], implicit: true };
    const prompt = await neededPrompt(source, context);
    const child = { wake: !values['no-wake'], onEnd, cleanup };
    const given = { ...input, ...imagesInput(values), keepOpen: values['keep-open'], child };
    const session = await context.connect().spawn(prompt, given);
    const { id, started, warnings, firstPrompt } = session;
    const when = child.wake
      ? 'You get an update when it ends, needs an approval or hits a limit'
      : 'Its updates come with your next prompt';
    const note = `${when}: do not poll. Its last turn: outlast turn ${id}`;
    if (json) await print.json({ session: started, prompt: firstPrompt, warnings, note });
    else {
      for (const each of warnings) await print.note(`outlast: warning: ${each}`);
      await print.line(id);
      await print.note(note);
    }
    return EXIT.fine;
  },
});

function oneOf<const W extends string>(flag: string, word: string, words: readonly W[]): W {
  const known = words.find((each) => each === word);
  if (known === undefined) throw wrongCall(`${flag}: "${word}" is not one of ${words.join(', ')}`);
  return known;
}
