import type { CallInput, CallOutput } from './contract.ts';
import type { OperationName } from './routes.ts';

/** Calls one operation, or follows one stream. The socket implements it now; fetch and the fleet later. */
export interface Transport {
  call<N extends OperationName>(name: N, input: CallInput<N>, signal?: AbortSignal): Promise<CallOutput<N>>;
  follow<N extends OperationName>(name: N, input: CallInput<N>, signal?: AbortSignal): AsyncIterable<CallOutput<N>>;
  /** Shows a waiting caller a message while it waits. */
  readonly tell?: ((text: string) => void) | undefined;
}
