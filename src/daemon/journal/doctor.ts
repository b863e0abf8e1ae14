import type { Clock } from '../../base/clock.ts';
import { run } from '../../base/spawn.ts';
import { JOURNAL_CHECK, journalCheckOf, type StateCheck } from '../../present/state-check.ts';

/** To read the whole journal takes a while, but not for ever. */
const CHECK_MS_MAX = 120_000;

/** Looks for damage in the journal, in a process of its own: it is read whole. */
export async function journalCheck(state: string, clock: Clock, program = process.argv[1] ?? '') {
  const argv = [process.execPath, program, 'state', 'check'] as const;
  const ran = await run(argv, { clock, msMax: CHECK_MS_MAX, env: { OUTLAST_STATE: state } });
  if (ran.end === 'exited' && ran.status === 0)
    return journalCheckOf(JSON.parse(ran.stdout.toString('utf8')) as StateCheck);
  const why = ran.end === 'exited' ? ran.stderr.trim() : ran.end;
  const hint = 'outlast state check says more.';
  return { name: JOURNAL_CHECK, ok: false, detail: `it could not be checked: ${why}`, hint };
}
