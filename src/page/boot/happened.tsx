import type { VNode } from 'preact';
import type { CallOutput } from '../../api/contract.ts';
import { durationText } from '../../present/duration.ts';
import { useApp } from '../model/app.ts';
import { Icon } from '../ui/icon.tsx';
import { timeText, wholeTimeText } from '../words/format.ts';
import { PLACE_STRINGS } from '../words/place-strings.ts';

const { boot: words } = PLACE_STRINGS;
type Away = CallOutput<'daemon.status'>['away'];

/** What happened to the machine: a restart or a sleep, from when to when, and whether it was announced. */
export function Happened({ away }: { readonly away: Away }): VNode {
  const { nowMs } = useApp();
  if (away === null) return <p class="happened-none muted">{words.nothingHappened}</p>;
  const { kind, planned, fromMs, toMs } = away;
  const time = (atMs: number): VNode => (
    <time dateTime={new Date(atMs).toISOString()} title={wholeTimeText(atMs)}>
      {timeText(atMs, nowMs.peek())}
    </time>
  );
  return (
    <div class="happened">
      <Icon name={kind === 'boot' ? 'boot' : 'moon'} size={20} />
      <div>
        <h2>{words.happened[kind]}</h2>
        <p>
          {fromMs === null ? (
            <>
              {words.noticed} {time(toMs)}
            </>
          ) : (
            <>
              {time(fromMs)} – {time(toMs)}, {durationText(toMs - fromMs)}
            </>
          )}
          {kind === 'boot' && ` · ${planned ? words.planned : words.unplanned}`}
        </p>
      </div>
    </div>
  );
}
