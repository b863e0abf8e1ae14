import type { SessionView } from '../../api/shapes.ts';
import { shellWord } from '../../base/shell-word.ts';
import { OutlastError, type Session } from '../../client/index.ts';
import type { Context } from '../base/command.ts';
import { EXIT, execStatus } from '../base/exit.ts';
import { failedWriteText, isClosedPipe, isFailedWrite, type Sink } from '../base/print.ts';
import { stdinKind } from '../input/stdin.ts';
import { stateOf } from '../views/view.ts';
import { forwardInput, joinTerminals } from './forward.ts';

export interface Foreground {
  readonly context: Context;
  readonly session: Session;
  /** Pass our standard input on? */
  readonly forward: boolean;
  readonly yieldMs: number | undefined;
  readonly split: boolean;
}

/** Why we stopped following although it keeps running. */
type Leaving = 'yield' | 'SIGTERM' | 'SIGHUP';

type End = { readonly at: 'end'; readonly session: SessionView } | { readonly at: 'left'; readonly why: Leaving };

const STATUS_OF: Record<Leaving, number> = { yield: EXIT.fine, SIGTERM: 143, SIGHUP: 129 };
const CHARS_MAX = 1024 * 1024;
const LAST_LOOK_MS = 1_000;

/** Shows a session as if it ran here until it ends, the time is up, or a signal ends us. Returns the exit status. */
export async function runInForeground(foreground: Foreground): Promise<number> {
  const { context, session } = foreground;
  const done = new AbortController();
  const captured = context.json ? [new Capture(), new Capture()] : null;
  const copying = copyAll(foreground, captured, done.signal);
  const end = Promise.race([copying, leavingBySignal(session, done.signal), leavingByTime(foreground, done.signal)]);
  const restore = startInput(foreground, done.signal);
  try {
    const how = await settle(await end, session, copying);
    restore();
    return await tell(how, foreground, captured);
  } catch (error) {
    restore();
    if (isFailedWrite(error) && !isClosedPipe(error)) return unwritten(error, foreground);
    if (!(error instanceof OutlastError)) await context.print.note(goesOn(session.id, null)).catch(() => {});
    throw error;
  } finally {
    done.abort();
  }
}

/** One line: what could not be written, and where to read it. */
async function unwritten(error: unknown, { context, session: { id } }: Foreground): Promise<number> {
  const text = `outlast: ${failedWriteText(error)}: outlast output ${id} --follow`;
  await context.print.note(text).catch(() => {});
  return EXIT.ours;
}

async function copyAll(foreground: Foreground, captured: Capture[] | null, signal: AbortSignal): Promise<End> {
  const { session, context, split } = foreground;
  const { stdout, stderr } = context.print;
  const copying = [copy(session, 'output', captured?.[0] ?? stdout, context, signal)];
  if (split) copying.push(copy(session, 'stderr', captured?.[1] ?? stderr, context, signal));
  const [first] = await Promise.all(copying);
  return { at: 'end', session: first ?? (await session.show(signal)).session };
}

async function copy(
  session: Session,
  stream: 'output' | 'stderr',
  sink: Pick<Sink, 'write'>,
  context: Context,
  signal: AbortSignal,
) {
  const view = context.json ? 'text' : 'raw';
  for await (const line of session.follow({ view, stream, owner: stream === 'output' }, signal)) {
    if (line.droppedBytes)
      await context.print.note(`outlast: ${line.droppedBytes} bytes of output were dropped at the cap`);
    if (line.base64 !== undefined) await sink.write(Buffer.from(line.base64, 'base64'));
    if (line.text !== undefined) await sink.write(line.text);
    if (line.session !== undefined) return line.session;
  }
  return null;
}

function leavingBySignal(session: Session, done: AbortSignal): Promise<End> {
  return new Promise((resolve) => {
    const interrupt = (): void => {
      // It may have ended in the meantime; then its end comes next.
      session.interrupt(done).catch(() => {});
    };
    const leave = (why: NodeJS.Signals): void => resolve({ at: 'left', why: why === 'SIGHUP' ? 'SIGHUP' : 'SIGTERM' });
    process.on('SIGINT', interrupt).on('SIGTERM', leave).on('SIGHUP', leave);
    done.addEventListener('abort', () => process.off('SIGINT', interrupt).off('SIGTERM', leave).off('SIGHUP', leave));
  });
}

async function leavingByTime({ yieldMs, context }: Foreground, done: AbortSignal): Promise<End> {
  if (yieldMs === undefined) return new Promise(() => {});
  await context.clock.sleep(yieldMs, done);
  return { at: 'left', why: 'yield' };
}

function startInput({ forward, context, session }: Foreground, signal: AbortSignal): () => void {
  if (!forward || stdinKind() === 'none') return () => {};
  const joined = stdinKind() === 'tty' && context.print.stdout.isTty && session.started?.terminal !== 'pipe';
  const restore = joined ? joinTerminals(session) : () => {};
  void forwardInput({ session, print: context.print, clock: context.clock, signal });
  return restore;
}

// The move to the background is sent to the daemon before we stop following, so that the end is announced by one of us.
async function settle(end: End, session: Session, copying: Promise<End>): Promise<End> {
  if (end.at === 'end' || end.why !== 'yield') return end;
  try {
    await session.background();
    return end;
  } catch (error) {
    if (!(error instanceof OutlastError && error.code === 'session_ended')) throw error;
    return copying;
  }
}

async function tell(end: End, foreground: Foreground, captured: Capture[] | null): Promise<number> {
  const { context, session } = foreground;
  const view = end.at === 'end' ? end.session : await viewOnLeaving(session, end.why);
  const status = end.at === 'end' ? execStatus(end.session) : STATUS_OF[end.why];
  if (captured !== null) {
    const [output, stderr] = captured;
    const parts = {
      output: output?.text,
      ...(foreground.split ? { stderr: stderr?.text } : {}),
      omittedChars: output?.omittedChars,
    };
    await context.print.json({
      session: view,
      background: end.at === 'left',
      status,
      ...parts,
      warnings: session.warnings,
    });
  } else if (end.at === 'left') await context.print.note(goesOn(session.id, view)).catch(() => {});
  else await tellUnusual(end.session, context);
  return status;
}

async function tellUnusual(session: SessionView, { print }: Context): Promise<void> {
  if (session.incomplete) await print.note('outlast: the output may be incomplete');
  // A command that was not found or not executable has printed that itself.
  const isSaid = session.outcome?.kind === 'abandoned' && [126, 127].includes(session.exit?.status ?? 0);
  if (session.outcome?.kind !== 'done' && !isSaid) await print.note(`outlast: ${stateOf(session)}`);
  const [word = '', ...more] = session.argv;
  // The shell that called us took the quotes away: the whole line is the name of the program.
  if (isSaid && more.length === 0 && /\s/.test(word))
    await print.note(`outlast: it was run as one word; leave the quotes out, or: outlast exec -c ${shellWord(word)}`);
}

/** Its state when we leave. After a signal this must not take long. */
async function viewOnLeaving(session: Session, why: Leaving): Promise<SessionView | null> {
  if (why === 'yield') return (await session.show()).session;
  return session.show(AbortSignal.timeout(LAST_LOOK_MS)).then(
    (shown) => shown.session,
    () => session.started,
  );
}

function goesOn(id: string, view: SessionView | null): string {
  const how = view?.phase === 'queued' ? `Queued: ${id}, waiting for a slot` : `Still running: ${id}${pidOf(view)}`;
  return `${how}. Follow: outlast output ${id} --follow`;
}

function pidOf(view: SessionView | null): string {
  return view?.pid ? ` (pid ${view.pid})` : '';
}

/** Keeps what is written to it; of a long text only the end. */
class Capture {
  text = '';
  omittedChars = 0;

  async write(piece: string | Uint8Array): Promise<void> {
    this.text += typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8');
    const over = Math.max(this.text.length - CHARS_MAX, 0);
    this.text = this.text.slice(over);
    this.omittedChars += over;
  }
}
