import { OutlastError } from '../../base/errors.ts';
import type { Refusal } from '../../core/admit.ts';
import { nameOf } from '../../core/name.ts';
import type { Session } from '../../core/session.ts';

/** The error for a refused input. */
export function refusal(session: Session, code: Refusal): OutlastError {
  const name = nameOf(session);
  const isAgent = session.spec.drive !== 'command';
  switch (code) {
    case 'session_ended':
      return new OutlastError(code, `${name} has ended${isAgent ? `; outlast resume ${name} brings it back` : ''}`);
    case 'session_live':
      return new OutlastError(code, `${name} is still live`);
    case 'input_closed':
      return new OutlastError(code, `the standard input of ${name} is closed`);
    case 'not_running':
      return new OutlastError('input_closed', `${name} is not running yet (${session.phase.at})`);
    case 'approval_unknown':
      return new OutlastError('approval_unknown', `${name} has no such pending approval`);
    case 'approval_decided':
      return new OutlastError('approval_decided', `that question of ${name} has already been answered`);
    case 'prompt_unknown':
      return new OutlastError('prompt_unknown', `${name} has no such prompt waiting`);
    case 'not_working':
      return new OutlastError('not_working', `${name} is not in a turn (${session.phase.at})`);
    case 'no_prompts':
      return new OutlastError('not_supported', `${name} is a command: it takes no prompts and cannot be resumed`);
    case 'no_steering':
      return new OutlastError(
        'not_supported',
        `${name} has one process per turn, which takes no further prompt; leave out --now`,
      );
    case 'busy':
      return new OutlastError('session_busy', `${name} is busy (${session.phase.at})`);
    case 'handed_off':
      return new OutlastError('handed_off', `${name} was handed to a person`);
  }
}

/** Why something that needs a screen cannot be done with an agent that runs as a server. */
export function refusalOfScreens(session: Session, help: string): OutlastError {
  const why = `${nameOf(session)} is driven by messages and has no screen; start it with --tui to give it one`;
  return new OutlastError('not_supported', `${why}: ${help}`);
}
