import type { Policy } from './session.ts';

/** A plain command: it runs once, without a time limit, and is never restarted. */
export const COMMAND: Policy = {
  runMsMax: null,
  graceMs: 3_000,
  startMsMax: 60_000,
  acceptMsMax: 10_000,
  silenceMsMax: 600_000,
  approvalMsMax: 30_000,
  resumesMax: 0,
  backoffMsMin: 1_000,
  backoffMsMax: 300_000,
  outputBytesMax: 256 * 1024 * 1024,
};

/** A coding agent: it is resumed after faults, a few times and at growing intervals. */
export const AGENT: Policy = {
  ...COMMAND,
  resumesMax: 10,
  resumesWindowMax: 5,
  resumesWindowMs: 600_000,
  approvalMsMax: 300_000,
  deferMs: 60_000,
  idleMsMax: 1_800_000,
  thinkMsMax: 900_000,
  toolMsMax: 3_600_000,
  interruptMsMax: 30_000,
  onLimit: 'wait',
};

/** Default time limit for work, without sleep. */
export const DEADLINE_MS = 5 * 3_600_000;

/** Automatic resumes on one host within ten minutes; beyond that a person has to look. */
export const HOST_RESUMES_MAX = 20;
export const HOST_RESUMES_WINDOW_MS = 600_000;
