import type { DecideOptions, Outlast } from '../../client/index.ts';
import { type Context, command } from '../base/command.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine } from '../base/print.ts';
import { each } from '../flow/each.ts';
import { parsedJson } from '../input/rules-file.ts';

const OPTIONS = {
  why: { type: 'string', value: 'TEXT', sentence: 'The reason, which reaches the agent.' },
  session: { type: 'boolean', sentence: 'Make a rule of it for the rest of the session.' },
  always: { type: 'boolean', sentence: 'Make a rule of it for this workspace.' },
  rule: { type: 'string', value: 'RULE', sentence: 'That rule, instead of the narrowest one.' },
  'all-like': { type: 'boolean', sentence: 'Also all others, of any session, that such a rule would decide.' },
  by: { type: 'string', value: 'NAME', sentence: 'Who decides, for the record.', otherwise: 'your user name' },
} as const;

const WORDS = {
  min: 1,
  max: Number.POSITIVE_INFINITY,
  are: [
    'ID is the id of a question as `outlast approvals` shows it, or a session that has exactly one.',
    'An answer is for that one call with exactly that input, and is given once.',
    'The narrowest rule is this command, this file or this host; `outlast rules list` shows what was kept.',
  ].join('\n'),
};

/** `outlast approve` */
export const approve = command({
  name: 'approve',
  summary: 'Allow a tool call that waits for an answer.',
  usage: 'approve ID… [OPTIONS]',
  words: WORDS,
  completes: 'approval',
  options: {
    ...OPTIONS,
    edit: { type: 'string', value: 'JSON', sentence: 'Give the tool this instead.' },
  },
  examples: [
    ['outlast approve k7mpq2xw', 'This call, once.'],
    ['outlast approve api --always', 'The only question of api, and the same call from now on in its folder.'],
    [`outlast approve k7mpq2xw --edit '{"command":"npm publish --dry-run"}'`, 'Something else instead.'],
    ["outlast approve --all-like k7mpq2xw --rule 'Bash(npm test:*)'", 'Everything that waits and that the rule fits.'],
  ],
  run: (context) => answer(context, true, editOf(context.values.edit)),
});

/** `outlast deny` */
export const deny = command({
  name: 'deny',
  summary: 'Refuse a tool call that waits for an answer.',
  usage: 'deny ID… [--why TEXT] [OPTIONS]',
  words: WORDS,
  completes: 'approval',
  options: OPTIONS,
  examples: [
    ['outlast deny k7mpq2xw --why "use the staging database"', 'The agent reads why, and goes on.'],
    ['outlast deny api --session', 'The only question of api, and the same call for the rest of the session.'],
  ],
  run: (context) => answer(context, false, {}),
});

function answer(context: Context<typeof OPTIONS>, allow: boolean, edit: Pick<DecideOptions, 'edit'>): Promise<number> {
  const { values, words, env } = context;
  if (values.session && values.always) throw wrongCall('choose one of --session and --always');
  if (edit.edit !== undefined && words.length > 1) throw wrongCall('approve: --edit is for one question');
  const options: DecideOptions = {
    by: values.by ?? userOf(env),
    ...edit,
    ...(values.why === undefined ? {} : { why: values.why }),
    ...(values.rule === undefined ? {} : { rule: values.rule }),
    ...(values.session || values.always ? { keep: values.always ? 'always' : 'session' } : {}),
    alike: values['all-like'],
  };
  const outlast = context.connect();
  return each(context, words, (word) => decided(outlast, word, allow, options));
}

async function decided(outlast: Outlast, word: string, allow: boolean, options: DecideOptions) {
  const value = await outlast.approvals.decide(word, allow, options);
  const made = allow ? 'Allowed' : 'Denied';
  const lines = value.decided.map(
    ({ approval, tool, session }) => `${made} ${approval} (${oneLine(tool)}) of ${session}.`,
  );
  const place = options.keep === 'always' ? 'in this workspace from now on' : 'for the rest of the session';
  const rule = value.rule === null ? [] : [`  ${allow ? 'allow' : 'deny'} ${oneLine(value.rule)} ${place}`];
  return { value, line: [...lines, ...rule].join('\n') };
}

/** Who sits here, as far as the environment knows. */
export function userOf(env: Readonly<Record<string, string | undefined>>): string {
  return (env.USER || env.LOGNAME || 'caller').slice(0, 63);
}

function editOf(json: string | undefined): Pick<DecideOptions, 'edit'> {
  if (json === undefined) return {};
  const edit = parsedJson('approve', 'what --edit says', json);
  if (typeof edit !== 'object' || edit === null || Array.isArray(edit))
    throw wrongCall('approve: --edit takes a JSON object, as the tool is given it');
  return { edit: edit as Record<string, unknown> };
}
