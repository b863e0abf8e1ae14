import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallerProcess } from '../agent/seam/agent.ts';
import { OutlastError } from '../base/errors.ts';
import { makeFolder, writeDurably, writeWhole } from '../base/files.ts';
import { causeText } from '../base/system-errors.ts';
import type { InputId } from '../core/event.ts';
import type { SessionId, Spec } from '../core/session.ts';
import { runFolder } from '../terminal/run-folder.ts';
import type { FirstPrompt } from './session-writer.ts';

/** How a session was accepted: enough to know about it without a journal. */
export interface Accepted {
  readonly spec: Spec;
  readonly prompt: FirstPrompt | null;
  readonly cause: InputId;
  readonly atMs: number;
  readonly steadyMs: number;
}

/**
 * Stores the caller's environment before the session is accepted. Synced only if the session may be started after a
 * power cut.
 */
export function keepCallerProcess(
  state: string,
  session: SessionId,
  callerProcess: CallerProcess & { readonly accepted?: Accepted },
  { durably }: { readonly durably: boolean },
): void {
  makeFolder(runFolder(state, { session, run: 1 }).folder);
  const keep = durably ? writeDurably : writeWhole;
  keep(fileOf(state, session), JSON.stringify(callerProcess));
}

/** The caller's environment and umask. */
export function readCallerProcess(state: string, session: SessionId): CallerProcess {
  const path = fileOf(state, session);
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as CallerProcess;
  } catch (cause) {
    throw new OutlastError('terminal_failed', `cannot read ${path}: ${causeText(cause)}`, { cause });
  }
}

/** How a session was accepted; null: its folder does not say. */
export function readAccepted(state: string, session: SessionId): Accepted | null {
  try {
    const { accepted } = JSON.parse(readFileSync(fileOf(state, session), 'utf8')) as { accepted?: Accepted };
    return accepted ?? null;
  } catch {
    return null;
  }
}

function fileOf(state: string, session: SessionId): string {
  return join(runFolder(state, { session, run: 1 }).folder, 'surroundings');
}
