import { RequestError } from '@agentclientprotocol/sdk';
import { CODES, OutlastError } from '../base/errors.ts';

const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const NOT_FOUND = -32002;

/** An error as the editor gets it: what happened, and what to do about it. */
export function requestErrorOf(error: unknown): unknown {
  if (!(error instanceof OutlastError)) return error;
  const { code, message } = error;
  const { hint } = CODES[code];
  return new RequestError(numberOf(code), `${message}. ${hint}`, { code, hint });
}

/** A request that cannot be answered as it is. */
export function wrongRequest(message: string): RequestError {
  return new RequestError(INVALID_PARAMS, message);
}

/** A turn that did not come to a reply. */
export function turnError(message: string, data: Readonly<Record<string, unknown>>): RequestError {
  return new RequestError(INTERNAL, message, data);
}

function numberOf(code: OutlastError['code']): number {
  if (code === 'session_not_found') return NOT_FOUND;
  return CODES[code].http === 422 || code === 'input_invalid' ? INVALID_PARAMS : INTERNAL;
}
