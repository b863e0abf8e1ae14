import type { Session } from '../core/session.ts';
import { Answers } from './accounts.ts';
import { act } from './act.ts';
import { Eyes } from './eyes.ts';
import type { Inside, WorldParts } from './inside.ts';
import { look } from './look.ts';
import type { World } from './loop.ts';
import { Quiet } from './quiet.ts';
import { SignReader } from './signs.ts';

/** The real world: terminals, processes and files, as a session's loop sees and changes them. */
export function realWorld(parts: WorldParts): World & { readonly boot: string; forget(session: Session): void } {
  const inside: Inside = {
    ...parts,
    answers: new Answers(),
    eyes: new Eyes(parts.state),
    quiet: new Quiet(parts.clock),
    signs: new SignReader(),
  };
  return {
    clock: parts.clock,
    boot: parts.boot,
    look: (session) => look(inside, session),
    slot: parts.slot,
    act: (session, effect, signal) => act(inside, session, effect, signal),
    forget: (session) => {
      inside.eyes.forget(session.id);
      inside.signs.forget(session.id);
    },
  };
}
