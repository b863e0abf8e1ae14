import type { CallOutput } from '../../api/contract.ts';
import { type Outlast, OutlastError, type Session } from '../../client/index.ts';
import { monitorWarning } from '../../compat/monitor.ts';
import { nameOf } from '../../present/state.ts';
import { type Context, command } from '../base/command.ts';
import { durationOf } from '../base/duration.ts';
import { EXIT } from '../base/exit.ts';
import { wrongCall } from '../base/parse.ts';
import { oneLine, type Print } from '../base/print.ts';
import { AGENT_OPTIONS, agentInput, promptWords } from '../input/agent-options.ts';
import { IMAGE_OPTIONS, imagesInput } from '../input/image-options.ts';
import { promptOf } from '../input/prompt-text.ts';
import { SCHEDULE_OPTIONS, scheduleInput } from '../input/schedule-options.ts';
import { hasBroken } from '../views/reply.ts';
import { spin } from '../views/spinner.ts';
import { updatesNote } from '../views/updates-note.ts';
import { helpText, stateOf, tableOf } from '../views/view.ts';

const OPTIONS = {
  ...AGENT_OPTIONS,
  ...IMAGE_OPTIONS,
  ...SCHEDULE_OPTIONS,
  ready: { type: 'string', value: 'D', sentence: 'Wait this long for the agent to be ready.' },
  end: { type: 'boolean', sentence: 'End when every prompt is answered, instead of staying open.' },
  wake: { type: 'boolean', sentence: 'Inside a session: its updates start a turn of that session.' },
} as const;

type Shown = CallOutput<'session.show'>;

/** Signs that an agent is ready: it is free, it showed its input box, or it accepted the prompt. */
const READY = 'idle,event:run.ready,event:prompt.accepted';

/** `outlast start` */
export const start = command({
  name: 'start',
  summary: 'Start an agent session.',
  usage: 'start [PROMPT|-] [OPTIONS]',
  words: {
    min: 0,
    max: Number.POSITIVE_INFINITY,
    are: [
      'PROMPT is one argument, or - for standard input. Without one, the session waits for prompts.',
      'Prints the id on stdout, and the details on stderr.',
      'With the hook of `outlast shell-init`, your shell tells you at its next prompt when it has answered.',
      'Status with --ready: 0 ready, 6 not yet, 7 a person is needed, 8 ended badly.',
    ].join('\n'),
  },
  options: OPTIONS,
  examples: [
    ['id=$(outlast start "fix the tests")', 'In the background; `outlast wait "$id" --for reply` prints the reply.'],
    ['outlast start --live --name api --workspace ~/api --model opus --ready 30s', 'A conversation.'],
    ['outlast start --name b --after a "Review this: {{a.reply}}"', 'Sent when a has answered.'],
    ['outlast start --end --deadline 0 --resumes 50 --memory 8g "…"', 'No time limit; a run may use 8 GiB.'],
    ['outlast start --agent acp --name g -- goose acp', 'Any program that speaks the Agent Client Protocol.'],
    ['outlast start --every "0 9 * * 1-5" "Review the new issues"', 'On weekdays at 9:00; see `outlast schedule`.'],
    ['outlast start --fork api --name api-2', 'Continue with a copy of the conversation.'],
  ],
  async run(context) {
    const { values, print, json } = context;
    const readyMs = durationOf('--ready', values.ready);
    const input = agentInput('start', values, context.env, context.behind);
    const warning = monitorWarning(context.env);
    // A live session needs no prompt, and a pipe that stays open must not keep it from starting.
    const source = { name: 'start', words: promptWords(context), file: values['prompt-file'], implicit: !values.live };
    const prompt = await promptOf(source, context);
    const later = scheduleInput('start', values);
    const given = {
      ...(prompt === undefined ? {} : { prompt }),
      ...imagesInput(values),
      ...(values.wake ? { child: { wake: true } } : {}),
    };
    if (later !== null) {
      if (prompt === undefined) throw wrongCall('start: --at and --every need a prompt');
      if (readyMs !== undefined) throw wrongCall('start: --ready cannot be combined with --at or --every');
      // Sessions that stay open would pile up.
      const keepOpen = !values.end && later.every === undefined;
      const { startLater } = await import('../flow/scheduled.ts');
      return startLater(context, { ...later, start: { ...input, ...given, keepOpen } });
    }
    const outlast = context.connect();
    const session = await outlast.start({ ...input, ...given, keepOpen: !values.end });
    for (const each of [...session.warnings, ...(warning === null ? [] : [warning])])
      await print.note(`outlast: warning: ${each}`);
    if (values.wake && !json) await print.note(updatesNote(session));
    if (!json) await print.line(session.id);
    const ready = readyMs === undefined ? null : await becomeReady(context, outlast, session, readyMs);
    const shown = await outlast.show(session.id);
    const status = ready === null ? EXIT.fine : readyStatus(ready);
    const { firstPrompt, position, after, warnings } = session;
    if (json)
      await print.json({ ...shown, prompt: firstPrompt, position, after, warnings, ready: ready?.met ?? null, status });
    else if (status === EXIT.fine) await print.note(panel(shown, firstPrompt, values.end === true));
    else await tellUnready(print, outlast, shown, status);
    return status;
  },
});

function becomeReady(context: Context, outlast: Outlast, session: Session, timeoutMs: number) {
  const waiting = outlast.wait({ session: session.id, for: READY, after: session.after, timeoutMs });
  return spin(context, `waiting until ${session.id} is ready`, waiting);
}

function readyStatus({ met, session }: CallOutput<'session.wait'>): number {
  if (met === 'idle' || met === 'event') return EXIT.fine;
  if (met === 'held' || met === 'limited' || met === 'unsure' || session.held !== null) return EXIT.held;
  // With --end and a quick agent it may have ended already.
  if (session.phase === 'ended') return hasBroken(session) ? EXIT.endedBadly : EXIT.fine;
  return EXIT.tooSlow;
}

/** What a caller needs to continue, on a few lines. */
function panel({ session, attach, eventsFile }: Shown, prompt: string | null, ends: boolean): string {
  const name = nameOf(session);
  const { worktree, workspace } = session;
  const rows = [
    ['  session', session.name === null ? session.id : `${session.id} (${session.name})`],
    ['  conversation', session.conversation ?? 'not started'],
    ...(worktree === undefined
      ? []
      : [
          ['  branch', oneLine(worktree.branch ?? 'none')],
          ['  folder', oneLine(workspace)],
        ]),
    ...(attach === null ? [] : [['  attach', oneLine(attach)]]),
    ['  events', oneLine(eventsFile)],
    // A session that ends with its answer accepts no second prompt.
    ...(ends ? [] : [['  converse', `outlast converse ${name} "…"`]]),
    ...(prompt === null ? [] : [['  reply', `outlast wait ${name} --for reply:${prompt}`]]),
  ];
  return ['Started.', ...tableOf(rows, Number.POSITIVE_INFINITY)].join('\n');
}

async function tellUnready(print: Print, outlast: Outlast, { session }: Shown, status: number): Promise<void> {
  const name = nameOf(session);
  if (session.phase === 'limited') return print.note(`outlast: ${name} is ${stateOf(session)}\n${helpText(session)}`);
  if (status === EXIT.held) {
    const why = session.held ?? 'it is not known whether it received the prompt';
    return print.note(`outlast: ${name} needs a person: ${why}\n${helpText(session)}`);
  }
  const rule = '-'.repeat(10);
  const screen = (await lastScreen(outlast, session.id)).trimEnd();
  await print.note(
    `outlast: ${name} is not ready, it is ${stateOf(session)}; its screen:\n${rule}\n${screen}\n${rule}`,
  );
}

async function lastScreen(outlast: Outlast, session: string): Promise<string> {
  try {
    return (await outlast.screen(session)).rows.join('\n');
  } catch (error) {
    if (!(error instanceof OutlastError)) throw error;
    return `(${error.message})`;
  }
}
