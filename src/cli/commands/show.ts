import type { CallOutput } from '../../api/contract.ts';
import type { SessionView } from '../../api/shapes.ts';
import { durationText } from '../../present/duration.ts';
import { nameOf, runTimeText } from '../../present/state.ts';
import { command, ONE_SESSION } from '../base/command.ts';
import { EXIT } from '../base/exit.ts';
import { oneLine } from '../base/print.ts';
import { policyRows, signText, usedText } from '../views/policy-view.ts';
import { commandOf, stateOf, tableOf, workText } from '../views/view.ts';

type Shown = CallOutput<'session.show'>;

const TEXT_CHARS_MAX = 100;

/** `outlast show` */
export const show = command({
  name: 'show',
  summary: 'Show session details.',
  usage: 'show S [OPTIONS]',
  words: ONE_SESSION,
  completes: 'session',
  options: { path: { type: 'boolean', sentence: 'Print only the folder with its files.' } },
  examples: [
    ['outlast show fix-tests', 'State, command or conversation, folder, output, processes.'],
    ['tail -F "$(outlast show --path fix-tests)/output.log"', 'Its files, for programs that do not use Outlast.'],
  ],
  async run({ words: [word = ''], values, json, print, clock, connect }) {
    const outlast = connect();
    const shown = await outlast.show(word);
    if (values.path)
      return (json ? print.json({ path: shown.folder }) : print.line(shown.folder)).then(() => EXIT.fine);
    const { session } = shown;
    const read = async (): Promise<number> => {
      if (session.phase === 'ended') await outlast.acknowledge(session.id);
      return EXIT.fine;
    };
    if (json) return print.json(shown).then(read);
    const limit = shown.timeoutMs === null ? '' : ` of ${durationText(shown.timeoutMs)}`;
    const rows = [
      ['id', session.id],
      ['name', session.name ?? '-'],
      ['state', stateOf(session, clock.wallMs())],
      ...ownerRows(session),
      ...scheduleRows(session),
      ...(session.drive === 'command' ? [['command', commandOf(session)]] : agentRows(shown, clock.wallMs())),
      ['folder', oneLine(session.workspace)],
      ...worktreeRows(session),
      ['terminal', `${session.terminal}${session.terminal === 'pipe' ? '' : `, ${shown.columns}x${shown.rows}`}`],
      ['started', new Date(session.createdAtMs).toISOString()],
      ['time', `${runTimeText(session, clock.wallMs())}${limit}`],
      ...(shown.silenceMs === null ? [] : [['silence', `at most ${durationText(shown.silenceMs)}`]]),
      ['pid', pidText(session)],
      ['output', outputText(shown)],
      ...(session.drive === 'command' ? [['input', shown.inputClosed ? 'closed' : 'open']] : []),
      ['files', oneLine(shown.folder)],
      ['events', oneLine(shown.eventsFile)],
      ...shown.processes.map((each) => ['process', `${each.pid} ${oneLine(each.command)}`]),
    ];
    await print.line(tableOf(rows, Number.POSITIVE_INFINITY).join('\n'));
    return read();
  },
});

/** Between turns, and after the end, there is no process. */
function pidText({ pid, phase, exit }: Shown['session']): string {
  if (pid === null) return '-';
  return phase === 'ended' || exit !== null ? `${pid} (exited)` : String(pid);
}

const ON_END = { stop: 'stopped', keep: 'kept', up: 'handed up' } as const;

function ownerRows({ owner }: Shown['session']): string[][] {
  if (owner === null) return [];
  return [['owner', `${owner.session}; at depth ${owner.depth}, ${ON_END[owner.onEnd]} when that ends`]];
}

function scheduleRows({ schedule }: Shown['session']): string[][] {
  if (schedule === undefined) return [];
  return [['schedule', `${nameOf(schedule)}, planned for ${new Date(schedule.plannedAtMs).toISOString()}`]];
}

function worktreeRows(session: Shown['session']): string[][] {
  const { worktree } = session;
  if (worktree === undefined) return [];
  return [['worktree', oneLine(`${worktree.branch ?? 'no branch'} of ${worktree.repository}: ${workText(session)}`)]];
}

function outputText({ session }: Shown): string {
  const dropped = session.droppedBytes > 0 ? `, the first ${session.droppedBytes} dropped` : '';
  return `${session.outputBytes} bytes${dropped}${session.incomplete ? ', may be incomplete' : ''}`;
}

function agentRows({ session, attach, reply, policy }: Shown, nowMs: number): string[][] {
  const { control, lastTurn } = session;
  const last = lastTurn === null ? 'none yet' : `${lastTurn.how}${reply === null ? '' : `: ${beginning(reply)}`}`;
  return [
    ['agent', agentText(session)],
    ['model', session.model ?? 'agent default'],
    ...(session.thinking === null ? [] : [['thinking', session.thinking]]),
    ['conversation', session.conversation ?? 'not started'],
    ['transcript', oneLine(session.transcript ?? '-')],
    ...(attach === null ? [] : [['attach', oneLine(attach)]]),
    ['control', control === null ? 'with the caller' : `${oneLine(control.by)} (${control.how}); prompts wait`],
    ['last turn', last],
    ['last activity', signText(session, nowMs)],
    ['used', usedText(session)],
    ...policyRows(session, policy),
    ...session.prompts.map(({ id, state, waiting, text }) => [
      'prompt',
      `${id} ${state}${waiting === null ? '' : ` (${oneLine(waiting)})`}: ${beginning(text)}`,
    ]),
  ];
}

function beginning(text: string): string {
  const line = oneLine(text.trim());
  return line.length <= TEXT_CHARS_MAX ? line : `${line.slice(0, TEXT_CHARS_MAX)}…`;
}

/** The agent, how it is driven, and which it had before. */
function agentText({ agent, drive, earlierAgents = [] }: SessionView): string {
  const before = earlierAgents.map((each) => each.agent).join(', ');
  const how = drive === 'live' ? 'live' : 'a process per turn';
  return `${agent}, ${how}${before === '' ? '' : `; before: ${before}`}`;
}
