// The SDK: `import { connect } from 'outlast'`.

export type { ApprovalView } from '../api/contract-approvals.ts';
export type { SessionRow } from '../api/contract-list.ts';
export type { ScheduleView } from '../api/contract-schedule.ts';
export type { OutputPage } from '../api/output-shape.ts';
export type { RunView, StyledView } from '../api/screen-shape.ts';
export type { EventView, PromptView, ScreenView, SessionView } from '../api/shapes.ts';
export { CODES, type ErrorCode, OutlastError } from '../base/errors.ts';
export { type ApprovalLine, Approvals, type DecideOptions } from './approvals.ts';
export { type ConverseOptions, Outlast, type Replied, type StartInput } from './client.ts';
export { type ConnectOptions, connect } from './connect.ts';
export type { Executed } from './execute.ts';
export type { Fanned, FanOptions } from './fan-out.ts';
export type { EventLine, Line, LogLine, TurnLine } from './follow.ts';
export type { Given, PromptInput } from './given.ts';
export { Session } from './handle.ts';
export type { PipelineStep } from './pipeline.ts';
export { type ScheduleInput, Schedules } from './schedules.ts';
export { stateFolder } from './state.ts';
export type { UploadInput } from './upload.ts';
export type { WatchLine } from './watch.ts';
