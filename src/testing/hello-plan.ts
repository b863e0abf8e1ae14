import type { HelloPlan } from '../agent/seam/server.ts';

/** The first connection of a gated session in a new conversation. */
export const GATED_HELLO: HelloPlan = {
  workspace: '/w',
  conversation: null,
  origin: null,
  model: null,
  thinking: null,
  mode: 'none',
  modeWord: null,
  isTrusted: false,
  isAdopted: false,
  isGated: true,
};
