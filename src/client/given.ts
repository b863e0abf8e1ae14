import type { CallInput } from '../api/contract.ts';
import type { OperationName } from '../api/routes.ts';

/** What a caller gives to an operation. Numbers are numbers here; only the wire takes words for them. */
export type Given<N extends OperationName> = Numbers<CallInput<N>>;

type Numbers<T> = { [K in keyof T]: unknown extends T[K] ? number | undefined : T[K] };
