// The SDK: `import { connect } from 'outlast'`.

export type { ApprovalView } from '../api/contract-approvals.ts';
export type { EventView, OutputPage, PromptView, ScreenView, SessionView } from '../api/shapes.ts';
export { CODES, type ErrorCode, OutlastError } from '../base/errors.ts';
export { type ApprovalLine, Approvals, type DecideOptions } from './approvals.ts';
export {
  type ConnectOptions,
  type ConverseOptions,
  connect,
  type Executed,
  Outlast,
  type Replied,
  type StartInput,
} from './client.ts';
export type { EventLine, Line } from './follow.ts';
export type { Given } from './given.ts';
export { Session } from './handle.ts';
export { stateFolder } from './state.ts';
