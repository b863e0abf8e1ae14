import type { PromptResponse } from '@agentclientprotocol/sdk';
import type { Replied } from '../client/index.ts';
import { limitText, nameOf } from '../present/state.ts';
import { turnError } from './errors.ts';

/** How the turn of a prompt ended, for the editor. */
export interface Ending {
  /** stuck: the turn is not over, but it needs a person. */
  readonly is: 'answered' | 'cancelled' | 'failed' | 'stuck';
  readonly text: string;
  /** The answer to the request; throws what is an error in the protocol. */
  response(): PromptResponse;
}

/** What the end of a prompt means in the protocol. */
export function answerOf(replied: Replied): Ending {
  const { met } = replied;
  if (met === 'answered') return stopped('answered', 'end_turn', replied);
  if (met === 'interrupted' || met === 'dropped') return stopped('cancelled', 'cancelled', replied);
  const text = whyNot(replied);
  const { session, prompt } = replied;
  return {
    is: met === 'failed' || met === 'ended' ? 'failed' : 'stuck',
    text,
    response: () => {
      throw turnError(text, { outlast: { session: session.id, prompt, met } });
    },
  };
}

function stopped(is: Ending['is'], stopReason: PromptResponse['stopReason'], { session, prompt }: Replied): Ending {
  const _meta = { outlast: { session: session.id, prompt, usage: session.usage } };
  return { is, text: '', response: () => ({ stopReason, _meta }) };
}

/** Why there is no reply, and what to do. */
function whyNot({ met, session, prompt, reply }: Replied): string {
  const name = nameOf(session);
  switch (met) {
    case 'failed':
      return `The turn failed: ${reply ?? 'no reason given'}`;
    case 'held': {
      const how = session.hold?.helps === 'attach' ? 'attach' : 'resume';
      const why = (session.held ?? '').replace(/\.$/, '');
      return `The session needs a person: ${why}. In a terminal: outlast ${how} ${name}. The prompt is kept.`;
    }
    case 'limited':
      return `The session is ${limitText(session)} and continues automatically.`;
    case 'unsure':
      return [
        'It is not known whether the agent got the prompt, so it is not sent again.',
        `See \`outlast turn ${name}\`; \`outlast prompt ${name} --drop ${prompt}\` drops it.`,
      ].join(' ');
    case 'ended':
      return `The session ended before it answered (${endOf(session)}). The next prompt resumes it.`;
    default:
      return `No reply: ${met}. See \`outlast show ${name}\`.`;
  }
}

function endOf({ outcome }: Replied['session']): string {
  return outcome?.why ?? outcome?.kind ?? 'unknown';
}
