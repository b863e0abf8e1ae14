import type { VNode } from 'preact';
import type { ConversationView } from '../../api/contract-boot.ts';
import { oneLine } from '../../present/harmless.ts';
import { nameOf } from '../../present/state.ts';
import { follow, State } from '../fleet/row.tsx';
import { useApp } from '../model/app.ts';
import { addressOf, type Route } from '../model/route.ts';
import { SafeLine } from '../ui/safe.tsx';
import { PLACE_STRINGS } from '../words/place-strings.ts';

const { boot: words } = PLACE_STRINGS;

/** How the resume of a conversation goes: its session is in the list as soon as it is started. */
export function Progress({ one }: { readonly one: ConversationView }): VNode {
  const app = useApp();
  const rows = [...app.fleet.known.value.rows.values()];
  const row = rows.find(({ id, conversation }) => id === one.session || conversation === one.id);
  const session = row?.id ?? one.session;
  const route: Route | null = session === null ? null : { is: 'session', session, tab: 'conversation' };
  return (
    <span class="progress-line" role="status">
      {one.did === 'nothing' && row === undefined && words.waits}
      {one.did !== 'nothing' && <>{words.did[one.did]} </>}
      {one.did === 'failed' && one.detail !== null && <SafeLine text={oneLine(one.detail)} />}
      {route !== null && (
        <a href={addressOf(route)} onClick={(event) => follow(event, () => app.go(route))}>
          <SafeLine text={row === undefined ? (one.session ?? '') : nameOf(row)} />
        </a>
      )}
      {row !== undefined && (
        <>
          {' '}
          <State row={row} />
        </>
      )}
    </span>
  );
}
