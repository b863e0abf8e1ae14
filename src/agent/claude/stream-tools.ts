import { ToolListener } from '../seam/message-tools.ts';
import type { Listener } from '../seam/turns.ts';

/** Reads reports from the output of one headless run. */
export function claudeListener(run: number): Listener {
  const tools = new ToolListener(run);
  return Object.assign((line: string) => tools.hear(line), { isKeepAlive });
}

/** True for a keep-alive line. Its type comes first; quoted text comes later. */
function isKeepAlive(line: string): boolean {
  return /^\{"type":"(stream_event","event":\{"type":"ping"|keep_alive")/.test(line);
}
