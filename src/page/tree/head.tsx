import type { VNode } from 'preact';
import { countText } from '../../present/row.ts';
import { nameOf } from '../../present/state.ts';
import { useApp } from '../model/app.ts';
import type { Tree } from '../model/trees.ts';
import { useAsked } from '../places/asked.ts';
import { SafeLine } from '../ui/safe.tsx';
import { moneyText, numberText } from '../words/format.ts';
import { PLACE_STRINGS } from '../words/place-strings.ts';

const { tree: words } = PLACE_STRINGS;
/** The limits of a tree, as the event of its start has them. */
interface SpawnLimits {
  readonly depthMax: number;
  readonly childrenMax: number;
  readonly budget: { readonly [K in 'turns' | 'tokens' | 'usd']: number | null };
}

type Budget = SpawnLimits['budget'];
const NEAR = 0.8;

/** What a tree has used against its budget, and how far it may grow. */
export function TreeHead({ tree }: { readonly tree: Tree }): VNode {
  const app = useApp();
  const { root, nodes, used } = tree;
  const { answer } = useAsked(root.id, (signal) => limitsOf(app.outlast, root.id, signal));
  const limits = answer.value.value;
  const depth = Math.max(...nodes.map(({ under }) => under));
  const live = nodes.filter(({ row }) => row.phase !== 'ended').length;
  return (
    <header class="tree-head">
      <h2>
        <SafeLine text={nameOf(root)} />
      </h2>
      <span class="muted">{words.sessions(nodes.length, live)}</span>
      <span class="space" />
      <span>
        {moneyText(used.usd) ?? `${countText(used.tokens)} ${words.tokens}`}
        <span class="muted"> · {words.turns(used.turns)}</span>
      </span>
      {limits !== null && (
        <div class="tree-limits">
          <BudgetLines budget={limits.budget} used={used} />
          <span>
            {words.depth} {numberText(depth)} / {numberText(limits.depthMax)}
          </span>
          <span>
            {words.children} {numberText(limits.childrenMax)}
          </span>
        </div>
      )}
    </header>
  );
}

interface BudgetProps {
  readonly budget: Budget;
  readonly used: Tree['used'];
}

function BudgetLines({ budget, used }: BudgetProps): VNode {
  const all = (['usd', 'turns', 'tokens'] as const).flatMap((kind) => {
    const max = budget[kind];
    return max === null || max === 0 ? [] : [{ kind, max, is: used[kind] ?? 0 }];
  });
  if (all.length === 0) return <span>{words.noBudget}</span>;
  const text = (kind: keyof Budget, value: number): string =>
    kind === 'usd'
      ? `$${value.toFixed(2)}`
      : `${numberText(value)} ${words[kind === 'turns' ? 'turnsWord' : 'tokens']}`;
  return (
    <>
      {all.map(({ kind, max, is }) => (
        <span class="budget">
          {words.budget} {text(kind, is)} {words.of} {text(kind, max)}
          <span class={`limit-track ${is >= max * NEAR ? 'near' : ''}`} aria-hidden="true">
            <span style={{ inlineSize: `${Math.min(is / max, 1) * 100}%` }} />
          </span>
        </span>
      ))}
    </>
  );
}

type Reader = ReturnType<typeof useApp>['outlast'];

/** The limits that the root was started with: the first event has them. */
async function limitsOf(outlast: Reader, session: string, signal: AbortSignal): Promise<SpawnLimits | null> {
  for await (const { body } of outlast.events({ session, types: ['session.created'], limit: 1 }, signal)) {
    const { spawn } = (body.spec ?? {}) as { readonly spawn?: SpawnLimits };
    return spawn ?? null;
  }
  return null;
}
