// Every operation of the product: where it is, what it does, and whether it may be asked twice. Plain data, so that the
// CLI can load it in no time. contract.ts adds what goes in and out; it does not compile when a name is missing there.
import { HOST_ROUTES } from './routes-host.ts';
import { SESSION_ROUTES } from './routes-session.ts';

export type { Does, Route } from './route.ts';

export const ROUTES = { ...SESSION_ROUTES, ...HOST_ROUTES } as const;

export type OperationName = keyof typeof ROUTES;
