import type { VNode } from 'preact';
import type { SessionRow } from '../../api/contract-list.ts';
import { attentionOf } from '../../present/attention.ts';
import { lastWords, signMs } from '../../present/row.ts';
import { nameOf } from '../../present/state.ts';
import { agentText, costOf, follow, State } from '../fleet/row.tsx';
import { useApp } from '../model/app.ts';
import { addressOf, type Route } from '../model/route.ts';
import type { TreeNode } from '../model/trees.ts';
import { Age } from '../ui/age.tsx';
import { Glyph, lookOf } from '../ui/glyph.tsx';
import { Icon } from '../ui/icon.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { PLACE_STRINGS } from '../words/place-strings.ts';
import { STRINGS } from '../words/strings.ts';

const { tree: words } = PLACE_STRINGS;

interface Props {
  readonly node: TreeNode;
  readonly isAt: boolean;
  readonly stop: (row: SessionRow) => void;
  readonly choose: (id: string) => void;
}

/** A session in its tree: how it is, and what becomes of it when its owner ends. */
export function NodeRow({ node, isAt, stop, choose }: Props): VNode {
  const app = useApp();
  const { row, under } = node;
  const look = lookOf(row, attentionOf(row));
  const route: Route = { is: 'session', session: row.id, tab: 'conversation' };
  const said = lastWords(row);
  const canStop = row.phase !== 'ended' && app.may(row.drive === 'command' ? 'exec' : 'prompt');
  return (
    <div class={`node ${isAt ? 'at' : ''}`} data-session={row.id} data-under={under}>
      <span class="node-first">
        <Connectors node={node} />
        <Glyph look={look} />
        <a
          class="node-name"
          href={addressOf(route)}
          onClick={(event) => follow(event, () => app.go(route))}
          onFocus={() => choose(row.id)}
        >
          <SafeLine text={nameOf(row)} />
        </a>
      </span>
      <span class="node-agent">
        <SafeLine text={agentText(row)} />
      </span>
      <span class={`state ${look}`}>
        <State row={row} />
      </span>
      <span class="node-said">
        <SafeLine text={said} />
      </span>
      <Owned row={row} />
      <span class="node-cost">{costOf(row)}</span>
      <Age atMs={signMs(row)} />
      {canStop ? (
        <button
          type="button"
          class="icon-button"
          aria-label={`${STRINGS.session.stop}: ${nameOf(row)}`}
          title={STRINGS.session.stop}
          onClick={() => stop(row)}
        >
          <Icon name="stop" size={14} />
        </button>
      ) : (
        <span />
      )}
    </div>
  );
}

/** What becomes of a session with its owner. */
function Owned({ row }: { readonly row: SessionRow }): VNode {
  return (
    <span class="node-owned">
      {row.owner?.wake && (
        <span class="tag" title={words.wakesHint}>
          {words.wakes}
        </span>
      )}
      {row.owner !== null && (
        <span class="tag" title={words.onEndHint}>
          {words.onEnd[row.owner.onEnd]}
        </span>
      )}
    </span>
  );
}

/** The lines that lead to a session from the one that started it. */
function Connectors({ node: { under, lines, isLast } }: Pick<Props, 'node'>): VNode {
  return (
    <span class="connectors" aria-hidden="true">
      {lines.map((isLine) => (
        <i class={isLine ? 'through' : ''} />
      ))}
      {under > 0 && <i class={isLast ? 'last' : 'branch'} />}
    </span>
  );
}
