import type { CallInput } from '../api/contract.ts';
import type { OperationName } from '../api/routes.ts';

/** The input of an operation. Numbers are numbers here; only the wire accepts strings for them. */
export type Given<N extends OperationName> = Numbers<CallInput<N>>;

type Numbers<T> = { [K in keyof T]: unknown extends T[K] ? number | undefined : T[K] };

/** A prompt for a session. `text` is the earlier name of `prompt`. */
export type PromptInput = Omit<Given<'session.prompt'>, 'prompt' | 'text'> &
  ({ readonly prompt: string; readonly text?: never } | { readonly text: string; readonly prompt?: never });

/** The caller's own folder, environment and umask. */
export type Own = Partial<Pick<Given<'session.start'>, 'cwd' | 'env' | 'umask'>>;
