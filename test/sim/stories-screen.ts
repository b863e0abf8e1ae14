// An agent that asks on its screen: what its dialog means, and what the journal says of the answer.
import { live, policy, type Script } from './scripts.ts';

/** Long enough for the dialog to be stable before it is answered. */
const spec = { ...live, policy: { ...policy, approvalMsMax: 3_500 } };

export const SCREEN_STORIES: readonly Script[] = [
  {
    name: 'liveScreenAllowed',
    spec,
    onScreen: true,
    ends: ['done'],
    tells: ['approval.asked', 'approval.decided', 'approval.used', 'prompt.answered'],
    lacks: ['session.held', 'approval.missed'],
  },
  {
    name: 'liveScreenTimeout',
    spec,
    onScreen: true,
    nobodyAnswers: true,
    ends: ['done'],
    tells: ['approval.asked', 'approval.shown', 'approval.decided', 'prompt.answered'],
    lacks: ['session.held', 'approval.used', 'approval.missed'],
  },
  {
    name: 'liveScreenDenied',
    spec,
    onScreen: true,
    nobodyAnswers: true,
    deeds: [{ after: 'approval.shown', ms: 900, does: 'deny' }],
    ends: ['done'],
    tells: ['approval.asked', 'approval.shown', 'approval.decided', 'prompt.answered'],
    lacks: ['session.held', 'approval.used', 'approval.missed'],
  },
];
