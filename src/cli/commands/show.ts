import { command, ONE_SESSION } from '../command.ts';
import { showDuration } from '../duration.ts';
import { EXIT } from '../exit.ts';
import { oneLine } from '../print.ts';
import { commandOf, runTimeOf, stateOf, tableOf } from '../view.ts';

/** `outlast show` */
export const show = command({
  name: 'show',
  summary: 'Show all that is known of a session.',
  usage: 'show S [OPTIONS]',
  words: ONE_SESSION,
  completes: 'session',
  options: {},
  examples: [['outlast show fix-tests', 'State, command, folder, output, processes.']],
  async run({ words: [word = ''], json, print, clock, connect }) {
    const shown = await connect().show(word);
    if (json) return print.json(shown).then(() => EXIT.fine);
    const { session } = shown;
    const size = session.terminal === 'pipe' ? '' : `, ${shown.columns}x${shown.rows}`;
    const limit = shown.timeoutMs === null ? '' : ` of ${showDuration(shown.timeoutMs)}`;
    const dropped = session.droppedBytes > 0 ? `, the first ${session.droppedBytes} dropped` : '';
    const rows = [
      ['id', session.id],
      ['name', session.name ?? '-'],
      ['state', stateOf(session)],
      ['command', commandOf(session)],
      ['folder', oneLine(session.workspace)],
      ['terminal', `${session.terminal}${size}`],
      ['started', new Date(session.createdAtMs).toISOString()],
      ['time', `${runTimeOf(session, clock.wallMs())}${limit}`],
      ['pid', session.pid === null ? '-' : String(session.pid)],
      ['output', `${session.outputBytes} bytes${dropped}${session.incomplete ? ', may be incomplete' : ''}`],
      ['input', shown.inputClosed ? 'closed' : 'open'],
      ['files', oneLine(shown.folder)],
      ...shown.processes.map((each) => ['process', `${each.pid} ${oneLine(each.command)}`]),
    ];
    await print.line(tableOf(rows, Number.POSITIVE_INFINITY).join('\n'));
    return EXIT.fine;
  },
});
