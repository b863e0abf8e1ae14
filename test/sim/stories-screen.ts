// An agent that asks on its screen: what its dialog means, and what the journal records.
import { live, policy, type Script } from './scripts.ts';

/** Long enough for the dialog to be stable before it is answered. */
const spec = { ...live, policy: { ...policy, approvalMsMax: 3_500 } };

export const SCREEN_STORIES: readonly Script[] = [
  {
    name: 'liveScreenAllowed',
    spec,
    asksOnScreen: true,
    ends: ['done'],
    expectedEvents: ['approval.asked', 'approval.decided', 'approval.used', 'prompt.answered'],
    forbiddenEvents: ['session.held', 'approval.missed'],
  },
  {
    name: 'liveScreenTimeout',
    spec,
    asksOnScreen: true,
    nobodyAnswers: true,
    ends: ['done'],
    expectedEvents: ['approval.asked', 'approval.shown', 'approval.decided', 'prompt.answered'],
    forbiddenEvents: ['session.held', 'approval.used', 'approval.missed'],
  },
  {
    name: 'liveScreenDenied',
    spec,
    asksOnScreen: true,
    nobodyAnswers: true,
    personActions: [{ after: 'approval.shown', ms: 900, does: 'deny' }],
    ends: ['done'],
    expectedEvents: ['approval.asked', 'approval.shown', 'approval.decided', 'prompt.answered'],
    forbiddenEvents: ['session.held', 'approval.used', 'approval.missed'],
  },
];
