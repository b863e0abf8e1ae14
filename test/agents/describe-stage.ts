import type { Stage } from './stage.ts';

const BODY_CHARS_MAX = 160;

/** Sessions, events, screens and prompts of a stage, for the output of a failed story. */
export async function describeStage(stage: Stage): Promise<string> {
  try {
    const { sessions } = await stage.world.client.list();
    const sections = await Promise.all(sessions.map(({ id }) => describeSession(stage, id)));
    return [...sections, `received: ${JSON.stringify(stage.received())}`].join('\n');
  } catch (error) {
    return `the daemon does not answer: ${error}`;
  }
}

async function describeSession(stage: Stage, id: string): Promise<string> {
  const { session } = await stage.world.client.show(id);
  const rows = await stage.world.client.screen(id).then(
    (screen) => screen.rows,
    () => [],
  );
  const events = (await stage.events(id)).map(
    ({ ts, event, body }) => `  ${ts} ${event} ${JSON.stringify(body).slice(0, BODY_CHARS_MAX)}`,
  );
  return [`${id} ${session.name ?? ''} is ${session.phase}`, ...events, ...rows].join('\n').trimEnd();
}
