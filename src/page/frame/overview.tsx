import type { VNode } from 'preact';
import { ATTENTIONS, attentionOf } from '../../present/attention.ts';
import { useApp } from '../model/app.ts';
import { Mark } from '../ui/mark.tsx';
import { numberText } from '../words/format.ts';
import { STRINGS } from '../words/strings.ts';

/** What is beside the list while no session is open: the counts, and the keys that lead on. */
export function Overview(): VNode {
  const app = useApp();
  const { rows } = app.fleet.known.value;
  return (
    <div class="overview">
      <Mark size={40} />
      {rows.size > 0 && <h2>{STRINGS.fleet.pick}</h2>}
      <p>{STRINGS.fleet.pickHint}</p>
      {rows.size > 0 && <Counts />}
      <p class="hints">
        <kbd>a</kbd> {STRINGS.actions.next} <kbd>/</kbd> {STRINGS.fleet.filter} <kbd>?</kbd> {STRINGS.keys.title}
      </p>
    </div>
  );
}

function Counts(): VNode {
  const rows = [...useApp().fleet.known.value.rows.values()];
  const counts = Map.groupBy(rows, attentionOf);
  const cost = rows.reduce((sum, { usage }) => sum + (usage.usd ?? 0), 0);
  return (
    <dl class="counts">
      {ATTENTIONS.map((attention) => (
        <div class={attention === 'needs you' && counts.has(attention) ? 'need' : undefined}>
          <dt>{STRINGS.sections[attention]}</dt>
          <dd>{numberText(counts.get(attention)?.length ?? 0)}</dd>
        </div>
      ))}
      {cost > 0 && (
        <div>
          <dt>{STRINGS.session.budget}</dt>
          <dd>${cost.toFixed(2)}</dd>
        </div>
      )}
    </dl>
  );
}
