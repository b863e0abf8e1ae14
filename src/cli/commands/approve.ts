import type { DecideOptions, Outlast } from '../../client/index.ts';
import { type Context, command } from '../base/command.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine } from '../base/print.ts';
import { each } from '../flow/each.ts';
import { parsedJson } from '../input/rules-file.ts';

const OPTIONS = {
  why: { type: 'string', value: 'TEXT', sentence: 'The reason, which is given to the agent.' },
  session: { type: 'boolean', sentence: 'Also save it as a rule for the rest of the session.' },
  always: { type: 'boolean', sentence: 'Also save it as a rule for this workspace.' },
  rule: { type: 'string', value: 'RULE', sentence: 'Save this rule, instead of the narrowest one.' },
  'all-like': {
    type: 'boolean',
    sentence: 'Also decide all other pending calls, of any session, that this rule matches.',
  },
  by: { type: 'string', value: 'NAME', sentence: 'Who decides, for the record.', otherwise: 'your user name' },
} as const;

const WORDS = {
  min: 1,
  max: Number.POSITIVE_INFINITY,
  are: [
    'ID is the id of an approval, see `outlast approvals`, or a session that has exactly one.',
    'A decision applies to that call with exactly that input, and is final.',
    'The narrowest rule covers only this command, file or host; `outlast rules list` shows the saved rules.',
  ].join('\n'),
};

/** `outlast approve` */
export const approve = command({
  name: 'approve',
  summary: 'Allow a tool call that waits for approval.',
  usage: 'approve ID… [OPTIONS]',
  words: WORDS,
  completes: 'approval',
  options: {
    ...OPTIONS,
    edit: { type: 'string', value: 'JSON', sentence: 'Replace the input of the tool with this.' },
  },
  examples: [
    ['outlast approve k7mpq2xw', 'This call, once.'],
    ['outlast approve api --always', 'The only pending call of api; from now on it is allowed in that folder.'],
    [`outlast approve k7mpq2xw --edit '{"command":"npm publish --dry-run"}'`, 'With another input.'],
    ["outlast approve --all-like k7mpq2xw --rule 'Bash(npm test:*)'", 'All pending calls that the rule matches.'],
  ],
  run: (context) => answer(context, true, editOf(context.values.edit)),
});

/** `outlast deny` */
export const deny = command({
  name: 'deny',
  summary: 'Deny a tool call that waits for approval.',
  usage: 'deny ID… [--why TEXT] [OPTIONS]',
  words: WORDS,
  completes: 'approval',
  options: OPTIONS,
  examples: [
    ['outlast deny k7mpq2xw --why "use the staging database"', 'The agent gets the reason and continues.'],
    ['outlast deny api --session', 'The only pending call of api; it is denied for the rest of the session.'],
  ],
  run: (context) => answer(context, false, {}),
});

function answer(context: Context<typeof OPTIONS>, allow: boolean, edit: Pick<DecideOptions, 'edit'>): Promise<number> {
  const { values, words, env } = context;
  if (values.session && values.always) throw wrongCall('choose one of --session and --always');
  if (edit.edit !== undefined && words.length > 1) throw wrongCall('approve: --edit needs exactly one approval');
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

/** The user name, as far as the environment has one. */
export function userOf(env: Readonly<Record<string, string | undefined>>): string {
  return (env.USER || env.LOGNAME || 'caller').slice(0, 63);
}

function editOf(json: string | undefined): Pick<DecideOptions, 'edit'> {
  if (json === undefined) return {};
  const edit = parsedJson('approve', 'the value of --edit', json);
  if (typeof edit !== 'object' || edit === null || Array.isArray(edit))
    throw wrongCall('approve: --edit needs a JSON object, the input of the tool');
  return { edit: edit as Record<string, unknown> };
}
