import type { Step } from '../../agent/seam/turn.ts';
import type { LogLine } from '../../api/logs-shape.ts';
import type { Session } from '../../core/session.ts';
import { lastLines } from '../../present/log-printer.ts';
import { PLAIN } from '../../present/log-text.ts';
import { type AgentTurn, SessionTurns } from '../../supervisor/all-turns.ts';
import { oneLine } from '../views/one-line.ts';
import { CallLines } from './call-lines.ts';
import { LogAgents } from './log-agents.ts';
import { Pieces } from './pieces.ts';
import type { LogParts } from './read-logs.ts';

/** The end of a transcript that is read for a few lines. */
const TRANSCRIPT_BYTES_MAX = 256 * 1024;
const LINE_CHARS_MAX = 500;

/** The last readable lines of an agent session: texts, calls and prompts, as its agent has recorded them. */
export async function lastLinesOf(parts: LogParts, session: Session, count: number): Promise<string[]> {
  const turns = await unlessBroken(() => turnsIn(parts, session), []);
  const agents = new LogAgents(parts.agents, () => session.spec.agent);
  const recorded = turns.slice(-2).flatMap((turn, at) => linesOf(turn, at + 1, agents));
  const texts = recorded.flatMap((line) => (line.is === 'text' ? [line.text.trim()] : []));
  const pieces = new Pieces(() => parts.liveTexts.of(session.id)).next(texts, 0, 0);
  const isTold = recorded.length > 0 || pieces.length > 0;
  const lines = isTold ? [...recorded, ...pieces] : unrecorded(session);
  const style = { ...PLAIN, safe: (text: string) => text.split('\n').map(oneLine).join('\n') };
  return lastLines(lines, count, { ...style, workspace: session.spec.workspace }).map((line) =>
    line.slice(0, LINE_CHARS_MAX),
  );
}

function turnsIn({ config, agents }: LogParts, session: Session): Promise<readonly AgentTurn[]> {
  return new SessionTurns(config.state, agents).read(session, TRANSCRIPT_BYTES_MAX);
}

function linesOf({ prompt, data, agent }: AgentTurn, turn: number, agents: LogAgents): LogLine[] {
  const base = { atMs: null, turn };
  const calls = new CallLines(agents.actionsOf(agent));
  const steps = (data.steps ?? []) as readonly Step[];
  const begun: LogLine = { ...base, id: `turn ${turn}`, is: 'prompt', text: prompt };
  return [
    ...(prompt === '' ? [] : [begun]),
    ...steps.flatMap((step, i) => stepLine(`step ${turn}.${i}`, { base, calls, agents, agent }, step)),
  ];
}

interface In {
  readonly base: { readonly atMs: null; readonly turn: number };
  readonly calls: CallLines;
  readonly agents: LogAgents;
  readonly agent: string;
}

function stepLine(id: string, { base, calls, agents, agent }: In, step: Step): LogLine[] {
  if (step.is === 'call')
    return calls.recorded({ ...step, actions: agents.actionsOf(agent)(step.name, step.input) }, base.turn, null);
  if (step.is === 'thinking' || step.is === 'told') return [];
  return [{ ...base, id, is: step.is, text: step.text }];
}

/** An agent without a record: its last reply, or the prompt that it works on. */
function unrecorded({ turn: { last }, prompts }: Session): LogLine[] {
  const base = { atMs: null, turn: 1 };
  const replied: LogLine[] = last === null ? [] : [{ ...base, id: 'reply', is: 'text', text: last.reply }];
  const asked = prompts.at(-1);
  return asked === undefined ? replied : [...replied, { ...base, id: 'prompt', is: 'prompt', text: asked.text }];
}

async function unlessBroken<T>(part: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await part();
  } catch {
    return otherwise;
  }
}
