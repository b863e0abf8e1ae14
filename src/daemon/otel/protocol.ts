import type { MetricFamily } from '../../api/contract-metrics.ts';
import type { Config } from '../config/schema.ts';
import type { SpanRecord } from './span.ts';

/** How the program that sends is told to begin. */
export interface Begin extends Pick<Config['otel'], 'headers' | 'timeoutMs'> {
  readonly do: 'begin';
  readonly endpoint: string;
  readonly resource: Readonly<Record<string, string>>;
  readonly version: string;
}

/** What the daemon tells it, one JSON line each. Each order but the first is answered, in order. */
export type Told =
  | Begin
  | { readonly do: 'spans'; readonly spans: readonly SpanRecord[] }
  | { readonly do: 'metrics'; readonly families: readonly MetricFamily[]; readonly nowMs: number };

/** Whether the collector has it. isFinal: it would refuse it again. */
export type Sent = { readonly ok: true } | { readonly ok: false; readonly why: string; readonly isFinal: boolean };
