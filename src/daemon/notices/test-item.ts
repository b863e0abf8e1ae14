import type { NoticeItem } from './item.ts';
import type { Delivery } from './routes.ts';

/** A message with which a person tries a notice. */
export function testItem(name: string, atMs: number): Delivery {
  const item: NoticeItem = {
    session: '',
    name: null,
    event: 'test',
    position: 0,
    at: new Date(atMs).toISOString(),
    exit: null,
    outcome: null,
    failed: false,
    why: 'this is how you will be notified',
    command: `Outlast: a test of the notice ${name}`,
    snippet: '',
    read: 'outlast notify list',
    tookMs: 0,
  };
  return { id: `${name}-test-${atMs}`, items: [item] };
}
