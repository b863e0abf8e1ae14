import type { CallInput } from '../api/contract.ts';
import type { OperationName } from '../api/routes.ts';

/** The input of an operation. Numbers are numbers here; only the wire accepts strings for them. */
export type Given<N extends OperationName> = Numbers<CallInput<N>>;

type Numbers<T> = { [K in keyof T]: unknown extends T[K] ? number | undefined : T[K] };
