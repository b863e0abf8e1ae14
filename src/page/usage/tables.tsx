import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { CallOutput } from '../../api/contract.ts';
import { nameOf } from '../../present/state.ts';
import { follow } from '../fleet/row.tsx';
import { useApp } from '../model/app.ts';
import { addressOf, type Route } from '../model/route.ts';
import type { Measure, ModelShare } from '../model/usage.ts';
import { SafeLine } from '../ui/safe.tsx';
import { dayNameText, moneyText, numberText } from '../words/format.ts';
import { PLACE_STRINGS } from '../words/place-strings.ts';

const { usage: words } = PLACE_STRINGS;
type Told = CallOutput<'usage.days'>;
type Sum = Told['total'];
const SESSIONS_FIRST = 10;

interface ModelProps {
  readonly shares: readonly ModelShare[];
  readonly total: Sum;
  readonly measure: Measure;
}

/** What each model has used. */
export function ModelTable({ shares, total, measure }: ModelProps): VNode {
  const all = total[measure] ?? 0;
  return (
    <section class="place-section" aria-label={words.byModel}>
      <h2>{words.byModel}</h2>
      <table class="data">
        <Head first={words.model} share={words.share} />
        <tbody>
          {shares.map(({ model, colour, ...sum }) => (
            <tr>
              <td>
                <i class={`swatch series-${colour}`} /> <SafeLine text={model ?? words.noModel} />
              </td>
              <Share value={sum[measure] ?? 0} of={all} />
              <Cells sum={sum} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface SessionProps {
  readonly sessions: Told['sessions'];
  readonly measure: Measure;
}

/** What each session has used, most first. Some may have been removed since. */
export function SessionTable({ sessions, measure }: SessionProps): VNode {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? sessions : sessions.slice(0, SESSIONS_FIRST);
  const most = Math.max(...sessions.map((sum) => sum[measure] ?? 0), 0);
  return (
    <section class="place-section" aria-label={words.bySession}>
      <h2>
        {words.bySession} <span class="muted">{numberText(sessions.length)}</span>
      </h2>
      <table class="data">
        <Head first={words.session} share={words.share} />
        <tbody>
          {shown.map(({ session, name, ...sum }) => (
            <tr key={session}>
              <td class="usage-name">
                <SessionLink session={session} name={name} />
              </td>
              <Share value={sum[measure] ?? 0} of={most} />
              <Cells sum={sum} />
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < sessions.length && (
        <button type="button" class="quiet more-rows" onClick={() => setWhole(true)}>
          {words.more(sessions.length - shown.length)}
        </button>
      )}
    </section>
  );
}

/** The days as numbers, newest first. */
export function DayTable({ days }: Pick<Told, 'days'>): VNode {
  return (
    <section class="place-section" aria-label={words.days(days.length)}>
      <details class="day-table">
        <summary>{words.dayTable}</summary>
        <table class="data">
          <Head first={words.day} />
          <tbody>
            {days.map(({ day, ...sum }) => (
              <tr key={day}>
                <td>{dayNameText(day)}</td>
                <Cells sum={sum} />
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function SessionLink({ session, name }: { readonly session: string; readonly name: string | null }): VNode {
  const app = useApp();
  const route: Route = { is: 'session', session, tab: 'conversation' };
  return (
    <a href={addressOf(route)} onClick={(event) => follow(event, () => app.go(route))}>
      <SafeLine text={nameOf({ name, id: session })} />
    </a>
  );
}

function Head({ first, share }: { readonly first: string; readonly share?: string }): VNode {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {share !== undefined && (
          <th scope="col" class="share">
            {share}
          </th>
        )}
        <th scope="col" class="number only-wide">
          {words.turns}
        </th>
        <th scope="col" class="number">
          {words.tokens}
        </th>
        <th scope="col" class="number">
          {words.cost}
        </th>
      </tr>
    </thead>
  );
}

/** How much of the whole it is, as a bar. */
function Share({ value, of }: { readonly value: number; readonly of: number }): VNode {
  const part = of === 0 ? 0 : value / of;
  return (
    <td class="share">
      <span class="share-track" aria-hidden="true">
        <span style={{ inlineSize: `${part * 100}%` }} />
      </span>
    </td>
  );
}

function Cells({ sum: { turns, tokens, usd } }: { readonly sum: Sum }): VNode {
  const money = moneyText(usd);
  return (
    <>
      <td class="number only-wide">{numberText(turns)}</td>
      <td class="number">{numberText(tokens)}</td>
      <td class="number">{money ?? <span class="muted">{PLACE_STRINGS.notSaid}</span>}</td>
    </>
  );
}
