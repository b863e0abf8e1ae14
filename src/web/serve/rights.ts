import type { Grant } from '../../api/grants.ts';
import { NEEDS, type Need, reservedIn, startsAgent } from '../../api/rights.ts';
import type { OperationName } from '../../api/routes.ts';
import { OutlastError } from '../../base/errors.ts';
import type { Outlast } from '../../client/index.ts';

type Input = Readonly<Record<string, unknown>>;

/** Refuses an operation that these grants do not allow. It is decided here and nowhere else, by its row. */
export async function refuseUngranted(
  outlast: Outlast,
  grants: readonly Grant[],
  name: OperationName,
  input: Input,
): Promise<void> {
  const need = await grantFor(outlast, name, grants, input);
  const lacking = [need, ...reservedIn(input)].find((each) => !grants.includes(each));
  if (lacking !== undefined)
    throw new OutlastError('grant_missing', `${name} needs the grant ${lacking}, which this device lacks`);
}

async function grantFor(outlast: Outlast, name: OperationName, has: readonly Grant[], input: Input): Promise<Grant> {
  const need: Need = NEEDS[name];
  switch (need) {
    case 'starts':
      return startsAgent(input) ? 'prompt' : 'exec';
    case 'drives':
    case 'types': {
      const forAgent = need === 'types' ? 'admin' : 'prompt';
      // Who may do neither learns nothing about the session.
      if (!has.includes(forAgent) && !has.includes('exec')) return forAgent;
      return (await isAgent(outlast, name, input)) ? forAgent : 'exec';
    }
    case 'nobody':
      throw new OutlastError('grant_missing', `${name} is not for pages`);
    default:
      return need;
  }
}

async function isAgent(outlast: Outlast, name: OperationName, input: Input): Promise<boolean> {
  if (name.startsWith('schedule.'))
    return (await outlast.schedules.show(String(input.schedule ?? ''))).schedule.agent !== null;
  const { session } = await outlast.show(String(input.session ?? ''));
  return session.drive !== 'command';
}
