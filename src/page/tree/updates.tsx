import type { VNode } from 'preact';
import { harmless } from '../../present/harmless.ts';
import { nameOf } from '../../present/state.ts';
import { useApp } from '../model/app.ts';
import type { Tree } from '../model/trees.ts';
import { useAsked } from '../places/asked.ts';
import { Answer } from '../places/place.tsx';
import { At } from '../ui/age.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { PLACE_STRINGS } from '../words/place-strings.ts';

const { tree: words } = PLACE_STRINGS;
/** How many are read of each session that owns others. */
const UPDATES_MAX = 50;
/** Which session an update is about, as its text begins for the agent that gets it. */
const ABOUT = /^- \S+ (?:\([^)]*\) )?\[\d+\]: /;

interface Told {
  readonly key: string;
  readonly atMs: number;
  /** The session that it is for. */
  readonly owner: string;
  readonly event: string;
  /** The session that it is about; null: about several, or none. */
  readonly from: string | null;
  readonly text: string;
}

/** The updates that the owners of a tree got about what they started, newest first. */
export function Updates({ tree }: { readonly tree: Tree }): VNode {
  const app = useApp();
  const owners = [...new Set(tree.nodes.flatMap(({ row }) => row.owner?.session ?? []))];
  const { answer, again } = useAsked(owners.join(' '), async (signal) => {
    const all = await Promise.all(owners.map((owner) => updatesOf(app.outlast, owner, signal)));
    return all.flat().sort((a, b) => b.atMs - a.atMs);
  });
  const name = (id: string | null): string => {
    const row = tree.nodes.find((node) => node.row.id === id)?.row;
    return row === undefined ? (id ?? '') : nameOf(row);
  };
  return (
    <div class="updates">
      <Answer
        answer={answer.value}
        again={again}
        draw={(told) =>
          told.length === 0 ? (
            <p class="muted">{words.noUpdates}</p>
          ) : (
            <ol>
              {told.map((each) => (
                <li key={each.key}>
                  <At atMs={each.atMs} />
                  <span class="update-what">
                    <strong>{words.events[each.event as 'update.queued'] ?? each.event}</strong>{' '}
                    <span class="muted">
                      <SafeLine
                        text={each.from === null ? name(each.owner) : `${name(each.from)} → ${name(each.owner)}`}
                      />
                    </span>
                  </span>
                  <span class="update-text">
                    <SafeLine text={each.text} />
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      />
    </div>
  );
}

type Reader = ReturnType<typeof useApp>['outlast'];

async function updatesOf(outlast: Reader, owner: string, signal: AbortSignal): Promise<Told[]> {
  const told: Told[] = [];
  for await (const line of outlast.events({ session: owner, types: ['update.'], last: UPDATES_MAX }, signal)) {
    const { update, count } = line.body as { update?: { from?: string; text: string }; count?: number };
    const text = update?.text.replace(ABOUT, '') ?? (count === undefined ? '' : words.updates(count));
    const from = update?.from ?? null;
    told.push({ key: line.after, atMs: Date.parse(line.ts), owner, event: line.event, from, text: harmless(text) });
  }
  return told;
}
