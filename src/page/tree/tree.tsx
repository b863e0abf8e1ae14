import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SessionRow } from '../../api/contract-list.ts';
import { useApp } from '../model/app.ts';
import { useKeys } from '../model/keys.ts';
import { type Tree, treesOf } from '../model/trees.ts';
import { Empty, Loading, PlaceHead } from '../places/place.tsx';
import { StopDialog } from '../session/stop-dialog.tsx';
import { Command } from '../ui/copy.tsx';
import { timeText } from '../words/format.ts';
import { PLACE_STRINGS } from '../words/place-strings.ts';
import { STRINGS } from '../words/strings.ts';
import { TreeHead } from './head.tsx';
import { NodeRow } from './node.tsx';
import { Updates } from './updates.tsx';

const { tree: words } = PLACE_STRINGS;

/** Who started whom, what all of it has used, and what its updates are. */
export function TreePage(): VNode {
  const app = useApp();
  const { rows, isComplete } = app.fleet.known.value;
  const trees = treesOf(rows.values());
  const at = useSignal<string | null>(null);
  const stopping = useSignal<SessionRow | null>(null);
  const nodes = trees.flatMap((tree) => tree.nodes);
  const move = (by: number): void => {
    const from = nodes.findIndex(({ row }) => row.id === at.value);
    const next = from < 0 ? (by > 0 ? 0 : nodes.length - 1) : Math.min(Math.max(from + by, 0), nodes.length - 1);
    at.value = nodes[next]?.row.id ?? null;
  };
  const box = useRef<HTMLDivElement>(null);
  useKeys({ j: () => move(1), k: () => move(-1) });
  useEffect(() => box.current?.querySelector<HTMLElement>('.node.at .node-name')?.focus(), [at.value]);
  const state = app.state.value;
  return (
    <section class="place-page tree-page" aria-label={words.title}>
      <PlaceHead
        title={words.title}
        about={'sinceMs' in state ? STRINGS.fleet.asOf(timeText(state.sinceMs, app.nowMs.peek())) : words.about}
      />
      <div class="place-body" ref={box} tabIndex={-1}>
        {trees.length === 0 && !isComplete && <Loading />}
        {trees.length === 0 && isComplete && (
          <Empty title={words.none} told={words.noneHint}>
            <Command text='outlast spawn "run the tests"' />
          </Empty>
        )}
        {trees.map((tree) => (
          <OneTree
            key={tree.root.id}
            tree={tree}
            at={at.value}
            stop={(row) => (stopping.value = row)}
            choose={(id) => (at.value = id)}
          />
        ))}
      </div>
      {stopping.value !== null && <StopDialog row={stopping.value} close={() => (stopping.value = null)} />}
    </section>
  );
}

interface OneProps {
  readonly tree: Tree;
  readonly at: string | null;
  readonly stop: (row: SessionRow) => void;
  readonly choose: (id: string) => void;
}

function OneTree({ tree, at, stop, choose }: OneProps): VNode {
  const isOpen = useSignal(false);
  return (
    <section class="tree">
      <TreeHead tree={tree} />
      <ul class="nodes">
        {tree.nodes.map((node) => (
          <li key={node.row.id}>
            <NodeRow node={node} isAt={node.row.id === at} stop={stop} choose={choose} />
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="quiet tree-more"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        {isOpen.value ? words.hideUpdates : words.showUpdates}
      </button>
      {isOpen.value && <Updates tree={tree} />}
    </section>
  );
}
