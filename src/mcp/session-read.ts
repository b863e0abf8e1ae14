import { CONTRACT } from '../api/contract.ts';
import { ROUTES } from '../api/routes.ts';
import type { EventView, SessionView } from '../api/shapes.ts';
import { asData } from './data.ts';
import { readPart } from './pages.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { commandOf, durationOf, nameOf, oneLine, stateAndWhy } from './words.ts';

const LIST = 20;
const LIST_MAX = 200;
const EVENTS = 50;
const EVENTS_MAX = 500;
const LINES = 100;

const list = CONTRACT['session.list'].input.shape;
const events = CONTRACT['session.events'].input.shape;
const { session, stream, from, bytes, offset, limit, tail } = CONTRACT['session.output'].input.shape;

/** `session_list`: sessions of agents and commands. */
export const sessionList = tool({
  name: 'session_list',
  title: 'List sessions',
  description: `${ROUTES['session.list'].sentence} One line each: id, name, state, age, what it does.`,
  grants: ['read'],
  readOnly: true,
  input: {
    ...strictly({ state: list.state, before: list.before }),
    ...strictly({ limit: list.limit.removeDefault().max(LIST_MAX).default(LIST).describe(`At most ${LIST_MAX}.`) }),
  },
  async run(input, { outlast, clock, signal }) {
    const { sessions, more } = await outlast.list(input, signal);
    const oldest = sessions.at(-1)?.id ?? '';
    const rest = more ? [`[there are more: session_list before=${oldest}]`] : [];
    const lines = sessions.map((each) => lineOf(each, clock.wallMs()));
    const text =
      lines.length === 0 ? 'No sessions.' : [...rest, asData(lines.join('\n'), 'the list of sessions')].join('\n');
    return { text, details: { sessions: sessions.map(briefOf), more } };
  },
});

/** `session_output`: what a session printed. */
export const sessionOutput = tool({
  name: 'session_output',
  title: 'Read output',
  description: `${ROUTES['session.output'].sentence} Without a range: the last ${LINES} lines.`,
  grants: ['read'],
  readOnly: true,
  input: strictly({ session, stream, from, bytes, offset, limit, tail }),
  async run(input, { outlast, signal }) {
    const isRanged = [input.from, input.bytes, input.offset, input.limit, input.tail].some((n) => n !== undefined);
    const range = isRanged ? input : { ...input, tail: LINES };
    const { page, text, rest } = await readPart(outlast, range, signal);
    const missing = [
      ...(page.droppedBytes > 0 ? [`[the first ${page.droppedBytes} bytes were discarded at the retention cap]`] : []),
      ...(page.incomplete ? ['[the output may be incomplete]'] : []),
      ...(rest === null ? [] : [`[not all of it: session_output session=${input.session} ${rest} reads the rest]`]),
    ];
    if (page.ended && rest === null) await outlast.seen(input.session);
    const none = page.ended ? '(no output)' : '(no output yet)';
    const { text: _, base64: __, ...details } = page;
    const body = text === '' ? none : asData(text, input.session);
    return { text: [...missing, body].join('\n'), details };
  },
});

/** `session_events`: the journal. */
export const sessionEvents = tool({
  name: 'session_events',
  title: 'Read events',
  description: `${ROUTES['session.events'].sentence} Give \`last\` for the end of it, or \`after\` to read on.`,
  grants: ['read'],
  readOnly: true,
  input: {
    ...strictly({ session: events.session, after: events.after, types: events.types }),
    ...strictly({
      limit: events.limit.unwrap().max(EVENTS_MAX).default(EVENTS).describe(`At most ${EVENTS_MAX}.`),
      last: events.last.unwrap().max(EVENTS_MAX).optional().describe('Only the last so many of those there are.'),
    }),
  },
  async run({ types, ...input }, { outlast, signal }) {
    const found: EventView[] = [];
    const only = types === undefined ? {} : { types: [types].flat() };
    for await (const event of outlast.events({ ...input, ...only }, signal)) found.push(event);
    const next = found.at(-1)?.position ?? input.after;
    const rest = found.length >= input.limit ? [`[there may be more: session_events after=${next}]`] : [];
    const lines = found.map(
      (event) => `${event.position} ${event.ts} ${event.session} ${event.event} ${bodyOf(event)}`,
    );
    const text = lines.length === 0 ? `No events after ${input.after}.` : asData(lines.join('\n'), 'the journal');
    return { text: [...rest, text].join('\n'), details: { next, count: found.length } };
  },
});

function lineOf(each: SessionView, nowMs: number): string {
  const age = durationOf(nowMs - each.createdAtMs);
  const name = each.name === null ? each.id : `${each.id} (${each.name})`;
  return `${name}  ${stateAndWhy(each)}  ${age} ago  ${oneLine(commandOf(each), 80)}`;
}

function briefOf(each: SessionView): Record<string, unknown> {
  const { id, agent, phase, workspace } = each;
  return { id, name: each.name, agent, phase, state: stateAndWhy(each), workspace, as: nameOf(each) };
}

function bodyOf({ body }: EventView): string {
  return oneLine(JSON.stringify(body), 300);
}
