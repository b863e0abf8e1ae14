import type { CallOutput } from '../../api/contract.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { Given } from '../../client/index.ts';
import { path } from '../../client/node.ts';
import { indexNote, indexText } from '../../present/found.ts';
import { type Context, command, type Values } from '../base/command.ts';
import { countOf, parseDuration } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { foundLines } from '../views/found.ts';
import { spin } from '../views/spinner.ts';

const OPTIONS = {
  prompts: { type: 'boolean', sentence: 'Only prompts.' },
  replies: { type: 'boolean', sentence: 'Only replies.' },
  tools: { type: 'boolean', sentence: 'Only tool calls and their results.' },
  agent: { type: 'string', value: 'NAME', sentence: 'Only conversations of this agent.' },
  session: { type: 'string', value: 'S', sentence: 'Only this session.' },
  cwd: { type: 'string', value: 'DIR', sentence: 'Only conversations in this folder, or below it.' },
  here: { type: 'boolean', sentence: 'Same as --cwd with the current folder.' },
  since: { type: 'string', value: 'TIME', sentence: 'Only texts since then: 2h, 7d, or a date such as 2026-10-31.' },
  limit: { type: 'string', value: 'N', sentence: 'At most N texts.', otherwise: '20' },
  before: { type: 'string', value: 'ID', sentence: 'Continue where the last page ended.' },
  full: { type: 'boolean', sentence: 'Print whole texts, not only the matching parts.' },
  wait: { type: 'boolean', sentence: 'Wait until the index is complete.' },
  status: { type: 'boolean', sentence: 'Show the size and the state of the index.' },
  rebuild: { type: 'boolean', sentence: 'Delete the index and build it again.' },
  'delete-index': { type: 'boolean', sentence: 'Delete the index. The next search builds a new one.' },
} as const;

type Found = CallOutput<'search.query'>;

/** An index of many gigabytes takes minutes. */
const WAIT_MS = 600_000;
/** Usually a fraction of a second is enough; a person would rather wait a little than search twice. */
const PATIENCE_MS = 5_000;

/** `outlast search` */
export const search = command({
  name: 'search',
  summary: 'Search all conversations.',
  usage: 'search WORD… [OPTIONS]',
  words: {
    min: 0,
    max: Number.POSITIVE_INFINITY,
    are: [
      'Searches prompts, replies and tool calls of all agents on this machine, newest first, also in conversations',
      'that were not started with Outlast.',
      'All words must be in the same text. An argument with spaces is a phrase, and so are words that punctuation',
      'joins, such as src/net/retry.ts. WORD* matches words that begin with WORD. Case and accents do not matter.',
      'Put words that begin with - after --.',
      'The first search builds an index, and later ones keep it up to date. In a session, only sessions are searched.',
      'Exit status: 0 if something was found, 1 if not.',
    ].join('\n'),
  },
  options: OPTIONS,
  examples: [
    ['outlast search retry backoff', 'Texts with both words.'],
    ['outlast search "connection refused" --tools', 'The phrase, in tool calls and their results.'],
    ['outlast search src/net/retry.ts --here --since 7d', 'Where a file was mentioned, in this folder.'],
    ["outlast search 'migrat*' --agent codex --prompts", 'What Codex was asked about migrations.'],
    ['outlast search --status', 'How large the index is.'],
  ],
  run: runSearch,
});

async function runSearch(context: Context<typeof OPTIONS>): Promise<number> {
  const { values, words } = context;
  const about = ['status', 'rebuild', 'delete-index'].filter((name) => values[name as 'status']);
  if (about.length > 1) throw wrongCall(`search: choose one of --${about.join(' and --')}`);
  if (about.length > 0 && words.length > 0) throw wrongCall(`search: --${about[0]} takes no words`);
  if (values.status) return showStatus(context);
  if (values['delete-index'] || values.rebuild) return renew(context);
  if (words.length === 0) throw wrongCall('search: missing argument. Usage: outlast search WORD… [OPTIONS]');
  const asked = context.connect().search(inputOf(context));
  return show(context, await spin(context, 'reading new conversations', asked));
}

function inputOf({ values, words, clock }: Context<typeof OPTIONS>): Given<'search.query'> {
  const { agent, session, prompts, replies, tools, full } = values;
  if (values.here && values.cwd !== undefined) throw wrongCall('search: choose one of --here and --cwd');
  const folder = values.here ? '.' : values.cwd;
  const only = [...(prompts ? ['prompt'] : []), ...(replies ? ['reply'] : []), ...(tools ? ['tool'] : [])];
  return {
    words: words.map((word) => (/\s/.test(word) ? `"${word.replaceAll('"', ' ')}"` : word)).join(' '),
    ...{ agent, session, full, workspace: folder === undefined ? undefined : path.resolve(folder) },
    ...(only.length === 0 ? {} : { only: only as ('prompt' | 'reply' | 'tool')[] }),
    newerThanMs: sinceOf(values.since, clock.wallMs()),
    limit: countOf('--limit', values.limit),
    before: countOf('--before', values.before),
    waitMs: values.wait ? WAIT_MS : PATIENCE_MS,
  };
}

/** How long ago that was: a duration, or a date in the local time. */
function sinceOf(word: string | undefined, nowMs: number): number | undefined {
  if (word === undefined) return undefined;
  if (!/^\d{4}-\d\d-\d\d/.test(word)) return parseDuration('--since', word);
  const atMs = Date.parse(word.length === 10 ? `${word}T00:00` : word);
  if (Number.isNaN(atMs)) throw wrongCall(`--since: "${word}" is not a date; write it like 2026-10-31`);
  return Math.max(0, nowMs - atMs);
}

async function show(context: Context<typeof OPTIONS>, seen: Found): Promise<number> {
  const { values, words, print, json, clock, env } = context;
  const isFound = seen.found.length > 0;
  const status = isFound ? EXIT.fine : EXIT.failed;
  if (json) {
    await print.json(seen);
    return status;
  }
  const shown = { print, nowMs: clock.wallMs(), home: env.HOME ?? '', full: values.full };
  if (isFound) await print.line(foundLines(seen.found, shown).join('\n'));
  else await print.line('Nothing was found.');
  const note = indexNote(seen.index);
  if (note !== null) await print.note(note);
  if (!isFound && words.length === 1 && /\s/.test(words[0] ?? ''))
    await print.note(
      `That was a phrase. To search for its words separately: outlast search ${looseWords(words[0] ?? '')}`,
    );
  if (seen.more !== null) await print.note(`There are more: ${nextPage(values, words, seen.more)}`);
  return status;
}

function looseWords(phrase: string): string {
  return phrase.trim().split(/\s+/).map(shellWord).join(' ');
}

/** The command that prints the next page. */
function nextPage(values: Values<typeof OPTIONS>, words: readonly string[], before: number): string {
  const kept = Object.entries({ ...values, before: String(before) }).flatMap(([name, value]) => {
    if (!(name in OPTIONS) || value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [`--${name}`, shellWord(String(value))];
  });
  return ['outlast search', ...words.map(shellWord), ...kept].join(' ');
}

async function showStatus({ connect, json, print, clock }: Context<typeof OPTIONS>): Promise<number> {
  const index = await connect().searchStatus();
  if (json) await print.json(index);
  else {
    await print.line(indexText(index, clock.wallMs()));
    const note = indexNote(index);
    if (note !== null) await print.note(note);
  }
  return EXIT.fine;
}

async function renew(context: Context<typeof OPTIONS>): Promise<number> {
  const { connect, json, print, values } = context;
  const outlast = connect();
  const gone = await outlast.deleteSearchIndex();
  if (!values.rebuild) {
    if (json) await print.json(gone);
    else await print.line('The index is deleted. The next search builds a new one.');
    return EXIT.fine;
  }
  // Any search builds it; what this one finds does not matter.
  await spin(context, 'building the index', outlast.search({ words: 'index', limit: 1, waitMs: WAIT_MS }));
  return showStatus(context);
}
