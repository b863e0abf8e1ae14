import type { CallOutput } from '../../api/contract.ts';
import { durationText } from '../../present/duration.ts';
import { nameOf } from '../../present/state.ts';
import { usageText } from './head.ts';
import type { RunStory } from './runs.ts';

type Report = CallOutput<'session.report'>;

/** Everything in a report but the rendered page. */
export type ReportFacts = Omit<Report, 'markdown'> & {
  readonly command: string;
  readonly workspace: string;
  /** The session that started it. */
  readonly owner: string | null;
  readonly runCount: number;
};

/**
 * Renders a report as one page of Markdown. Text of an agent or a command is put into fences and quotes, where it
 * cannot become a link, an image or a heading of the page.
 */
export function reportText(facts: ReportFacts): string {
  const { session, name, head, timeline, tools, output, lastTurn, changes, usage } = facts;
  const lines = timeline.map(({ atMs, text }) => (atMs === null ? text : `${stamp(atMs)}  ${text}`));
  const calls = Object.entries(tools).map(([tool, times]) => `${tool} ${times}`);
  return [
    `# Report: ${nameOf({ name, id: session })}`,
    `${head.map((line) => `- ${code(line)}`).join('\n')}`,
    `Session ${code(session)}, ${code(facts.command)}, in ${code(facts.workspace)}${ownerText(facts)}`,
    section('Runs', fence(runLines(facts))),
    section('Timeline', fence(lines)),
    section('Tool calls', calls.length === 0 ? '' : fence(calls)),
    section('Usage', usage.turns === 0 && usage.tokens === 0 ? '' : `${usageText(usage)}.`),
    section('Last output', fence(output)),
    section('Last turn', lastTurn === null ? '' : quote(lastTurn)),
    section('Changes in the workspace', changes === null ? '' : fence(changes.split('\n'))),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
    .concat('\n');
}

function ownerText({ owner }: ReportFacts): string {
  return owner === null ? '' : `, started by ${code(owner)}`;
}

function section(title: string, text: string): string {
  return text === '' ? '' : `## ${title}\n\n${text}`;
}

function runLines({ runs, runCount }: ReportFacts): string[] {
  const leftOut = runCount - runs.length;
  return [...(leftOut > 0 ? [`${leftOut} of ${runCount} runs are left out here`] : []), ...runs.flatMap(runText)];
}

function runText({ run, how, pid, startedAtMs, endedAtMs, end, signs, backoffMs, remedy }: RunStory): string[] {
  const until = endedAtMs === null ? 'not ended' : `${stamp(endedAtMs)}, ${durationText(endedAtMs - startedAtMs)}`;
  const rows = [
    end === null ? '' : `end: ${end}`,
    ...signs.map((sign) => `seen: ${sign}`),
    backoffMs === null ? '' : `pause: ${durationText(backoffMs)}`,
    remedy === null ? '' : `remedy: ${remedy}`,
  ];
  const first = `run ${run}  ${how}${pid === null ? '' : `  pid ${pid}`}  ${stamp(startedAtMs)} to ${until}`;
  return [first, ...rows.filter((row) => row !== '').map((row) => `  ${row}`)];
}

function stamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`;
}

function code(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}

/** A fence that is longer than any run of backticks inside, so that nothing inside can end it. */
function fence(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const longest = Math.max(0, ...lines.flatMap((line) => [...line.matchAll(/`+/g)].map(([row]) => row.length)));
  const edge = '`'.repeat(Math.max(3, longest + 1));
  return `${edge}text\n${lines.join('\n')}\n${edge}`;
}

function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n');
}
