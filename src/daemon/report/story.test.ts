import { expect, test } from 'vitest';
import { person } from '../../core/actor.ts';
import type { Event, EventBody } from '../../core/event.ts';
import type { ApprovalId, SessionId } from '../../core/session.ts';
import { asked, decided } from '../../testing/sessions.ts';
import { Story } from './story.ts';

function timeline(...bodies: EventBody[]): string[] {
  const story = new Story();
  for (const [i, body] of bodies.entries()) {
    const event: Event = { session: 's' as SessionId, seq: i + 1, atMs: i, steadyMs: i, cause: null, body };
    story.add(event);
  }
  return story.timeline().map(({ text }) => text);
}

const ruled = (id: string, allow: boolean): EventBody => ({
  ...(decided(id, allow, { is: 'rule', rule: 'Bash(x)' }) as Extract<EventBody, { type: 'approval.decided' }>),
  rule: `${allow ? 'allow' : 'deny'} Bash(x)`,
});

test('questions to people and their answers are shown; calls that rules allowed are not, denied ones are', () => {
  const refused: EventBody = {
    type: 'approval.refused',
    approval: 'q4' as ApprovalId,
    run: 1,
    by: { is: 'program', name: 'process 7' },
  };
  const lines = timeline(
    ...[asked('q1'), ruled('q1', true), asked('q2'), ruled('q2', false)],
    ...[asked('q3'), decided('q3', true)],
    { type: 'approval.ruled', effect: 'allow', text: 'Bash(y)', by: person('ann'), always: true },
    ...[refused, asked('q4')],
  );
  expect(lines).toEqual([
    'Bash denied by rules (q2): deny Bash(x)',
    'Bash waits for an answer (q3): no rule',
    'Bash allowed by ann (q3)',
    'ann made a rule for this workspace: allow Bash(y)',
    'process 7 tried to decide about q4, from inside the session',
    'Bash waits for an answer (q4): no rule',
  ]);
});
