import { OutlastError } from '../../client/index.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { parseDuration } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';
import { type Changed, checkedFile, setKey, unsetKey } from '../config/ask.ts';
import { editedConfig } from '../config/edit.ts';
import { changeLines, mistakeLine, reloaded, reloadLines } from '../config/words.ts';

/** `outlast config set` */
export const set = command({
  name: 'config set',
  summary: 'Change a setting in the config file, and make the daemon use it.',
  usage: 'config set KEY VALUE',
  words: {
    min: 2,
    max: 2,
    are: [
      'KEY is the name of a setting, with dots: retention.ageMsMax, notices.0.on. VALUE is a string, a number or JSON;',
      'a time may have a unit: 30d. The rest of the file stays as it is. An invalid value is refused.',
    ].join('\n'),
  },
  options: {},
  examples: [
    ['outlast config set agent codex', 'The default agent.'],
    ['outlast config set retention.ageMsMax 7d', 'Remove ended sessions after a week.'],
    [`outlast config set notices '[{"name": "desk", "desktop": true}]'`, 'A list.'],
  ],
  async run(context) {
    const [key = '', word = ''] = context.words;
    refuseInside(context.env);
    return tell(context, setKey(context.env, key, inMs(key, word)));
  },
});

/** `outlast config unset` */
export const unset = command({
  name: 'config unset',
  summary: 'Remove a setting from the config file: its default applies again.',
  usage: 'config unset KEY',
  words: { min: 1, max: 1, are: 'KEY is the name of a setting, with dots between its parts.' },
  options: {},
  examples: [['outlast config unset agent', 'Back to the default.']],
  async run(context) {
    const [key = ''] = context.words;
    refuseInside(context.env);
    return tell(context, unsetKey(context.env, key));
  },
});

/** `outlast config edit` */
export const edit = command({
  name: 'config edit',
  summary: 'Edit the config file, and check it before it is saved.',
  usage: 'config edit',
  words: {
    ...NO_WORDS,
    are: 'Opens a copy in $VISUAL, $EDITOR or vi. Only a valid file is saved; after a mistake you can edit again.',
  },
  options: {},
  examples: [['EDITOR=nano outlast config edit', 'With the editor of your choice.']],
  async run(context) {
    refuseInside(context.env);
    const made = await editedConfig(context);
    if (made === null) return EXIT.failed;
    if (made.changed) for (const line of await reloaded(context, made)) await context.print.line(oneLine(line));
    return EXIT.fine;
  },
});

/** `outlast config reload` */
export const reload = command({
  name: 'config reload',
  summary: 'Make the daemon reload the config file.',
  usage: 'config reload',
  words: {
    ...NO_WORDS,
    are: 'Running sessions keep the settings they were started with. An invalid file changes nothing.',
  },
  options: {},
  examples: [['outlast config reload', 'After you changed the file with another program.']],
  async run({ env, json, print, connect }) {
    const { file, mistakes } = checkedFile(env);
    for (const mistake of mistakes) await print.note(oneLine(mistakeLine(file, mistake)));
    if (mistakes.length > 0) throw new OutlastError('config_invalid', 'the daemon keeps its current settings');
    const done = await connect({ start: false }).reloadConfig();
    if (json) await print.json(done);
    else for (const line of reloadLines(done)) await print.line(oneLine(line));
    return EXIT.fine;
  },
});

async function tell(context: Context, made: Changed): Promise<number> {
  const { json, print } = context;
  const lines = await reloaded(context, made);
  if (json) await print.json({ ...made, daemon: lines });
  else for (const line of [...changeLines(made), ...lines]) await print.line(oneLine(line));
  return EXIT.fine;
}

/** The daemon refuses a reload too: a session must not change the limits and rules that it runs under. */
function refuseInside(env: Context['env']): void {
  if (env.OUTLAST_RUN)
    throw new OutlastError(
      'owner_refused',
      'a session may not change the config; a person must do it outside the session',
    );
}

/** A time with a unit in milliseconds, for the keys that count those. */
function inMs(key: string, word: string): string {
  return /Ms(Max|Min)?$/.test(key) && /^\d+(\.\d+)?[a-z]/.test(word) ? String(parseDuration(key, word)) : word;
}
