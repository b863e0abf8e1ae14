import * as z from 'zod';
import { CONTRACT } from '../api/contract.ts';
import type { FoundText } from '../api/contract-search.ts';
import { durationText } from '../present/duration.ts';
import { conversationName, indexNote } from '../present/found.ts';
import { nameOf } from '../present/state.ts';
import { asData, linesThatFit } from './data.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { callOf, oneLine } from './words.ts';

const TEXTS = 10;
const TEXTS_MAX = 50;
const TEXT_CHARS_MAX = 2_000;

const query = CONTRACT['search.query'].input.shape;

/** `search`: what was said in conversations. */
export const search = tool({
  name: 'search',
  title: 'Search conversations',
  description:
    'Searches prompts, replies and tool calls of all conversations on this machine, newest first. ' +
    'Inside a session only those of sessions.',
  grants: ['read'],
  operations: ['search.query'],
  input: {
    ...strictly({ words: query.words, agent: query.agent, session: query.session, workspace: query.workspace }),
    ...strictly({ newerThanMs: query.newerThanMs, before: query.before, full: query.full }),
    only: z
      .array(z.enum(['prompt', 'reply', 'tool']))
      .optional()
      .describe('Only prompts, replies or tool calls.'),
    limit: z.number().int().min(1).max(TEXTS_MAX).default(TEXTS).describe(`At most ${TEXTS_MAX}.`),
  },
  async run(input, { outlast, clock, signal }) {
    const given = Object.fromEntries(
      Object.entries(input).filter(([, value]) => value !== undefined && value !== false),
    );
    const { found, more, index } = await outlast.search({ ...given, words: input.words }, signal);
    const lines = linesThatFit(found.map((one) => lineOf(one, clock.wallMs(), input.full)));
    const isPart = more !== null || lines.length < found.length;
    const before = lines.length < found.length ? found[lines.length - 1]?.id : more;
    const next = isPart ? [`[there are more: ${callOf('search', { ...given, before })}]`] : [];
    const note = indexNote(index);
    const missing = note === null ? [] : [`[${note}]`];
    const text = lines.length === 0 ? 'Nothing was found.' : asData(lines.join('\n'), 'conversations');
    const details = { found: found.slice(0, lines.length), more: isPart ? before : null };
    return { text: [...missing, ...next, text].join('\n'), details };
  },
});

function lineOf(one: FoundText, nowMs: number, full: boolean): string {
  const turn = one.turn === null ? '' : ` turn ${one.turn}`;
  const read =
    one.session === null
      ? ''
      : ` (session_turn session=${nameOf(one.session)}${one.turn === null ? '' : ` number=${one.turn}`})`;
  const age = durationText(nowMs - one.atMs);
  const where = oneLine(one.workspace ?? '');
  const text = full ? one.text : oneLine(one.text, TEXT_CHARS_MAX);
  return `${conversationName(one)}${turn}, ${age} ago, ${where}${read}\n  ${one.kind}: ${text}`;
}
