import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { OutlastError } from '../base/errors.ts';
import type { TerminalSnapshot } from '../core/snapshot.ts';
import { FRAME } from './frames.ts';
import { callHolder, type HolderAnswer } from './holder-call.ts';
import { type HolderWorld, startHolder } from './holder-start.ts';
import { lookAtRun, runIdentities } from './look.ts';
import { isAlive, signal } from './processes.ts';
import { runFolder, runName } from './run-folder.ts';
import { plainStyled, type StyledScreen, type StyledWish } from './styled.ts';
import type { Attach, RunRef, Terminal, TerminalInput, Written } from './terminal.ts';
import { keepSize, lastScreen, lastStyled, type SavedScreen, withTitle } from './tty.ts';

/** Leaves a viewer. Programs hardly use this key; without the viewer it would quit them. */
const DETACH = 'Ctrl-\\';
/** A holder ends by itself this long after its run, viewers or not. */
const END_MS_MAX = 6_000;
const AGAIN_MS = 20;
/** End of input, as typed on a terminal. */
const CONTROL_D = 4;

/** A terminal on a native pseudoterminal. Each run has its own holder process, which works without a daemon. */
export function held(world: HolderWorld): Terminal {
  const { state, clock } = world;
  const socketOf = (ref: RunRef): string => runFolder(state, ref).socket;
  const call = (ref: RunRef, type: number, body?: Uint8Array): Promise<HolderAnswer> =>
    callHolder({ socket: socketOf(ref), type, ...(body && { body }) }, clock);

  return {
    kind: 'pty',
    open: (ref, launch, size) => startHolder(world, ref, launch, size),
    look: async (ref) => look(world, ref),
    screen: async (ref) => {
      const answer = await call(ref, FRAME.screen);
      return answer.is === 'answer' ? withTitle(answer.value as SavedScreen) : lastScreen(state, ref);
    },
    styled: (ref, wish) => styled(world, ref, wish),
    write: async (ref, input) => expectWritten(ref, await call(ref, ...frameOf(input))),
    resize: async (ref, size) => {
      const answer = await call(ref, FRAME.resize, json(size));
      if (answer.is === 'gone') throw closed(ref, 'resize');
      keepSize(runFolder(state, ref), size);
    },
    // A holder and its output file live and die together: there is nothing to repair.
    repairOutput: async () => {},
    release: (ref) => release(world, ref),
    attach: async (ref, readOnly = false) => attach(world, ref, readOnly),
    viewers: async (ref) => countViewers(await call(ref, FRAME.viewers).catch(unknownRequest(0))),
  };
}

async function styled({ state, clock }: HolderWorld, ref: RunRef, wish: StyledWish): Promise<StyledScreen> {
  const { socket } = runFolder(state, ref);
  const ask = (type: number, body?: Uint8Array) => callHolder({ socket, type, ...(body && { body }) }, clock);
  const answer = await ask(FRAME.styled, json(wish)).catch(unknownRequest(null));
  if (answer.is === 'gone') return lastStyled(state, ref, wish);
  if (answer.value !== null) return answer.value as StyledScreen;
  const plain = await ask(FRAME.screen);
  return plain.is === 'gone' ? lastStyled(state, ref, wish) : plainStyled(withTitle(plain.value as SavedScreen));
}

function look(world: HolderWorld, ref: RunRef): TerminalSnapshot {
  const { state, clock } = world;
  const { holder } = runIdentities(state, ref);
  const sink = holder !== null && isAlive(holder) ? 'ok' : 'cut';
  // Only the holder knows that all output was read, and one that was killed can no longer say so.
  const drained = existsSync(runFolder(state, ref).drained);
  return lookAtRun(state, ref, { clock, sink, drained, terminalGone: sink === 'cut' && !drained });
}

function frameOf(input: TerminalInput): [type: number, body: Uint8Array] {
  switch (input.kind) {
    case 'bytes':
      return [FRAME.write, input.bytes];
    case 'keys':
      return [FRAME.keys, json(input.keys)];
    case 'paste':
      return [FRAME.paste, Buffer.from(input.text)];
    case 'eof':
      return [FRAME.write, Uint8Array.of(CONTROL_D)];
  }
}

function expectWritten(ref: RunRef, answer: HolderAnswer): Written {
  if (answer.is === 'gone') throw closed(ref, 'write to');
  return answer.value as Written;
}

function countViewers(answer: HolderAnswer): number {
  return answer.is === 'answer' ? (answer.value as number) : 0;
}

/** A holder of an earlier build cannot count viewers, nor say how a screen looks. It is not waited for. */
function unknownRequest(value: unknown): (error: unknown) => HolderAnswer {
  return (error) => {
    if (error instanceof OutlastError && error.code === 'not_supported') return { is: 'answer', value };
    throw error;
  };
}

function json(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

function closed(ref: RunRef, verb: string): OutlastError {
  return new OutlastError(
    'input_closed',
    `cannot ${verb} run ${runName(ref)}: the process that held its terminal is gone`,
  );
}

async function release(world: HolderWorld, ref: RunRef): Promise<void> {
  const { holder } = runIdentities(world.state, ref);
  const deadlineMs = world.clock.steadyMs() + END_MS_MAX;
  // It may still be saving the last screen.
  while (holder !== null && isAlive(holder) && world.clock.steadyMs() < deadlineMs) await world.clock.sleep(AGAIN_MS);
  if (holder !== null) signal(holder, 'SIGKILL');
  await rm(runFolder(world.state, ref).socket, { force: true });
}

function attach(world: HolderWorld, ref: RunRef, readOnly: boolean): Attach {
  const { socket } = runFolder(world.state, ref);
  const { holder } = runIdentities(world.state, ref);
  if (!existsSync(socket) || holder === null || !isAlive(holder)) {
    throw new OutlastError(
      'not_supported',
      `cannot attach to run ${runName(ref)}: its terminal is gone, only its output remains`,
    );
  }
  const viewer = join(dirname(world.holder), `viewer${extname(world.holder)}`);
  return { argv: [world.node, viewer, socket, ...(readOnly ? ['--read-only'] : [])], detach: DETACH };
}
