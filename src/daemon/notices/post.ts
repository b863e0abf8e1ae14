import { causeText } from '../../base/system-errors.ts';
import { cut, oneLine } from '../views/one-line.ts';

/** The result of one try. */
export type Sent = { readonly ok: true } | Failed;

/** Why a try failed, and when the next one makes sense. */
export interface Failed {
  readonly ok: false;
  readonly why: string;
  /** The service asks for this pause before the next try; missing: it says nothing. */
  readonly retryMs?: number;
  /** It would be refused again. */
  readonly isFinal?: true;
}

/** One HTTP request. */
export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** A service that explains itself: its answer is read. Returns what it says about a failure; null: nothing. */
  readonly explain?: (body: string) => Explained | null;
}

/** What the body of an answer says. */
export interface Explained {
  readonly why: string;
  readonly retryMs?: number;
  /** The status that the service means, if it answers 200 to a failure. */
  readonly status?: number;
}

const RETRY_MS_MAX = 3_600_000;
const ANSWER_BYTES_MAX = 4_096;
const WHY_CHARS_MAX = 200;
/** Answers that another try would not change: a wrong address, a revoked token, a channel that is gone. */
const FINAL: readonly number[] = [400, 401, 403, 404, 410, 413];

/** Sends a POST request. It is delivered when the answer is 2xx. Redirects are not followed. */
export async function post({ url, headers, body, signal, explain }: Post): Promise<Sent> {
  // The path of an address can be a secret, so only the host is named.
  const where = new URL(url).host;
  try {
    const answer = await fetch(url, { method: 'POST', headers: { ...headers }, body, signal, redirect: 'manual' });
    const said = explain === undefined ? null : explain(await firstBytes(answer));
    if (explain === undefined) await answer.body?.cancel();
    if (answer.ok && said?.status === undefined) return { ok: true };
    const status = said?.status ?? answer.status;
    const why = said === null || said.why === '' ? '' : `: ${cut(oneLine(said.why), WHY_CHARS_MAX)}`;
    const retryMs = said?.retryMs ?? retryAfterMs(answer.headers);
    return {
      ...failed(`${where} answered ${status}${why}`),
      ...(retryMs !== null && { retryMs: Math.min(retryMs, RETRY_MS_MAX) }),
      // A person who runs an endpoint of their own may be repairing it.
      ...(explain !== undefined && FINAL.includes(status) && { isFinal: true }),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return failed(`cannot reach ${where}: ${reasonOf(error)}`);
  }
}

/** A failed try. */
export function failed(why: string): Failed {
  return { ok: false, why };
}

/** The reason of a system error, or its message. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return causeText(cause);
}

/** The header Retry-After: seconds, or a date by the clock of the server. */
function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  if (/^\d{1,9}(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const pause = Date.parse(text) - Date.parse(headers.get('date') ?? '');
  return Number.isNaN(pause) ? null : Math.max(0, pause);
}

/** The beginning of a body, which could be endless. */
async function firstBytes(answer: Response): Promise<string> {
  if (answer.body === null) return '';
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes >= ANSWER_BYTES_MAX) break;
  }
  return Buffer.concat(pieces).toString('utf8');
}
