import { useSignal } from '@preact/signals';
import type { VNode } from 'preact';
import type { CallOutput } from '../../api/contract.ts';
import { useApp } from '../model/app.ts';
import { USAGE_DAYS } from '../model/route.ts';
import { dayBars, type Measure, modelShares, usualMeasure } from '../model/usage.ts';
import { useAsked } from '../places/asked.ts';
import { Answer, Empty, PlaceHead, Segments } from '../places/place.tsx';
import { Command } from '../ui/copy.tsx';
import { SafeLine } from '../ui/safe.tsx';
import { moneyText, numberText } from '../words/format.ts';
import { PLACE_STRINGS } from '../words/place-strings.ts';
import { DayChart, ShareBar } from './chart.tsx';
import { Limits } from './limits.tsx';
import { DayTable, ModelTable, SessionTable } from './tables.tsx';

const { usage: words } = PLACE_STRINGS;
type Told = CallOutput<'usage.days'>;

/** What agents have used: by day, by model and by session, and the limits of the accounts. */
export function UsagePage({ days }: { readonly days: number }): VNode {
  const app = useApp();
  const { answer, again } = useAsked(`usage ${days}`, (signal) => app.outlast.usage({ days }, signal));
  const limits = useAsked('limits', (signal) => app.outlast.limits(signal));
  const told = answer.value.value;
  const sorted = [...USAGE_DAYS].sort((a, b) => a - b);
  return (
    <section class="place-page usage-page" aria-label={words.title}>
      <PlaceHead title={words.title} about={told === null ? undefined : <SafeLine text={words.zone(told.timeZone)} />}>
        <Segments
          label={words.period}
          choices={sorted.map((each) => [each, words.days(each)] as const)}
          chosen={days}
          choose={(next) => app.go({ is: 'usage', days: next }, 'replace')}
        />
      </PlaceHead>
      <div class="place-body" tabIndex={0}>
        <Answer
          answer={answer.value}
          again={again}
          draw={(value) => (value.total.turns === 0 ? <Nothing days={days} /> : <Used told={value} days={days} />)}
        />
        <Answer
          answer={limits.answer.value}
          again={limits.again}
          draw={({ limits: found }) => <Limits limits={found} />}
        />
      </div>
    </section>
  );
}

function Nothing({ days }: { readonly days: number }): VNode {
  return (
    <Empty title={words.none(days)} told={words.noneHint}>
      <Command text={`outlast usage --days ${days === 30 ? 365 : 30}`} />
    </Empty>
  );
}

function Used({ told, days }: { readonly told: Told; readonly days: number }): VNode {
  const app = useApp();
  const wanted = useSignal<Measure | null>(null);
  const measure = wanted.value ?? usualMeasure(told);
  const { total } = told;
  const shares = modelShares(told);
  const bars = dayBars(told, days, app.nowMs.peek(), measure);
  return (
    <>
      <dl class="figures">
        <Figure word={words.cost} text={moneyText(total.usd) ?? PLACE_STRINGS.notSaid} />
        <Figure word={words.tokens} text={numberText(total.tokens)} />
        <Figure word={words.turns} text={numberText(total.turns)} />
      </dl>
      <section class="place-section" aria-label={words.byDay}>
        <h2>
          {days === 1 ? words.byModel : words.byDay}
          <span class="space" />
          <Segments
            label={words.measure}
            choices={[
              ['usd', words.cost],
              ['tokens', words.tokens],
            ]}
            chosen={measure}
            choose={(next) => (wanted.value = next)}
          />
        </h2>
        {days === 1 ? (
          <ShareBar shares={shares} measure={measure} />
        ) : (
          <DayChart bars={bars} shares={shares} measure={measure} />
        )}
        {measure === 'usd' && total.usd === null && <p class="muted">{words.noMoney}</p>}
      </section>
      <ModelTable shares={shares} total={total} measure={measure} />
      <SessionTable sessions={told.sessions} measure={measure} />
      {days > 1 && <DayTable days={told.days} />}
    </>
  );
}

function Figure({ word, text }: { readonly word: string; readonly text: string }): VNode {
  return (
    <div>
      <dt>{word}</dt>
      <dd>{text}</dd>
    </div>
  );
}
