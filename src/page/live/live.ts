import { browserClock } from '../../base/clock.ts';
import { OutlastError } from '../../base/errors.ts';
import { Outlast } from '../../client/browser.ts';
import type { Connection } from '../../client/calls.ts';
import type { Live } from './types.ts';

export type * from './types.ts';

/** Connects this tab, if this browser has a key; else it is signed out. */
export async function openLive(): Promise<Live> {
  const refuse = (): never => {
    throw new OutlastError('not_supported', 'the connection of the page is not written yet');
  };
  const transport: Connection = {
    call: async () => refuse(),
    // biome-ignore lint/correctness/useYield: it is refused before its first line
    async *follow() {
      refuse();
    },
    close: () => {},
  };
  return {
    outlast: new Outlast(transport, () => ({}), browserClock()),
    state: { value: { is: 'signed out', why: 'no key' }, subscribe: () => () => {} },
    device: { value: null, subscribe: () => () => {} },
    signIn: async () => refuse(),
    signOut: async () => refuse(),
    devices: async () => refuse(),
    revoke: async () => refuse(),
    link: async () => refuse(),
    screens: refuse,
    output: refuse,
    retry: () => {},
    close: () => {},
  };
}
