import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { vi } from 'vitest';

const SPIED = ['existsSync', 'readFileSync', 'statSync'] as const;

/** How often each file was accessed during the work, by name. A lookup and a read count as two. */
export async function fileCalls(work: () => unknown): Promise<Record<string, number>> {
  const calls: Record<string, number> = {};
  const spies = SPIED.map((name) => vi.spyOn(fs, name));
  syncBuiltinESMExports();
  try {
    await work();
    for (const [path] of spies.flatMap((spy) => spy.mock.calls as unknown[][])) {
      const name = basename(String(path));
      calls[name] = (calls[name] ?? 0) + 1;
    }
  } finally {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  }
  return calls;
}
