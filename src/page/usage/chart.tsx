import type { VNode } from 'preact';
import { type DayBar, type Measure, type ModelShare, scaleMax } from '../model/usage.ts';
import { SafeLine } from '../ui/safe.tsx';
import { dayNameText, measureText } from '../words/format.ts';
import { PLACE_STRINGS } from '../words/place-strings.ts';
import { visibleLine } from '../words/visible.ts';

const { usage: words } = PLACE_STRINGS;
/** The size in pixels of a desk and of a phone, so that words are as large as elsewhere. */
const DESK = { width: 960, height: 200, left: 56, apart: 5 };
const PHONE = { width: 358, height: 150, left: 40, apart: 10 };
const PHONE_PX = 640;
const BELOW = 24;

type Size = typeof DESK;
const LINES = 2;
const GAP = 0.28;
/** So many days have room for a name each. */
const NAMED_MAX = 10;

interface DayChartProps {
  readonly bars: readonly DayBar[];
  readonly shares: readonly ModelShare[];
  readonly measure: Measure;
}

/** A bar for each day, stacked by model. The tables below say the same to who cannot see it. */
export function DayChart({ bars, shares, measure }: DayChartProps): VNode {
  const max = scaleMax(bars.map(({ total }) => total));
  const lines = Array.from({ length: LINES + 1 }, (_, i) => (max * i) / LINES);
  const size = innerWidth < PHONE_PX ? PHONE : DESK;
  const { width, height, left } = size;
  const y = (value: number): number => height * (1 - value / max);
  return (
    <figure class="chart">
      <svg
        viewBox={`0 -10 ${width} ${height + BELOW + 10}`}
        role="img"
        aria-label={words.chart(bars.length, words.measures[measure])}
      >
        {lines.map((value) => (
          <g class="chart-line">
            <line x1={left} x2={width} y1={y(value)} y2={y(value)} />
            <text x={left - 8} y={y(value) + 4} text-anchor="end">
              {measureText(value, measure)}
            </text>
          </g>
        ))}
        {bars.map((bar, i) => (
          <Bar
            key={bar.day}
            bar={bar}
            place={placeOf(i, bars.length, size)}
            height={height}
            y={y}
            measure={measure}
            isNamed={isNamed(i, bars.length, size)}
          />
        ))}
      </svg>
      <Legend shares={shares} />
    </figure>
  );
}

interface Place {
  readonly x: number;
  readonly width: number;
}

function placeOf(index: number, count: number, { width: all, left }: Size): Place {
  const step = (all - left) / count;
  const width = Math.min(step * (1 - GAP), 56);
  return { x: left + step * index + (step - width) / 2, width };
}

/** Of many days only some are named; not the last, for which there is no room. */
function isNamed(index: number, count: number, { apart }: Size): boolean {
  return count <= NAMED_MAX || (count - 3 - index) % apart === 0;
}

interface BarProps {
  readonly bar: DayBar;
  readonly place: Place;
  readonly height: number;
  readonly y: (value: number) => number;
  readonly measure: Measure;
  readonly isNamed: boolean;
}

function Bar({ bar, place: { x, width }, height, y, measure, isNamed: hasName }: BarProps): VNode {
  let below = 0;
  return (
    <g class="chart-bar">
      <title>{`${dayNameText(bar.day)}: ${bar.sum === null ? words.nothing : measureText(bar.total, measure)}`}</title>
      {/* The whole column can be pointed at. */}
      <rect class="chart-reach" x={x} y={0} width={width} height={height} />
      {bar.parts.map(({ model, colour, value }) => {
        const [from, to] = [y(below), y(below + value)];
        below += value;
        return (
          <rect class={`series series-${colour}`} x={x} y={to} width={width} height={Math.max(from - to, 0.5)}>
            <title>
              {`${dayNameText(bar.day)}, ${visibleLine(model ?? words.noModel)}: ${measureText(value, measure)}`}
            </title>
          </rect>
        );
      })}
      {hasName && (
        <text class="chart-day" x={x + width / 2} y={height + 18} text-anchor="middle">
          {dayNameText(bar.day)}
        </text>
      )}
    </g>
  );
}

/** Which colour is which model. */
function Legend({ shares }: { readonly shares: readonly ModelShare[] }): VNode {
  const own = shares.filter(({ colour }) => colour > 0);
  return (
    <figcaption class="legend">
      {own.map(({ model, colour }) => (
        <span>
          <i class={`swatch series-${colour}`} /> <SafeLine text={model ?? words.noModel} />
        </span>
      ))}
      {own.length < shares.length && (
        <span>
          <i class="swatch series-0" /> {words.others}
        </span>
      )}
    </figcaption>
  );
}

interface ShareProps {
  readonly shares: readonly ModelShare[];
  readonly measure: Measure;
}

/** One bar for a single day: how much of it each model is. */
export function ShareBar({ shares, measure }: ShareProps): VNode {
  return (
    <figure class="chart">
      <div class="share-bar" role="img" aria-label={words.chart(1, words.measures[measure])}>
        {shares.map(
          ({ colour, ...sum }) =>
            (sum[measure] ?? 0) > 0 && <span class={`series-${colour}`} style={{ flexGrow: sum[measure] ?? 0 }} />,
        )}
      </div>
      <Legend shares={shares} />
    </figure>
  );
}
