import { EVENT_TYPES } from '../core/event-types.ts';

/** The names of all events, for callers that load no schema. */
export const EVENT_NAMES: readonly string[] = EVENT_TYPES;
