import type { CallOutput } from '../../api/contract.ts';

type Status = NonNullable<CallOutput<'daemon.status'>['otel']>;

/** How sending to OpenTelemetry goes, in one line. */
export function otelLine({ endpoint, behind, dropped, lastError }: Status): string {
  const lost = dropped === 0 ? '' : `, ${dropped} spans given up`;
  return `OpenTelemetry at ${endpoint}: ${behind} events behind${lost}${lastError === null ? '' : ` (${lastError})`}.`;
}
