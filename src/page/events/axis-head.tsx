import type { VNode } from 'preact';
import type { Axis } from '../model/axis.ts';
import { axisTimeText, wholeTimeText } from '../words/format.ts';
import { RECORD_STRINGS } from '../words/record-strings.ts';

const { events: words } = RECORD_STRINGS;
const TICKS = [0, 0.5, 1] as const;

/** The times along the axis. */
export function AxisHead({ axis }: { readonly axis: Axis }): VNode {
  const [fromMs, toMs] = [axis.timeAt(0), axis.timeAt(1)];
  return (
    <div class="events-axis">
      <span class="axis-name out-of-sight">{words.axis}</span>
      {TICKS.map((place) => {
        const atMs = axis.timeAt(place);
        return (
          <time class="tick" dateTime={new Date(atMs).toISOString()} title={wholeTimeText(atMs)}>
            {axisTimeText(atMs, toMs - fromMs)}
          </time>
        );
      })}
    </div>
  );
}

/** The background of all lanes: a band where a pause is shortened. */
export function bandsOf({ gaps }: Axis): string {
  const stops = gaps.flatMap(({ from, to, gap }) => {
    const [left, right] = [from, to].map((place) => `${(place * 100).toFixed(2)}%`);
    return [`transparent ${left}`, `var(--band-${gap}) ${left} ${right}`, `transparent ${right}`];
  });
  return stops.length === 0 ? 'none' : `linear-gradient(to right, ${stops.join(', ')})`;
}
