import { knownAgent } from '../../agent/known.ts';
import type { Agent } from '../../agent/seam/agent.ts';
import type { CallOutput, HandlerInput } from '../../api/contract.ts';
import { masked } from '../../api/mask.ts';
import type { Clock } from '../../base/clock.ts';
import { LIMITS } from '../../base/limits.ts';
import type { Session, TerminalKind } from '../../core/session.ts';
import type { Journal, Position, Row } from '../../journal/journal.ts';
import { turnsOf } from '../../supervisor/all-turns.ts';
import { refOf, terminalOf } from '../../supervisor/runs.ts';
import { tailLines } from '../../terminal/output-lines.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { toText } from '../../terminal/text.ts';
import type { Sessions } from '../start/sessions.ts';
import { cut } from '../views/one-line.ts';
import { filesOf } from '../views/output-files.ts';
import { shownTurn } from '../views/without-handover.ts';
import { changesIn } from './git.ts';
import { MARGIN_CHARS, plain, reportHead } from './head.ts';
import { Story } from './story.ts';
import { reportText } from './text.ts';

/** The dependencies of a report. */
export interface ReportParts {
  readonly clock: Clock;
  readonly terminals: Readonly<Record<TerminalKind, Terminal>>;
  readonly agents: Readonly<Record<string, Agent>>;
  readonly journal: Pick<Journal, 'read'>;
  readonly sessions: Pick<Sessions, 'find'>;
  readonly config: { readonly state: string };
}

type Report = CallOutput<'session.report'>;

const OUTPUT_LINES_MAX = 30;
/** How many lines are masked: a key spans many lines, and its first line identifies it. */
const OUTPUT_LINES_READ = 200;
const LINE_CHARS_MAX = 300;
const TURN_CHARS_MAX = 4_000;
const TRANSCRIPT_BYTES_MAX = 8 * 1024 * 1024;
const COMMAND_CHARS_MAX = 300;

/** A one-page report on a session, live or ended. Parts that cannot be read are left out. */
export async function report(parts: ReportParts, input: HandlerInput<'session.report'>): Promise<Report> {
  const row = parts.sessions.find(input.session);
  const { session } = row;
  const {
    spec,
    accounting: { usage },
  } = session;
  const [story, output, lastTurn, changes] = await Promise.all([
    storyOf(parts, session),
    unlessBroken(() => lastOutput(parts, session), []),
    unlessBroken(() => turnText(parts, session), null),
    unlessBroken(() => changesIn(spec.workspace, parts.clock), null),
  ]);
  const facts = {
    session: session.id,
    name: spec.name,
    head: headOf(row, parts.clock.wallMs()),
    runs: story.runs.all(),
    timeline: story.timeline(),
    tools: story.tools(),
    output,
    lastTurn,
    changes,
    usage: { ...usage },
  };
  const command = plain(spec.drive === 'command' ? spec.argv.join(' ') : spec.agent, COMMAND_CHARS_MAX);
  const owner = session.owner?.session ?? null;
  const more = { command, owner, workspace: plain(spec.workspace, COMMAND_CHARS_MAX), runCount: story.runs.count };
  return { ...facts, markdown: reportText({ ...facts, ...more }) };
}

function headOf({ session, endedAtMs, unreadableAt }: Row, nowMs: number): string[] {
  const head = reportHead(session, endedAtMs ?? nowMs);
  return unreadableAt === null ? head : [...head, `The journal is unreadable at ${unreadableAt}.`];
}

/** Reads the events page by page: a long session has more events than should be in memory at once. */
async function storyOf({ journal, clock }: ReportParts, { id }: Session): Promise<Story> {
  const story = new Story();
  for (let from = 0 as Position; ; ) {
    const page = journal.read(from, LIMITS.feedEventsMax, id);
    for (const { event } of page) story.add(event);
    const last = page.at(-1);
    if (last === undefined) return story;
    from = last.position;
    await clock.sleep(0);
  }
}

async function lastOutput(parts: ReportParts, session: Session): Promise<string[]> {
  if (session.run === null) return [];
  if (session.spec.drive === 'live') return readable(await screenRows(parts, session), OUTPUT_LINES_MAX);
  const { state } = parts.config;
  const printed = (await tailLines(filesOf(state, session), OUTPUT_LINES_READ)).lines;
  // The protocol between an agent and our program is not readable. Plain text that was printed besides it is.
  const isProtocol = session.spec.drive === 'turns' || session.spec.drive === 'server';
  const lines = readable(isProtocol ? printed.filter((line) => !line.startsWith('{"')) : printed, OUTPUT_LINES_MAX);
  if (!session.spec.split) return lines;
  const errors = await tailLines(filesOf(state, session, 'stderr'), OUTPUT_LINES_READ);
  const half = OUTPUT_LINES_MAX / 2;
  return [...lines.slice(-half), ...readable(errors.lines, half)];
}

/** The rows of the screen: an agent's drawing is only readable as a whole screen. */
async function screenRows({ terminals }: ReportParts, session: Session): Promise<readonly string[]> {
  const { rows } = await terminals[terminalOf(session)].screen(refOf(session));
  return rows.map((line) => toText(Buffer.from(line)));
}

/** The last lines with content, without secrets. */
function readable(lines: readonly string[], linesMax: number): string[] {
  const beginnings = lines.map((line) => line.slice(0, LINE_CHARS_MAX + MARGIN_CHARS));
  return masked(beginnings.join('\n'))
    .split('\n')
    .map((line) => cut(line.trimEnd(), LINE_CHARS_MAX))
    .filter((line) => line !== '')
    .slice(-linesMax);
}

async function turnText({ agents, config }: ReportParts, session: Session): Promise<string | null> {
  if (session.spec.drive === 'command') return null;
  const agent = knownAgent(agents, session.spec.agent);
  const last = (await turnsOf(config.state, session, agent, TRANSCRIPT_BYTES_MAX)).at(-1);
  if (last === undefined) return null;
  const shown = shownTurn({ ...last, agent: agent.name }).markdown(false);
  const beginning = toText(Buffer.from(shown.slice(0, TURN_CHARS_MAX + MARGIN_CHARS)));
  return cut(masked(beginning).trim(), TURN_CHARS_MAX);
}

/** Returns the fallback if a part fails: a report is needed most when something is broken. */
async function unlessBroken<T>(part: () => T | Promise<T>, otherwise: T): Promise<T> {
  try {
    return await part();
  } catch {
    return otherwise;
  }
}
