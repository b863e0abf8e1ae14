// The SDK: `import { connect } from 'outlast'`.

export type { EventView, OutputPage, ScreenView, SessionView } from '../api/shapes.ts';
export { CODES, type ErrorCode, OutlastError } from '../base/errors.ts';
export { type ConnectOptions, connect, type Executed, Outlast, type StartInput } from './client.ts';
export type { EventLine, Line } from './follow.ts';
export type { Given } from './given.ts';
export { Session } from './handle.ts';
export { stateFolder } from './state.ts';
