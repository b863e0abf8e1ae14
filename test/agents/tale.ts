import type { Stage } from './stage.ts';

const BODY_CHARS_MAX = 160;

/** All that is known of what happened on a stage, for whoever must find out why a story failed. */
export async function taleOf(stage: Stage): Promise<string> {
  try {
    const { sessions } = await stage.world.client.list();
    const tales = await Promise.all(sessions.map(({ id }) => taleOfOne(stage, id)));
    return [...tales, `heard: ${JSON.stringify(stage.heard())}`].join('\n');
  } catch (error) {
    return `there is nobody to ask any more: ${error}`;
  }
}

async function taleOfOne(stage: Stage, id: string): Promise<string> {
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
