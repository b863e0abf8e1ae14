import type { Log } from '../../base/log.ts';
import { httpWire } from './http.ts';
import type { WireParts } from './parts.ts';
import { stdioWire } from './stdio.ts';
import { websocketWire } from './websocket.ts';
import type { Wire } from './wire.ts';

export type { WireParts } from './parts.ts';

/** Opens the connection to a server process. */
export function openWire(parts: WireParts): Wire {
  const { wire } = parts;
  const log = onceEach(parts.log);
  switch (wire.over) {
    case 'stdio':
      return stdioWire({ ...parts, wire, log });
    case 'websocket':
      return websocketWire({ ...parts, wire, log });
    case 'http':
      return httpWire({ ...parts, wire, log });
  }
}

/** An error that keeps a wire from connecting is logged once, not at every try. */
function onceEach(log: Log): Log {
  const told = new Set<string>();
  return (line, more) => {
    if (told.has(line)) return;
    told.add(line);
    log(line, more);
  };
}
