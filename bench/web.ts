// The page in a real browser: what its budgets say of a phone, of many things, of speed, and of floods.
import { echoes, painted } from './web-echo.ts';
import { flooded } from './web-flood.ts';
import { many } from './web-many.ts';
import { phoneAndTabs } from './web-phone.ts';
import { viewers } from './web-viewers.ts';

const PARTS = { many, phone: phoneAndTabs, painted, echoes, flooded, viewers };

/** All of them, or those that OUTLAST_BENCH_WEB names. */
export async function web(): Promise<void> {
  const wanted = process.env.OUTLAST_BENCH_WEB?.split(' ') ?? Object.keys(PARTS);
  for (const [name, part] of Object.entries(PARTS)) if (wanted.includes(name)) await part();
}
