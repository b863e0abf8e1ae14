import type { HookReport } from '../seam/hooks.ts';
import { ToolListener } from '../seam/message-tools.ts';
import type { Listener } from '../seam/turns.ts';
import { gaugeOf } from './gauge.ts';

/** Reads reports from the output of one headless run. */
export function claudeListener(run: number): Listener {
  const tools = new ToolListener(run);
  const hear = (line: string): HookReport[] => {
    const fact = gaugeOf(line, run);
    return fact === null ? tools.hear(line) : [{ type: 'hook.noted', run, fact }];
  };
  return Object.assign(hear, { isKeepAlive });
}

/** True for a keep-alive line. Its type comes first; quoted text comes later. */
function isKeepAlive(line: string): boolean {
  return /^\{"type":"(stream_event","event":\{"type":"ping"|keep_alive")/.test(line);
}
