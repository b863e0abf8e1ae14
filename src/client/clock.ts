// The CLI and MCP may import the client and nothing behind it; the clock is one of the few things they share.
export { type Clock, realClock } from '../base/clock.ts';
