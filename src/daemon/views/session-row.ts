import type { SessionRow } from '../../api/contract-list.ts';
import { openQuestionsOf } from '../../core/postponed.ts';
import type { Session } from '../../core/session.ts';
import type { Journal, Row } from '../../journal/journal.ts';
import { tailLines } from '../../terminal/output-lines.ts';
import { textOfInput } from './action-text.ts';
import { cut, oneLine } from './one-line.ts';
import { filesOf } from './output-files.ts';
import { inputOf } from './questions.ts';
import { attentiveViewOf, shortened, type ViewParts } from './view.ts';
import { withoutUpdates } from './without-updates.ts';

interface RowParts extends ViewParts {
  readonly journal: Pick<Journal, 'event'>;
}

/** As much as fits on a wide screen. */
const LINE_CHARS_MAX = 300;
/** The output may end with empty lines. */
const TAIL_LINES = 10;
const SECOND_MS = 1_000;

/** A session as a row of a live list: what needs no git, with its last line. */
export async function sessionRowOf(parts: RowParts, row: Row): Promise<SessionRow> {
  // It grows without any change.
  const { idleMs, ...view } = shortened(attentiveViewOf(parts, row));
  const signMs = view.lastSignAtMs ?? (idleMs === undefined ? undefined : parts.clock.wallMs() - idleMs);
  const line = view.drive === 'command' ? await outputLine(parts, row.session) : agentLine(parts, row.session);
  // On one line there is no room for the folder, which is shown beside it.
  const inFolder = line.replaceAll(`${view.workspace}/`, '');
  return {
    ...view,
    // Whole seconds: the clocks that it is made from differ by a millisecond from one look to the next.
    ...(signMs !== undefined && { lastSignAtMs: Math.floor(signMs / SECOND_MS) * SECOND_MS }),
    line: cut(oneLine(inFolder), LINE_CHARS_MAX),
  };
}

/** The last line that a command printed. */
async function outputLine({ config }: RowParts, session: Session): Promise<string> {
  const { lines } = await tailLines(filesOf(config.state, session), TAIL_LINES);
  return lastLine(lines);
}

/** What an agent asks for, does or said last. */
function agentLine(parts: RowParts, session: Session): string {
  const [approval] = openQuestionsOf(session);
  if (approval !== undefined)
    return `${approval.tool} ${textOfInput(JSON.stringify(inputOf(parts, { session, approval })) ?? '')}`;
  const { calls, done = [], last } = session.turn;
  const [prompt] = session.prompts;
  const call = calls.at(-1) ?? (prompt?.state === 'accepted' ? done.at(-1) : undefined);
  if (call !== undefined) return `${call.tool} ${textOfInput(call.input ?? '')}`;
  if (prompt !== undefined) return `> ${withoutUpdates(prompt.text)}`;
  return last === null ? '' : lastLine(last.reply.split('\n'));
}

function lastLine(lines: readonly string[]): string {
  return lines.findLast((line) => line.trim() !== '') ?? '';
}
