import type { CallOutput } from '../../api/contract.ts';
import type { Parts } from '../serve/parts.ts';

/** The metrics of this host. */
export async function metricsRead({ metrics }: Pick<Parts, 'metrics'>): Promise<CallOutput<'metrics.read'>> {
  return { families: await metrics.read() };
}
