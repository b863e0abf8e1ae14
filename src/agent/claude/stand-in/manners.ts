import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldsOf, listOf, numberOf, readJson, textOf } from './json.ts';

/** Faults of the scripted agent: what the real one does on bad days, on demand. */
export interface Manners {
  /** Delay before anything happens. */
  readonly startMs: number;
  /** Delay before every hook call. */
  readonly hookMs: number;
  /** From SessionStart until it accepts input. Enter is lost meanwhile, text is kept. */
  readonly readyMs: number;
  /** How long it takes to exit. The real one needs 1.5 s when a signal arrives in the middle of a command. */
  readonly endMs: number;
  /** The exit status when its terminal dies. The real one exits with 0 when it is idle, as after /exit. */
  readonly hangupStatus: number;
  /** Calls each hook twice. */
  readonly doubled: boolean;
  /** Never calls these hooks. */
  readonly silent: readonly string[];
  /** How many Enter presses after a paste are lost. */
  readonly lostEnters: number;
  /** For how long after a paste Enter is lost. */
  readonly digestMs: number;
  /** A dialog at the start, until a person answers it. */
  readonly dialog: string | null;
  /** How far the transcript lags behind. */
  readonly flushMs: number;
  readonly stateFile: boolean;
  /** A dialog in the middle of the first tool call. */
  readonly midDialog: string | null;
  /** Kills itself right after this hook. */
  readonly dieOnHook: string | null;
  /** Starts a child in its own process session that outlives the turn. */
  readonly leaveChild: boolean;
  /** As 2.1.197: a failing hook denies nothing, and without a screen only PreToolUse is asked. */
  readonly ignoresOnFailure: boolean;
  /** Calls its hooks but runs every tool, whatever they answer. */
  readonly ignoresHooks: boolean;
}

/** As the real one on a good day: its transcript lags 100 ms. */
const POLITE: Manners = {
  startMs: 0,
  hookMs: 0,
  readyMs: 0,
  endMs: 0,
  hangupStatus: 129,
  doubled: false,
  silent: [],
  lostEnters: 0,
  digestMs: 0,
  dialog: null,
  flushMs: 100,
  stateFile: true,
  midDialog: null,
  dieOnHook: null,
  leaveChild: false,
  ignoresOnFailure: false,
  ignoresHooks: false,
};

/** Reads `manners.json` of the configuration folder. Absent or unreadable: polite. */
export function readManners(folder: string): Manners {
  let text = '';
  try {
    text = readFileSync(join(folder, 'manners.json'), 'utf8');
  } catch {
    return POLITE;
  }
  const given = fieldsOf(readJson(text));
  return {
    startMs: numberOf(given.startMs) ?? POLITE.startMs,
    hookMs: numberOf(given.hookMs) ?? POLITE.hookMs,
    readyMs: numberOf(given.readyMs) ?? POLITE.readyMs,
    endMs: numberOf(given.endMs) ?? POLITE.endMs,
    hangupStatus: numberOf(given.hangupStatus) ?? POLITE.hangupStatus,
    doubled: given.doubled === true,
    silent: listOf(given.silent).flatMap((name) => textOf(name) ?? []),
    lostEnters: numberOf(given.lostEnters) ?? POLITE.lostEnters,
    digestMs: numberOf(given.digestMs) ?? POLITE.digestMs,
    dialog: textOf(given.dialog),
    flushMs: numberOf(given.flushMs) ?? POLITE.flushMs,
    stateFile: given.stateFile !== false,
    midDialog: textOf(given.midDialog),
    dieOnHook: textOf(given.dieOnHook),
    leaveChild: given.leaveChild === true,
    ignoresOnFailure: given.ignoresOnFailure === true,
    ignoresHooks: given.ignoresHooks === true,
  };
}
