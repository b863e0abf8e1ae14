// The faces of the product may import the client and nothing behind it; time is one of the few things they share.
export { type Clock, realClock } from '../base/clock.ts';
