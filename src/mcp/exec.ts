import { resolve } from 'node:path';
import * as z from 'zod';
import { OutlastError } from '../base/errors.ts';
import type { Session, StartInput } from '../client/index.ts';
import { stateOfCommand } from '../compat/command-state.ts';
import { attend } from './attend.ts';
import { executed, isAllShown, stillRunning } from './exec-words.ts';
import { Keep } from './keep.ts';
import { type Answer, type Call, tool } from './tool.ts';

const YIELD_MS = 10_000;
const YIELD_MS_MIN = 10;
const YIELD_MS_MAX = 120_000;
const TIMEOUT_SECONDS = 1_800;
const NO_COMMAND = 'Provide a command to start.';

const INPUT = {
  command: z
    .string({ error: ({ input }) => (input === undefined ? NO_COMMAND : undefined) })
    .min(1, NO_COMMAND)
    .describe('The shell command line to run.'),
  workdir: z.string().optional().describe('Folder to run in. Default: where the server was started.'),
  env: z.record(z.string(), z.string()).optional().describe('Variables on top of the inherited ones.'),
  yieldMs: z
    .number()
    .default(YIELD_MS)
    .describe(`Milliseconds to wait before it continues in the background; ${YIELD_MS_MIN} to ${YIELD_MS_MAX}.`),
  background: z.boolean().default(false).describe('Do not wait at all.'),
  timeout: z.number().default(TIMEOUT_SECONDS).describe('Timeout in seconds, also in the background; 0: none.'),
  timeoutSeconds: z.number().optional().describe('Alias of `timeout`, which it overrides.'),
  pty: z.boolean().default(false).describe('Run it on a terminal: for full-screen programs and coding agents.'),
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'a name is a-z, 0-9 and -, at most 63 characters')
    .optional()
    .describe('A name to use instead of the id.'),
  notifyOnExit: z.boolean().default(true).describe('Notify when it ends in the background.'),
  notifyOnExitEmptySuccess: z.boolean().default(false).describe('Also notify if it succeeds without output.'),
  // Accepted so that prompts written for other tools work; what we cannot do is refused, never ignored.
  title: z.string().optional().describe('A label for people; has no effect.'),
  host: z.string().optional().describe('Only "gateway" or "auto": this machine.'),
  security: z.string().optional().describe('Only "full": commands are not checked here.'),
  ask: z.string().optional().describe('Only "off": commands need no approval here.'),
  elevated: z.boolean().optional().describe('No effect: it runs as you.'),
  node: z.string().optional().describe('Refused: it runs on this machine.'),
};

type Input = z.output<z.ZodObject<typeof INPUT>>;
type End = { readonly at: 'end' } | { readonly at: 'yield' } | { readonly at: 'left' };

/** `exec`: runs a command that outlives its caller. */
export const exec = tool({
  name: 'exec',
  title: 'Run a command',
  description: [
    'Runs a shell command that survives this call, this conversation and the tool server.',
    'Use yieldMs/background to continue later via the process tool.',
    'If the call is cancelled or times out, the command continues in the background: process action=list.',
    'Use pty=true for commands that need a terminal (screens, coding agents).',
  ].join(' '),
  grants: ['exec'],
  operations: ['session.start', 'session.follow', 'session.background'],
  input: INPUT,
  async run(input, call) {
    refuseWhatWeCannotKeep(input);
    // Without the signal: when it fires, the session may have been started already.
    const session = await call.outlast.start(startOf(input, call));
    const view = session.started;
    if (input.background && view !== null) return stillRunning({ session, view, keep: null });
    return watched(session, call, input);
  },
});

async function watched(session: Session, call: Call, input: Input): Promise<Answer> {
  const keep = new Keep();
  const over = new AbortController();
  const yieldMs = Math.min(Math.max(input.yieldMs, YIELD_MS_MIN), YIELD_MS_MAX, call.waitMsMax);
  const copying = keep.follow(session, over.signal).then((): End => ({ at: 'end' }));
  // Whichever ends first, the others ending is not an error.
  copying.catch(() => {});
  const ends = [copying, time(call, yieldMs, over.signal), leave(call.signal)];
  try {
    const end = await attend(call, `running ${session.id}`, yieldMs, Promise.race(ends));
    if (end.at === 'left') return await left(session);
    // Sent before we stop waiting, so that its end is announced by one of us.
    if (end.at === 'yield' && (await isInBackground(session)))
      return await yielded(session, keep, (await session.show()).session);
    await copying;
    return executed({ session, view: keep.ended ?? (await session.show()).session, keep, timeout: timeoutOf(input) });
  } finally {
    over.abort();
  }
}

async function time(call: Call, ms: number, over: AbortSignal): Promise<End> {
  await call.clock.sleep(ms, over);
  return { at: 'yield' };
}

function leave(signal: AbortSignal): Promise<End> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve({ at: 'left' });
    signal.addEventListener('abort', () => resolve({ at: 'left' }), { once: true });
  });
}

async function isInBackground(session: Session): Promise<boolean> {
  try {
    await session.background();
    return true;
  } catch (error) {
    if (error instanceof OutlastError && error.code === 'session_ended') return false;
    throw error;
  }
}

async function yielded(session: Session, keep: Keep, view: NonNullable<Session['started']>): Promise<Answer> {
  // What is shown now is not shown again by the next poll; what is not shown counts as unread.
  if (isAllShown(keep)) await session.ack(keep.next, 'mcp');
  return stillRunning({ session, view, keep });
}

/** Clients cancel a call that takes too long for them: the command keeps running, and its end is announced. */
async function left(session: Session): Promise<Answer> {
  await isInBackground(session).catch(() => {});
  const { session: view } = await session.show();
  const says = 'The call was cancelled; the command continues in the background.';
  return { text: `${says} End it: process action=kill sessionId=${view.id}`, details: { ...stateOfCommand(view) } };
}

function timeoutOf({ timeout, timeoutSeconds }: Input): number {
  return timeoutSeconds ?? timeout;
}

function startOf(input: Input, call: Call): StartInput {
  const timeout = timeoutOf(input);
  const notify = !input.notifyOnExit ? 'never' : input.notifyOnExitEmptySuccess ? 'always' : 'output';
  return {
    shell: input.command,
    cwd: input.workdir === undefined ? call.cwd : resolve(call.cwd, input.workdir.trim()),
    set: input.env ?? {},
    terminal: input.pty ? 'pty' : 'pipe',
    stdin: input.pty ? 'open' : 'empty',
    background: input.background,
    notify,
    // Takes effect only for an agent that Outlast runs: that agent owns it and gets the update.
    ...(input.notifyOnExit && { child: { wake: true } }),
    ...(input.name === undefined ? {} : { name: input.name }),
    ...(timeout > 0 ? { timeoutMs: Math.max(Math.round(timeout * 1000), 1) } : {}),
  };
}

function refuseWhatWeCannotKeep({ host, security, ask, node }: Input): void {
  const wrong = [
    ...(host === undefined || host === 'gateway' || host === 'auto'
      ? []
      : [`host "${host}": only "gateway", this machine`]),
    ...(security === undefined || security === 'full' ? [] : [`security "${security}": commands are not checked here`]),
    ...(ask === undefined || ask === 'off' ? [] : [`ask "${ask}": commands need no approval here`]),
    ...(node === undefined ? [] : [`node "${node}": it runs on this machine`]),
  ];
  if (wrong.length > 0) throw new OutlastError('input_invalid', `exec does not support ${wrong.join('; ')}`);
}
