// Every operation of the product: its path, what it does, and whether it may be repeated. Plain data, so that the CLI
// loads it fast. contract.ts adds input and output; it does not compile when a name is missing there.
import { CONTROL_ROUTES } from './routes-control.ts';
import { HOST_ROUTES } from './routes-host.ts';
import { NOTICE_ROUTES } from './routes-notices.ts';
import { SCHEDULE_ROUTES } from './routes-schedule.ts';
import { SESSION_ROUTES } from './routes-session.ts';
import { WORK_ROUTES } from './routes-work.ts';

export type { Does, Route } from './route.ts';

export const ROUTES = {
  ...SESSION_ROUTES,
  ...CONTROL_ROUTES,
  ...WORK_ROUTES,
  ...HOST_ROUTES,
  ...NOTICE_ROUTES,
  ...SCHEDULE_ROUTES,
} as const;

export type OperationName = keyof typeof ROUTES;
