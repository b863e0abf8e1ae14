// The SDK for browsers: `import { connect } from 'outlast/browser'`.
import { browserClock } from '../base/clock.ts';
import { Outlast } from './client.ts';
import { type FetchOptions, FetchTransport } from './fetch.ts';

export type { SessionRow } from '../api/contract-list.ts';
export type { OutputPage } from '../api/output-shape.ts';
export type { RunView, StyledView } from '../api/screen-shape.ts';
export type { EventView, PromptView, ScreenView, SessionView } from '../api/shapes.ts';
export { CODES, type ErrorCode, OutlastError } from '../base/errors.ts';
export { type ConverseOptions, Outlast, type Replied, type StartInput } from './client.ts';
export type { Executed } from './execute.ts';
export type { Fanned, FanOptions } from './fan-out.ts';
export type { FetchOptions } from './fetch.ts';
export type { EventLine, Line } from './follow.ts';
export type { Given } from './given.ts';
export { Session } from './handle.ts';
export type { PipelineStep } from './pipeline.ts';
export type { UploadInput } from './upload.ts';
export type { WatchLine } from './watch.ts';

/** A client of a daemon behind an HTTP proxy. A browser has no folder: a start must name one. */
export function connect(options: FetchOptions): Outlast {
  return new Outlast(new FetchTransport(options), () => ({ env: {} }), browserClock());
}
