import { approvalDecide, approvalList } from './approvals.ts';
import { bootScan } from './boot-scan.ts';
import { exec } from './exec.ts';
import { processTool } from './process.ts';
import { scheduleChange, scheduleCreate, scheduleList } from './schedules.ts';
import { search } from './search.ts';
import { sessionChanges } from './session-changes.ts';
import { sessionLogs } from './session-logs.ts';
import { sessionConverse, sessionPrompt, sessionTurn, sessionWait } from './session-prompt.ts';
import { sessionEvents, sessionList, sessionOutput } from './session-read.ts';
import { sessionSpawn } from './session-spawn.ts';
import { sessionStart, sessionStop } from './session-start.ts';
import { sessionInterrupt, sessionTell } from './session-steer.ts';
import type { Tool } from './tool.ts';

/**
 * Every tool, in the order callers see them. To add one, add a line here; its grants and arguments are in its own file.
 */
export const TOOLS: readonly Tool[] = [
  exec,
  processTool,
  sessionStart,
  sessionSpawn,
  sessionPrompt,
  sessionConverse,
  sessionWait,
  sessionTurn,
  sessionLogs,
  sessionChanges,
  sessionEvents,
  sessionList,
  sessionOutput,
  search,
  sessionInterrupt,
  sessionStop,
  sessionTell,
  approvalList,
  approvalDecide,
  bootScan,
  scheduleCreate,
  scheduleList,
  scheduleChange,
];
