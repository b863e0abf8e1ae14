import type { CallOutput } from '../../api/contract.ts';
import type { Outlast } from '../../client/index.ts';
import { fs, path } from '../../client/node.ts';
import { type Context, command, NO_WORDS } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine, type Print } from '../base/print.ts';
import { stdinKind } from '../input/stdin.ts';
import { PRESETS, type Preset } from '../notify/presets.ts';
import { Questions } from '../notify/questions.ts';
import { tableOf } from '../views/view.ts';

const OPTIONS = {
  name: { type: 'string', value: 'NAME', sentence: 'A name for it.', otherwise: 'WHERE' },
  on: {
    type: 'string',
    value: 'WHEN',
    multiple: true,
    sentence: 'When it is sent: announced, ended, failed, answered, asked, held, boot or an event.',
    otherwise: 'announced',
  },
  'secret-file': {
    type: 'string',
    value: 'FILE',
    sentence: 'File with its token or secret address; - reads standard input, and stores it with mode 0600.',
  },
  replace: { type: 'boolean', sentence: 'Replace the notice with this name.' },
  'no-test': { type: 'boolean', sentence: 'Send no test message.' },
} as const;

type Setup = Context<typeof OPTIONS>;

/** `outlast notify setup` */
export const setup = command({
  name: 'notify setup',
  summary: 'Choose how Outlast notifies you, and test it.',
  usage: 'notify setup [WHERE] [ADDRESS] [OPTIONS]',
  words: {
    min: 0,
    max: 2,
    are: [
      `WHERE is one of ${Object.keys(PRESETS).join(', ')}.`,
      'ADDRESS is a topic, a chat, an e-mail address or a URL. At a terminal, it asks for what is missing.',
      'The notice is added to the config file and used at once; the rest of the file stays as it is.',
      'Status: 0 the test message was sent, 1 it was not; the notice is added in both cases.',
    ].join('\n'),
  },
  completes: Object.keys(PRESETS),
  options: OPTIONS,
  examples: [
    ['outlast notify setup', 'Asks where, and for the address or token.'],
    ['outlast notify setup desktop', 'Nothing more is needed.'],
    ['outlast notify setup ntfy my-sessions-7f3a', 'A topic of ntfy.sh.'],
    ['pass show slack-hook | outlast notify setup slack --secret-file -', 'In a script.'],
    ['outlast notify setup telegram 123456789 --secret-file ~/.bot-token', 'The bot reads its token from this file.'],
    ['outlast notify setup email ann@example.org --on failed --on held', 'Only when something goes wrong.'],
  ],
  async run(given) {
    const context = given as unknown as Setup;
    const questions = stdinKind() === 'tty' && !context.json ? new Questions() : null;
    const where = context.words[0] ?? (await askWhere(questions, context.print));
    const preset = Object.hasOwn(PRESETS, where) ? PRESETS[where] : undefined;
    if (preset === undefined)
      throw wrongCall(`notify setup: "${where}" is not one of ${Object.keys(PRESETS).join(', ')}`);
    const secret = await secretOf(preset, where, context, questions);
    const address = await addressOf(preset, where, context, questions);
    const outlast = context.connect();
    const name = context.values.name ?? (await freeName(outlast, where, context.values.replace));
    const on = context.values.on.length === 0 ? ['announced'] : context.values.on.flatMap((words) => words.split(','));
    const notice = { name, on, ...withSecretFile(preset.notice(address), preset, secret.file) };
    const { text } = secret;
    const made = await outlast.setNotice({
      notice,
      ...(text !== null && { secret: text }),
      replace: context.values.replace,
    });
    if (!context.json) await tellMade(context.print, made);
    return test(context, outlast, made);
  },
});

/** `outlast notify test` */
export const notifyTest = command({
  name: 'notify test',
  summary: 'Send a test message to a notice.',
  usage: 'notify test NAME',
  words: { min: 1, max: 1, are: 'It is tried once. Status: 0 sent, 1 not sent; the message says why.' },
  options: {},
  examples: [['outlast notify test slack', 'Also in quiet hours.']],
  async run(context) {
    const outlast = context.connect();
    return tell(context, context.words[0] ?? '', await outlast.testNotice(context.words[0] ?? ''), {});
  },
});

/** `outlast notify list` */
export const list = command({
  name: 'notify list',
  summary: 'List the notices, with the result of the last deliveries.',
  usage: 'notify list',
  words: NO_WORDS,
  options: {},
  examples: [['outlast notify list', 'Also says whether this machine can show desktop notifications.']],
  async run({ json, print, connect }) {
    const listed = await connect().notices();
    if (json) await print.json(listed);
    else await tellList(print, listed);
    return EXIT.fine;
  },
});

async function askWhere(questions: Questions | null, print: Print): Promise<string> {
  const names = Object.keys(PRESETS);
  if (questions === null) throw wrongCall(`notify setup: missing WHERE: one of ${names.join(', ')}`);
  const rows = Object.entries(PRESETS).map(([name, { about }], i) => [`  ${i + 1}`, name, about]);
  await print.note(['How should Outlast notify you?', ...tableOf(rows, Number.POSITIVE_INFINITY)].join('\n'));
  const answer = (await questions.ask('Number or name')).toLowerCase();
  return names[Number(answer) - 1] ?? answer;
}

/** The secret itself, or the file in which the user keeps it. */
interface Secret {
  readonly text: string | null;
  readonly file: string | null;
}

async function secretOf(
  preset: Preset,
  where: string,
  { values, print }: Setup,
  questions: Questions | null,
): Promise<Secret> {
  const file = values['secret-file'];
  if (file !== undefined && preset.secret === undefined) throw wrongCall(`notify setup: ${where} has no secret`);
  if (file === '-') return { text: await readSecret(), file: null };
  if (file !== undefined) return { text: null, file: await checkedFile(file, print) };
  if (!preset.secret?.isNeeded) return { text: null, file: null };
  if (questions === null) throw wrongCall(`notify setup: ${where} needs --secret-file FILE, or - for standard input`);
  const text = await questions.ask(preset.secret.ask, true);
  if (text === '') throw wrongCall(`notify setup: ${where} needs it; nothing was changed`);
  return { text, file: null };
}

async function readSecret(): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of process.stdin as AsyncIterable<Buffer>) pieces.push(piece);
  const text = Buffer.concat(pieces).toString('utf8').trim();
  if (text === '') throw wrongCall('notify setup: --secret-file -: standard input is empty');
  return text;
}

async function checkedFile(file: string, print: Print): Promise<string> {
  const full = path.resolve(file);
  const stat = fs.statSync(full, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw wrongCall(`notify setup: --secret-file: there is no file ${full}`);
  if ((stat.mode & 0o077) !== 0)
    await print.note(`outlast: warning: other users can read ${full}; protect it with: chmod 600 ${full}`);
  return full;
}

async function addressOf(
  preset: Preset,
  where: string,
  { words }: Setup,
  questions: Questions | null,
): Promise<string> {
  const [, given] = words;
  if (preset.address === undefined) {
    if (given !== undefined)
      throw wrongCall(
        `notify setup: ${where} takes no ADDRESS${preset.secret ? '; its address is a secret: use --secret-file' : ''}`,
      );
    return '';
  }
  const { ask, example } = preset.address;
  if (given !== undefined) return given;
  if (questions === null) throw wrongCall(`notify setup: ${where}: missing ADDRESS, such as ${example}`);
  const answer = await questions.ask(`${ask}, such as ${example}`);
  if (answer === '') throw wrongCall(`notify setup: ${where} needs it; nothing was changed`);
  return answer;
}

/** The name of the kind, or with a number if there is one already. */
async function freeName(outlast: Outlast, where: string, isReplaced: boolean): Promise<string> {
  if (isReplaced) return where;
  const taken = (await outlast.notices()).notices.filter((each) => !each.isDefault).map(({ name }) => name);
  let name = where;
  for (let number = 2; taken.includes(name); number += 1) name = `${where}-${number}`;
  return name;
}

function withSecretFile(notice: ReturnType<Preset['notice']>, { secret }: Preset, file: string | null): object {
  if (file === null || secret === undefined) return notice;
  return Object.fromEntries(
    Object.entries(notice).map(([kind, route]) => [kind, { ...(route as object), [secret.key]: file }]),
  );
}

type Made = CallOutput<'notice.set'>;

async function tellMade(print: Print, { name, file, secretFile }: Made): Promise<void> {
  await print.line(`Added the notice ${name} to ${oneLine(file)}. It is in use.`);
  if (secretFile !== null) await print.line(`Its secret is in ${oneLine(secretFile)}.`);
}

async function test(context: Setup, outlast: Outlast, made: Made): Promise<number> {
  if (!context.values['no-test']) return tell(context, made.name, await outlast.testNotice(made.name), made);
  if (context.json) await context.print.json({ ...made, sent: false, why: null });
  else await context.print.line(`Try it with: outlast notify test ${made.name}`);
  return EXIT.fine;
}

type Tested = CallOutput<'notice.test'>;

async function tell(
  { json, print }: Pick<Context, 'json' | 'print'>,
  name: string,
  { sent, why }: Tested,
  more: object,
) {
  const status = sent ? EXIT.fine : EXIT.failed;
  if (json) await print.json({ ...more, sent, why });
  else if (sent) await print.line(`A test message was sent to ${name}.`);
  else await print.note(`outlast: the test message to ${name} failed: ${oneLine(why ?? '')}`);
  return status;
}

async function tellList(print: Print, { notices, desktop, quietUntilMs, file }: CallOutput<'notice.list'>) {
  const rows = notices.map(({ name, kind, on, isDefault, failed, lastError, behind }) => {
    const trouble = lastError === null ? '' : `${failed} failed; last error: ${oneLine(lastError)}`;
    const waiting = behind > 0 ? `${behind} events behind` : '';
    return [
      name,
      kind,
      on.join(','),
      isDefault ? 'by default' : [waiting, trouble].filter(Boolean).join(', ') || 'fine',
    ];
  });
  const head = ['NAME', 'HOW', 'WHEN', 'STATUS'];
  if (rows.length > 0) for (const line of tableOf([head, ...rows], print.stdout.columns)) await print.line(line);
  else await print.line('There are no notices. Add one with: outlast notify setup');
  if (quietUntilMs !== null)
    await print.line(`Quiet hours until ${new Date(quietUntilMs).toLocaleTimeString([], { timeStyle: 'short' })}.`);
  await print.line(
    desktop === null ? 'This machine shows desktop notifications.' : `No desktop notifications: ${desktop}.`,
  );
  await print.line(`Config: ${oneLine(file)}`);
}
