import type { Clock } from '../../base/clock.ts';
import { run } from '../../base/spawn.ts';
import { JOURNAL_CHECK, journalCheckOf, type StateCheck } from '../../present/state-check.ts';

/** Reading the whole journal takes a while, but has a limit. */
const CHECK_MS_MAX = 120_000;

/** Checks the journal for damage, in its own process: all of it is read. */
export async function journalCheck(state: string, clock: Clock, program = process.argv[1] ?? '') {
  const argv = [process.execPath, program, 'state', 'check'] as const;
  const ran = await run(argv, { clock, msMax: CHECK_MS_MAX, env: { OUTLAST_STATE: state } });
  if (ran.end === 'exited' && ran.status === 0)
    return journalCheckOf(JSON.parse(ran.stdout.toString('utf8')) as StateCheck);
  const why = ran.end === 'exited' ? ran.stderr.trim() : ran.end;
  const hint = 'Run `outlast state check` for details.';
  return { name: JOURNAL_CHECK, ok: false, detail: `it could not be checked: ${why}`, hint };
}
