import { type AcpDialect, ANY_DIALECT } from '../acp/dialect.ts';
import { acpServer } from '../acp/server.ts';
import type { AcpState } from '../acp/server-state.ts';
import type { ServerDrive } from '../seam/server.ts';
import { minuteOf } from './sources.ts';
import { geminiTool } from './tool.ts';
import { troubleOf } from './trouble.ts';

const MINUTE_MS = 60_000;

const WHY = 'Gemini CLI destroys a conversation that it loads within the minute in which it began';

/** How Gemini CLI names its tools and its errors. Its modes are never set: they would open the gate. */
const DIALECT: AcpDialect = {
  ...ANY_DIALECT,
  tool: geminiTool,
  trouble: troubleOf,
  tellsOn: true,
  isCommand: (text) => /^\s*\//.test(text),
};

/** Gemini CLI as a process that speaks the Agent Client Protocol. */
export const geminiServer: ServerDrive<AcpState> = {
  ...acpServer(DIALECT),
  delay: (source, nowMs) => {
    const beganAtMs = minuteOf(source.path);
    // The clock may have been set back since: any other minute will do.
    const isSame = beganAtMs !== null && nowMs >= beganAtMs && nowMs < beganAtMs + MINUTE_MS;
    return isSame ? { untilMs: beganAtMs + MINUTE_MS, why: WHY } : null;
  },
};
