import type { CallInput, CallOutput } from './contract.ts';
import type { OperationName } from './routes.ts';

/** Calls one operation, or follows one stream. Implemented by the socket and by fetch. */
export interface Transport {
  call<N extends OperationName>(name: N, input: CallInput<N>, signal?: AbortSignal): Promise<CallOutput<N>>;
  follow<N extends OperationName>(name: N, input: CallInput<N>, signal?: AbortSignal): AsyncIterable<CallOutput<N>>;
  /** Shows a waiting caller a message while it waits. */
  readonly tell?: ((text: string) => void) | undefined;
}
