import * as z from 'zod';
import { CONTRACT } from '../api/contract.ts';
import { ROUTES } from '../api/routes.ts';
import type { EventView, SessionView } from '../api/shapes.ts';
import { OutlastError } from '../base/errors.ts';
import { durationText } from '../present/duration.ts';
import { nameOf } from '../present/state.ts';
import { asData, linesThatFit } from './data.ts';
import { readPart } from './pages.ts';
import { strictly } from './strict.ts';
import { tool } from './tool.ts';
import { callOf, commandOf, oneLine, stateAndWhy } from './words.ts';

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
  operations: ['session.list'],
  input: {
    ...strictly({ state: list.state, before: list.before, below: list.below }),
    mine: z.boolean().default(false).describe('Inside a session: only its descendants.'),
    ...strictly({ limit: list.limit.removeDefault().max(LIST_MAX).default(LIST).describe(`At most ${LIST_MAX}.`) }),
  },
  async run({ mine, ...input }, { outlast, clock, signal }) {
    const self = mine ? await outlast.self(signal) : null;
    if (mine && self === null) throw new OutlastError('input_invalid', 'mine works only inside an Outlast session');
    const wanted = self === null ? input : { ...input, below: self };
    const { sessions, more } = await outlast.list(wanted, signal);
    const lines = linesThatFit(sessions.map((each) => lineOf(each, clock.wallMs())));
    if (lines.length === 0) return { text: 'No sessions.', details: { sessions: [], more } };
    const isPart = more || lines.length < sessions.length;
    const next = callOf('session_list', { ...wanted, before: sessions[lines.length - 1]?.id });
    const rest = isPart ? [`[there are more: ${next}]`] : [];
    const text = [...rest, asData(lines.join('\n'), 'the list of sessions')].join('\n');
    return { text, details: { sessions: sessions.slice(0, lines.length).map(briefOf), more: isPart } };
  },
});

/** `session_output`: what a session printed. */
export const sessionOutput = tool({
  name: 'session_output',
  title: 'Read output',
  description: [
    ROUTES['session.output'].sentence,
    `Without a range: the last ${LINES} lines. To read an agent: session_logs.`,
  ].join(' '),
  grants: ['read'],
  operations: ['session.output'],
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
    if (page.ended && rest === null) await outlast.acknowledge(input.session);
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
  description: 'Reads the journal from a position. Use `last` for its end, or `after` to continue.',
  grants: ['read'],
  operations: ['session.events'],
  input: {
    ...strictly({ session: events.session, after: events.after, types: events.types }),
    ...strictly({
      limit: events.limit.unwrap().max(EVENTS_MAX).default(EVENTS).describe(`At most ${EVENTS_MAX}.`),
      last: events.last.unwrap().max(EVENTS_MAX).optional().describe('Only the last N.'),
    }),
  },
  async run({ types, ...input }, { outlast, signal }) {
    const found: EventView[] = [];
    const only = types === undefined ? {} : { types: [types].flat() };
    for await (const event of outlast.events({ ...input, ...only }, signal)) found.push(event);
    const lines = linesThatFit(found.map(eventLine));
    const next = found[lines.length - 1]?.after ?? input.after;
    const isPart = lines.length < found.length || found.length >= input.limit;
    // From here on it reads forward: `last` was only for the start.
    const { session, limit } = input;
    const more = callOf('session_events', { session, types, limit, after: next });
    const rest = isPart ? [`[there may be more: ${more}]`] : [];
    const text = lines.length === 0 ? `No events after ${input.after}.` : asData(lines.join('\n'), 'the journal');
    return { text: [...rest, text].join('\n'), details: { next, count: lines.length } };
  },
});

function lineOf(each: SessionView, nowMs: number): string {
  const age = durationText(nowMs - each.createdAtMs);
  const name = each.name === null ? each.id : `${each.id} (${each.name})`;
  return `${name}  ${stateAndWhy(each)}  ${age} ago  ${oneLine(commandOf(each), 80)}`;
}

function briefOf(each: SessionView): Record<string, unknown> {
  const { id, agent, phase, workspace } = each;
  return { id, name: each.name, agent, phase, state: stateAndWhy(each), workspace, as: nameOf(each) };
}

function eventLine({ position, ts, session, event, body }: EventView): string {
  return `${position} ${ts} ${session} ${event} ${oneLine(JSON.stringify(body), 300)}`;
}
